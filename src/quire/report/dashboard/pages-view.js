// The table of pages: search, filter, sort, one screen at a time.

import { fill, h, empty } from "./dom.js";
import { STATE_WORDS, bytes, count, moment } from "./format.js";
import { badge, choice, pageLink, pager } from "./parts.js";

const COLUMNS = [
  ["title", "Page", "page"],
  ["state", "Decision", "decision"],
  ["depth", "Depth", "number depth"],
  ["words", "Words", "number words"],
  ["size", "Size", "number size"],
  ["time", "Fetched", "time"],
];
const STATE_CHOICES = [["kept", "In the mirror"], ["all", "All URLs"], ...Object.entries(STATE_WORDS)];
// A provider may know fewer columns and other choices: `tableColumns`, `sorts`, `choices` and `searched` say so.
const LIMIT = 50;

export function pagesView(provider, query) {
  const asked = { search: query.get("search") || "", state: query.get("state") || "kept", sort: query.get("sort") || "place" };
  asked.descending = query.get("descending") === "yes";
  const before = [];
  let cursor = null;
  const body = h("div", { class: "table-body" });

  const load = (focus = false) =>
    fill(
      body,
      async () => {
        const result = await provider.pages({ ...asked, cursor, limit: LIMIT });
        const content = listing(provider, result, asked, sortBy, {
          back: before.length ? () => turn(before.pop()) : null,
          on: () => (before.push(cursor), turn(result.next)),
        });
        if (focus) queueMicrotask(() => body.querySelector("tbody a")?.focus());
        return content;
      },
      () => load(),
    );
  const turn = (to) => {
    cursor = to;
    load(true);
    body.scrollIntoView({ block: "nearest" });
  };
  const changed = () => {
    before.length = 0;
    cursor = null;
    const kept = new URLSearchParams();
    if (asked.search) kept.set("search", asked.search);
    if (asked.state !== "kept") kept.set("state", asked.state);
    if (asked.sort !== "place") kept.set("sort", asked.sort);
    if (asked.descending) kept.set("descending", "yes");
    history.replaceState(null, "", `#/pages${kept.size ? `?${kept}` : ""}`);
    return load();
  };
  const sortBy = async (name) => {
    asked.descending = asked.sort === name ? !asked.descending : ["words", "size", "time"].includes(name);
    asked.sort = name;
    await changed();
    body.querySelector(`th [data-sort="${name}"]`)?.focus();
  };

  let pause = 0;
  const search = h("input", {
    type: "search",
    id: "search",
    value: asked.search,
    placeholder: provider.searched || "Title or address",
    autocomplete: "off",
    spellcheck: "false",
    oninput: (event) => {
      clearTimeout(pause);
      asked.search = event.target.value;
      pause = setTimeout(changed, 120);
    },
  });
  const view = h(
    "div",
    { class: "stack", onkeydown: (event) => move(event, body) },
    h(
      "form",
      { class: "toolbar", role: "search", onsubmit: (event) => event.preventDefault() },
      h("label", { class: "field grow" }, h("span", {}, "Search"), search),
      choice("Show", provider.choices || STATE_CHOICES, asked.state, (value) => ((asked.state = value), changed())),
    ),
    h("p", { class: "hint quiet" }, h("kbd", {}, "/"), " to search, ", h("kbd", {}, "↑"), " ", h("kbd", {}, "↓"), " from page to page, ", h("kbd", {}, "Enter"), " to open."),
    body,
  );
  load();
  return view;
}

// Arrow keys go from row to row.
function move(event, body) {
  if (!["ArrowDown", "ArrowUp"].includes(event.key) || event.target.tagName === "SELECT") return;
  const links = [...body.querySelectorAll("tbody td:first-child a, tbody th a")];
  if (!links.length) return;
  const at = links.indexOf(document.activeElement);
  const to = event.key === "ArrowDown" ? at + 1 : at < 0 ? links.length - 1 : at - 1;
  if (to < 0) document.getElementById("search")?.focus();
  else links[Math.min(to, links.length - 1)].focus();
  event.preventDefault();
}

function listing(provider, result, asked, sortBy, go) {
  if (!result.rows.length) {
    return empty("No page matches", asked.search ? "Try fewer words, or show all URLs." : "There is nothing under this decision.");
  }
  const columns = COLUMNS.filter(([name]) => !provider.tableColumns || provider.tableColumns.includes(name));
  const sortable = provider.sorts || columns.map(([name]) => name);
  return [
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "Pages" },
      h(
        "table",
        { class: "pages" },
        h("thead", {}, h("tr", {}, columns.map(([name, words, kind]) => heading(name, words, kind, asked, sortable.includes(name) && sortBy)))),
        h("tbody", {}, result.rows.map((row) => line(row, provider.base, columns))),
      ),
    ),
    pager(result, LIMIT, go),
  ];
}

function heading(name, words, kind, asked, sortBy) {
  if (!sortBy) return h("th", { scope: "col", class: kind }, words);
  const sorted = asked.sort === name;
  return h(
    "th",
    { scope: "col", class: kind, "aria-sort": sorted ? (asked.descending ? "descending" : "ascending") : null },
    h("button", { type: "button", class: "sort", "data-sort": name, onclick: () => sortBy(name) }, words, h("span", { "aria-hidden": "true", class: "arrow" }, sorted ? (asked.descending ? "↓" : "↑") : "")),
  );
}

const CELLS = {
  title: (row, base) => pageLink(row, base),
  state: (row) => [badge(row.state), row.reason ? h("span", { class: "quiet reason" }, row.reason) : null],
  depth: (row) => row.depth ?? "–",
  words: (row) => (row.kept ? count(row.words) : "–"),
  size: (row) => (row.kept ? bytes(row.size) : "–"),
  time: (row) => (row.time ? moment(row.time) : "–"),
};

function line(row, base, columns) {
  return h(
    "tr",
    {},
    columns.map(([name, , kind]) => h(name === "title" ? "th" : "td", { class: kind, scope: name === "title" ? "row" : null }, CELLS[name](row, base))),
  );
}
