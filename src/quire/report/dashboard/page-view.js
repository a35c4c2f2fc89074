// One URL: what it is, why it is there or not, and what it is linked with.

import { empty, fill, h, outside } from "./dom.js";
import { bytes, count, duration, moment, plural, shortUrl, sourceWords } from "./format.js";
import { badge, facts, growing, pageLink } from "./parts.js";

export async function pageView(provider, id) {
  const page = await provider.page(id);
  if (!page) return empty("There is no such page", "The report does not list it.", h("p", {}, h("a", { href: "#/pages" }, "All pages")));
  const card = h("section", { class: "card" }, h("h3", {}, "About this page"), about(page, Boolean(page.around)));
  const links = h("div", { class: "stack" });
  if (!page.around) links.append(...around(page, provider));
  else {
    const load = () =>
      fill(
        links,
        async () => {
          const whole = { ...page, ...(await page.around) };
          card.lastElementChild.replaceWith(about(whole, false));
          return around(whole, provider);
        },
        load,
      );
    load();
  }
  return h(
    "article",
    { class: "stack" },
    h(
      "header",
      { class: "page-head" },
      h("p", { class: "quiet" }, h("a", { href: "#/pages" }, "Pages"), " / ", shortUrl(page.url, provider.base)),
      h("h2", {}, page.title || shortUrl(page.url, provider.base)),
      h("p", {}, badge(page.state), " ", outside(page.url)),
      page.description ? h("p", { class: "lede" }, page.description) : null,
    ),
    card,
    page.content || null,
    page.more || null,
    links,
  );
}

function about(page, waits) {
  return facts([
    ["Decision", [badge(page.state), page.reason ? ` ${page.reason}` : "", page.detail ? `: ${page.detail}` : ""]],
    ["Leads to", page.target && pageLink(page.target)],
    ["File", page.file && h("a", { href: page.file.split("/").map(encodeURIComponent).join("/") }, page.file)],
    ["Words", page.kept ? count(page.words) : null],
    ["Size", page.kept ? bytes(page.size) : null],
    ["Depth", waits ? "…" : typeof page.depth === "number" ? `${plural(page.depth, "link")} from the start` : null],
    ["Found by", waits ? "…" : page.source && sourceWords(page.source)],
    ["Language", waits ? "…" : page.language],
    ["Type", page.type],
    ["Fetched", page.time ? moment(page.time) : null],
    ["Fetched by", page.fetcher],
    ["Answered in", typeof page.response === "number" ? duration(page.response / 1000) : null],
    ...(page.facts || []),
  ]);
}

// What it is linked with: an array of sections.
function around(page, provider) {
  return [
    h(
      "div",
      { class: "columns" },
      linked("Links to", page.out, provider, "This page links to nothing that was seen."),
      linked("Linked from", page.into, provider, "No page that was saved links here."),
    ),
    page.same?.length ? linked("Same content as", page.same, provider, "") : null,
    page.trail.length
      ? h("section", { class: "card" }, h("h3", {}, "How it was found"), h("ol", { class: "trail" }, [...page.trail].reverse().map((each) => h("li", {}, pageLink(each, provider.base))), h("li", { "aria-current": "page" }, shortUrl(page.url, provider.base))))
      : null,
  ].filter(Boolean);
}

function linked(title, rows, provider, nothing) {
  return h(
    "section",
    { class: "card" },
    h("h3", {}, title, " ", h("span", { class: "quiet" }, count(rows.length))),
    rows.length
      ? growing(rows, 12, (row) => h("li", {}, pageLink(row, provider.base), row.kept ? null : badge(row.state)), "links")
      : h("p", { class: "quiet" }, nothing),
  );
}
