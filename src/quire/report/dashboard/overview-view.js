// The first thing to see: what the crawl did, and whether anything is wrong.

import { chart } from "./charts.js";
import { h } from "./dom.js";
import { STATE_WORDS, bytes, count, duration, moment, plural, share } from "./format.js";
import { facts } from "./parts.js";

const ORDER = ["saved", "unchanged", "duplicate", "failed", "skipped", "filtered", "pending", "external", "invalid"];

export async function overviewView(provider) {
  const about = await provider.overview();
  const problems = about.problems.filter((each) => each.number);
  const wrong = problems.reduce((sum, each) => sum + each.number, 0);
  return h(
    "div",
    { class: "stack" },
    lede(about),
    h(
      "ul",
      { class: "tiles" },
      tile("Pages", count(about.pages), "saved", "#/pages"),
      tile("Words", count(about.words), about.pages ? `${count(Math.round(about.words / about.pages))} a page` : ""),
      tile("Markdown", bytes(about.bytes), "in all"),
      tile("Duration", about.seconds === 0 ? "< 1 s" : duration(about.seconds), rate(about)),
      tile("Findings", count(wrong), wrong ? `of ${plural(problems.length, "kind")}` : about.pages ? "nothing to mend" : "no page to judge", "#/problems", problems.some((each) => each.bad)),
    ),
    decisions(about),
    h("div", { class: "columns" }, about.charts.map(chart)),
    h("div", { class: "columns" }, sections(about.sections), findings(problems, about.pages)),
    changes(about),
    rules(about),
  );
}

function lede(about) {
  const failed = about.counts.failed;
  const end = about.complete ? "The crawl is complete" : `The crawl is not complete${about.stoppedBy ? `: it was stopped by ${about.stoppedBy}` : ""}`;
  const waiting = about.counts.pending ? `, and ${plural(about.counts.pending, "URL waits", "URLs wait")}` : "";
  return h(
    "p",
    { class: "lede" },
    `${end}${waiting}. `,
    failed ? h("a", { href: "#/problems/failed" }, `${plural(failed, "URL")} failed.`) : about.pages ? "Nothing failed." : "Nothing was saved.",
    h("span", { class: "quiet" }, ` ${moment(about.startedAt)}${about.number > 1 ? `, crawl number ${about.number}` : ""}.`),
  );
}

function rate(about) {
  if (!about.seconds || !about.pages) return "";
  const perSecond = about.pages / about.seconds;
  if (perSecond < 0.5 / 60) return "";
  return perSecond >= 1 ? `${perSecond < 10 ? perSecond.toFixed(1) : count(Math.round(perSecond))} pages a second` : `${plural(Math.round(perSecond * 60), "page")} a minute`;
}

export function tile(name, value, note, href = null, bad = false) {
  const inside = [h("span", { class: "name" }, name), h("strong", {}, value), h("span", { class: "quiet" }, note || " ")];
  return h("li", {}, href ? h("a", { class: bad ? "tile bad" : "tile", href }, inside) : h("div", { class: "tile" }, inside));
}

// One bar for all URLs: every one has exactly one decision.
export function decisions(about) {
  const parts = ORDER.filter((state) => about.counts[state]);
  const bar = h("div", { class: "stacked", "aria-hidden": "true" });
  for (const state of parts) {
    const part = h("span", { class: `fill ${state}`, title: `${STATE_WORDS[state]}: ${count(about.counts[state])}` });
    part.style.flexGrow = String(about.counts[state]);
    bar.append(part);
  }
  return h(
    "section",
    { class: "card" },
    h("h2", {}, `${plural(about.urls, "URL")} seen`),
    h("p", { class: "quiet" }, "Each ends with exactly one decision."),
    bar,
    h(
      "ul",
      { class: "legend" },
      parts.map((state) =>
        h(
          "li",
          {},
          h("a", { href: `#/pages?state=${state}` }, h("span", { class: `dot ${state}`, "aria-hidden": "true" }), STATE_WORDS[state], " ", h("strong", {}, count(about.counts[state])), h("span", { class: "quiet" }, ` ${share(about.counts[state], about.urls)}`)),
        ),
      ),
    ),
  );
}

function sections(root) {
  if (!root || !root.children.size) return null;
  const largest = root.sorted().slice(0, 8);
  const most = Math.max(1, largest[0].pages);
  return h(
    "section",
    { class: "card" },
    h("h2", {}, "Largest sections"),
    h(
      "ul",
      { class: "bars" },
      largest.map((section) => {
        const bar = h("span", { class: "fill saved" });
        bar.style.width = `${Math.max(0.5, (100 * section.pages) / most)}%`;
        return h("li", {}, h("span", { class: "name", title: section.name }, section.name), h("span", { class: "track", "aria-hidden": "true" }, bar), h("span", { class: "value" }, count(section.pages)));
      }),
    ),
    h("p", {}, h("a", { href: "#/tree" }, "The whole site as a tree")),
  );
}

function findings(problems, pages) {
  return h(
    "section",
    { class: "card" },
    h("h2", {}, "Findings"),
    problems.length
      ? h("ul", { class: "findings" }, problems.map((each) => h("li", {}, h("a", { href: `#/problems/${each.kind}` }, each.title), h("strong", { class: each.bad ? "bad" : "" }, count(each.number)))))
      : h("p", { class: "quiet" }, pages ? "Nothing failed, no link is broken, and every page has a title, a description and some text." : "There is no page to judge."),
  );
}

function changes(about) {
  if (!about.changes) return null;
  const { added, changed, removed } = about.changes;
  return h(
    "section",
    { class: "card" },
    h("h2", {}, "Since the crawl before"),
    h("ul", { class: "tiles" }, tile("Added", count(added)), tile("Changed", count(changed)), tile("Removed", count(removed))),
  );
}

function rules(about) {
  const filters = Object.entries(about.filters || {}).map(([name, value]) => [name.replaceAll("_", " "), Array.isArray(value) ? value.join(", ") : String(value)]);
  const reasons = { ...about.filteredBy, ...about.skippedBy };
  const traps = Object.keys(about.traps || {});
  const left = [
    about.listed < about.pages && `Listed here: ${plural(about.listed, "page")} of ${count(about.pages)}; _manifest.json has all of them.`,
    about.cut && `${plural(about.cut, "page has", "pages have")} more links than are kept here.`,
  ].filter(Boolean);
  return h(
    "section",
    { class: "card" },
    h("h2", {}, "How it was made"),
    facts([
      ["Start", about.start.join(", ")],
      ["Named in sitemaps", count(about.inSitemap)],
      ...filters,
      ["Left out because of", Object.entries(reasons).map(([reason, number]) => `${reason} (${count(number)})`).join(", ")],
      ["Traps", traps.join(", ")],
      ["Made by", about.generator],
      ["Note", left.join(" ")],
    ]),
  );
}
