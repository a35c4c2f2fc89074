// The site as a tree of folders, one branch at a time; the keys are those of every tree.

import { empty, h } from "./dom.js";
import { count } from "./format.js";

const STEP = 200;
const ITEM = '[role="treeitem"]';

let numbers = 0;

export async function treeView(provider) {
  const root = await provider.tree();
  if (!root || !root.members) return empty("No pages yet", "The tree grows as pages are saved.");
  const tree = h("ul", { class: "tree", role: "tree", "aria-label": "The site by its paths" }, branch(root, root.pages, 1));
  tree.addEventListener("keydown", (event) => steer(event, tree));
  const first = tree.querySelector(ITEM);
  first.tabIndex = 0;
  open(first);
  return h(
    "div",
    { class: "stack" },
    h("p", { class: "hint quiet" }, h("kbd", {}, "↑"), " ", h("kbd", {}, "↓"), " to move, ", h("kbd", {}, "→"), " ", h("kbd", {}, "←"), " to open and close, ", h("kbd", {}, "Enter"), " for the page itself."),
    h("div", { class: "card" }, tree),
  );
}

function branch(section, whole, level) {
  const folder = section.children.size > 0;
  const bar = h("span", { class: "fill saved" });
  bar.style.width = `${Math.max(1, (100 * section.pages) / Math.max(whole, 1))}%`;
  const item = h(
    "div",
    { class: "branch", role: "treeitem", tabindex: "-1", "aria-level": level, "aria-expanded": folder ? "false" : null },
    h("span", { class: "twist", "aria-hidden": "true" }, folder ? "▸" : ""),
    h("span", { class: "name" }, folder || section.page === null ? section.name || "all hosts" : own(section, section.name)),
    section.failed ? h("span", { class: "badge failed" }, `${count(section.failed)} failed`) : null,
    folder && section.page !== null ? own(section, "page") : null,
    folder ? h("span", { class: "track", "aria-hidden": "true" }, bar) : null,
    folder ? h("span", { class: "value" }, count(section.pages), h("span", { class: "sr" }, " pages")) : null,
  );
  item.section = section;
  item.whole = whole;
  item.addEventListener("click", (event) => {
    if (event.target.tagName === "A") return;
    focus(item);
    (item.getAttribute("aria-expanded") === "true" ? close : open)(item);
  });
  return h("li", { role: "none" }, item);
}

// The tree has one place for Tab; Enter follows this link.
function own(section, words) {
  return h("a", { href: `#/page/${encodeURIComponent(section.page)}`, tabindex: "-1", class: "open" }, words);
}

function open(item) {
  if (item.getAttribute("aria-expanded") !== "false") return;
  item.setAttribute("aria-expanded", "true");
  item.querySelector(".twist").textContent = "▾";
  if (item.nextElementSibling) item.nextElementSibling.hidden = false;
  else item.after(group(item));
}

function group(item) {
  numbers += 1;
  const list = h("ul", { role: "group", id: `group-${numbers}` });
  item.setAttribute("aria-owns", list.id);
  const children = item.section.sorted();
  const level = Number(item.getAttribute("aria-level")) + 1;
  const more = (from) => {
    list.append(...children.slice(from, from + STEP).map((child) => branch(child, item.whole, level)));
    if (from + STEP >= children.length) return;
    const rest = h("div", { class: "branch more", role: "treeitem", tabindex: "-1", "aria-level": level }, `Show ${count(Math.min(STEP, children.length - from - STEP))} more of ${count(children.length)}`);
    rest.addEventListener("click", () => {
      more(from + STEP);
      focus(rest.parentElement.nextElementSibling.querySelector(ITEM));
      rest.parentElement.remove();
    });
    list.append(h("li", { role: "none" }, rest));
  };
  more(0);
  return list;
}

function close(item) {
  if (item.getAttribute("aria-expanded") !== "true") return;
  item.setAttribute("aria-expanded", "false");
  item.querySelector(".twist").textContent = "▸";
  item.nextElementSibling.hidden = true;
}

function focus(item) {
  for (const each of item.closest('[role="tree"]').querySelectorAll(`${ITEM}[tabindex="0"]`)) each.tabIndex = -1;
  item.tabIndex = 0;
  item.focus();
}

function above(item) {
  return item.closest("ul").previousElementSibling;
}

function steer(event, tree) {
  const item = event.target.closest(ITEM);
  const shown = [...tree.querySelectorAll(ITEM)].filter((each) => each.offsetParent !== null);
  const at = shown.indexOf(item);
  const expanded = item.getAttribute("aria-expanded");
  const steps = {
    ArrowDown: () => shown[at + 1],
    ArrowUp: () => shown[at - 1],
    Home: () => shown[0],
    End: () => shown.at(-1),
    ArrowRight: () => (expanded === "false" ? open(item) : expanded === "true" ? shown[at + 1] : null),
    ArrowLeft: () => (expanded === "true" ? close(item) : above(item)),
    Enter: () => (item.section ? item.querySelector("a.open")?.click() : item.click()),
    " ": () => item.click(),
  };
  if (!steps[event.key]) return;
  event.preventDefault();
  const to = steps[event.key]();
  if (to) focus(to);
}
