// A page from crawl to crawl: when it was asked for, what became of it, and whether its text was another one.

import { h } from "./shared/dom.js";
import { count, duration, moment } from "./shared/format.js";
import { badge } from "./shared/parts.js";

const KEPT = new Set(["saved", "unchanged"]);
const WORDS = { new: "new", same: "the same" };
const HEADS = ["Crawl", "Asked for", "Decision", "Text", "Words", "Answered in"];

// `visits` are those of the API, newest first.
export function historyOf(page, visits, path) {
  if (!visits.length) return null;
  return h(
    "section",
    { class: "card" },
    h("h3", {}, "History"),
    h("p", { class: "quiet" }, "What the last crawls made of this page."),
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "History" },
      h("table", { class: "numbers crawls visits" }, h("thead", {}, h("tr", {}, HEADS.map((words) => h("th", { scope: "col" }, words)))), h("tbody", {}, visits.map((visit, at) => row(page, visit, visits.slice(at + 1), path)))),
    ),
  );
}

function row(page, visit, earlier, path) {
  const cell = (name, ...content) => h("td", { class: "text", "data-name": name }, ...content);
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, h("a", { href: `${path}?crawl=${visit.crawl_id}#/page/${encodeURIComponent(`url:${page.url}`)}` }, String(visit.number))),
    cell(null, moment(visit.crawled_at)),
    cell(null, badge(visit.decision), visit.reason ? h("span", { class: "quiet reason" }, visit.reason) : null),
    cell("Text", text(page, visit, earlier.find((each) => KEPT.has(each.decision)), path)),
    cell("Words", visit.word_count === null ? "–" : count(visit.word_count)),
    cell("Answered in", visit.response_ms === null ? "–" : duration(visit.response_ms / 1000)),
  );
}

function text(page, visit, before, path) {
  if (visit.text !== "changed" || !before) return visit.text === "changed" ? "changed" : WORDS[visit.text] || "–";
  const query = new URLSearchParams({ old: before.crawl_id, new: visit.crawl_id, page: page.normalized_url || "" });
  return h("a", { href: `${path}#/crawls?${query}` }, "changed");
}
