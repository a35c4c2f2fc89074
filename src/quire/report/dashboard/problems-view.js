// What a site's owner may want to mend, one kind at a time.

import { empty, fill, h } from "./dom.js";
import { count, plural } from "./format.js";
import { badge, pageLink, pager } from "./parts.js";

const LIMIT = 25;

export async function problemsView(provider, chosen) {
  const kinds = await provider.problems();
  const present = kinds.filter((each) => each.number);
  if (!present.length) return empty("Nothing to mend", "Nothing failed, no link is broken, and every page has a title, a description and some text.");
  const current = kinds.find((each) => each.kind === chosen) || present[0];
  const body = h("div", {});
  const before = [];
  let cursor = null;
  const load = () =>
    fill(
      body,
      async () => {
        const result = await provider.problem(current.kind, { cursor, limit: LIMIT });
        if (!result.rows.length) return empty("None", "No page has this problem.");
        return [
          h("ul", { class: "problem-list" }, result.rows.map((row, at) => item(row, result.rows[at - 1], provider.base))),
          pager(result, LIMIT, {
            back: before.length ? () => ((cursor = before.pop()), load()) : null,
            on: () => (before.push(cursor), (cursor = result.next), load()),
          }),
        ];
      },
      load,
    );
  load();
  return h(
    "div",
    { class: "problems" },
    h(
      "nav",
      { "aria-label": "Kinds of problems" },
      h(
        "ul",
        { class: "kinds" },
        kinds.map((each) =>
          h("li", {}, h("a", { href: `#/problems/${each.kind}`, "aria-current": each === current ? "page" : null, class: each.number ? "" : "none" }, each.title, h("span", { class: each.bad && each.number ? "bad" : "" }, count(each.number)))),
        ),
      ),
    ),
    h("section", { class: "card" }, h("h2", {}, current.title), h("p", { class: "quiet" }, current.words), body),
  );
}

function brief(row) {
  return row.reason && row.detail && row.detail.length < 8;
}

function item(row, previous, base) {
  const sameGroup = row.group && previous && previous.group === row.group;
  return h(
    "li",
    { class: row.group && !sameGroup ? "group" : "" },
    h("div", { class: "subject" }, pageLink(row, base), row.kept ? null : badge(row.state, brief(row) ? `${row.reason} ${row.detail}` : row.reason || row.state)),
    row.target ? h("div", { class: "quiet" }, "leads to ", pageLink(row.target, base)) : null,
    row.detail && !row.target && !brief(row) ? h("div", { class: "quiet" }, row.detail) : null,
    row.holders?.length && !row.kept
      ? h(
          "details",
          {},
          h("summary", {}, `on ${plural(row.held, "page")}`),
          h("ul", { class: "plain" }, row.holders.map((each) => h("li", {}, pageLink(each, base))), row.held > row.holders.length ? h("li", { class: "quiet" }, `and ${count(row.held - row.holders.length)} more`) : null),
        )
      : null,
  );
}
