// Small pieces that several views use.

import { h } from "./dom.js";
import { STATE_WORDS, count, shortUrl } from "./format.js";

export function badge(state, words = STATE_WORDS[state] || state) {
  return h("span", { class: `badge ${state}` }, words);
}

// A page by its title and its URL, linked to what is known of it.
export function pageLink(row, base = "") {
  const short = shortUrl(row.url, base);
  return h(
    "a",
    { class: "page-link", href: `#/page/${encodeURIComponent(row.id)}` },
    row.title ? h("span", { class: "title" }, row.title) : null,
    h("span", { class: row.title ? "url" : "url title" }, short),
  );
}

export function pager(result, limit, go) {
  const last = result.from + result.rows.length;
  const known = result.total !== null && result.total !== undefined;
  const words = known ? `${count(result.from + 1)}–${count(last)} of ${count(result.total)}` : `${count(result.rows.length)} shown`;
  return h(
    "nav",
    { class: "pager", "aria-label": "Pages of this table" },
    h("span", { class: "quiet", role: "status" }, result.rows.length ? words : ""),
    h("button", { type: "button", disabled: !go.back, onclick: go.back }, "Previous"),
    h("button", { type: "button", disabled: result.next === null, onclick: go.on }, "Next"),
  );
}

// A select with a label of its own.
export function choice(label, options, value, onchange) {
  return h(
    "label",
    { class: "field" },
    h("span", {}, label),
    h(
      "select",
      { onchange: (event) => onchange(event.target.value) },
      options.map(([name, words]) => h("option", { value: name, selected: name === value }, words)),
    ),
  );
}

export function facts(pairs) {
  return h(
    "dl",
    { class: "facts" },
    pairs.filter(([, value]) => value !== null && value !== undefined && value !== "").map(([name, value]) => [
      h("dt", {}, name),
      h("dd", {}, value),
    ]),
  );
}

// A list that begins short and grows when asked to.
export function growing(rows, first, item, label) {
  const list = h("ul", { class: "plain" }, rows.slice(0, first).map(item));
  if (rows.length <= first) return list;
  const more = h("button", { type: "button", class: "small" }, `Show all ${count(rows.length)} ${label}`);
  more.addEventListener("click", () => {
    list.append(...rows.slice(first).map(item));
    list.children[first].querySelector("a")?.focus();
    more.remove();
  });
  return [list, more];
}
