// Forms for projects and their settings; what is wrong is said where it was written, in the API's words.

import { h } from "./shared/dom.js";

export const FIELDS = [
  ["max_pages", "Most pages", "number", "Stop after so many pages are saved (1 to 1000)."],
  ["max_concurrent", "Requests at once", "number", "1 to 50."],
  ["delay_seconds", "Seconds between requests", "number", "To one host; 0 for none."],
  ["max_depth", "Greatest depth", "number", "How many links away from the start; empty for no limit."],
  ["discover", "Find pages by", "select", "", [["sitemap,links", "sitemaps and links"], ["sitemap", "sitemaps"], ["links", "links"]]],
  ["preset", "Preset", "select", "Patterns that suit a kind of site.", [["", "none"], ["docs", "docs"], ["shopify", "shopify"]]],
  ["content", "Part of the page", "text", "main, full, or a CSS selector."],
  ["respect_robots_txt", "Respect robots.txt", "checkbox", ""],
];

export const FILTER_FIELDS = [
  ["include_patterns", "Include patterns", "text", "Comma-separated regular expressions; only URLs in which one is found are crawled."],
  ["exclude_patterns", "Exclude patterns", "text", "URLs in which one is found are left out, whatever else fits."],
  ["include_paths", "Include paths", "text", "Comma-separated paths, such as /docs."],
  ["exclude_paths", "Exclude paths", "text", "Never crawl below these."],
];

let numbers = 0;

// One field with its label, its hint and a place for what is wrong with it.
export function field([name, label, kind, hint, options], value) {
  numbers += 1;
  const id = `field-${numbers}`;
  const described = [hint && `${id}-hint`, `${id}-wrong`].filter(Boolean).join(" ");
  const shared = { id, name, "aria-describedby": described, "data-kind": kind };
  const input =
    kind === "select"
      ? h("select", shared, options.map(([each, words]) => h("option", { value: each, selected: each === (value ?? "") }, words)))
      : kind === "checkbox"
        ? h("input", { ...shared, type: "checkbox", checked: Boolean(value) })
        : h("input", { ...shared, type: "text", inputmode: kind === "number" ? "decimal" : kind === "url" ? "url" : null, value: value ?? "", autocomplete: "off", spellcheck: "false" });
  return h(
    "div",
    { class: kind === "checkbox" ? "setting check" : "setting" },
    h("label", { for: id }, label),
    input,
    hint ? h("p", { class: "quiet hint-text", id: `${id}-hint` }, hint) : null,
    h("p", { class: "wrong", id: `${id}-wrong`, role: "alert" }),
  );
}

// What was typed; a number that is none goes to the API as it is, which says so.
export function values(form) {
  const found = {};
  for (const input of form.querySelectorAll("[data-kind]")) {
    const text = input.value.trim();
    if (input.type === "checkbox") found[input.name] = input.checked;
    else if (input.dataset.kind === "number") found[input.name] = text === "" ? null : Number.isNaN(Number(text)) ? text : Number(text);
    else if (input.name === "preset") found[input.name] = text || null;
    else found[input.name] = text;
  }
  return found;
}

export function clear(form) {
  for (const wrong of form.querySelectorAll(".wrong")) wrong.textContent = "";
  for (const input of form.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
}

// Puts each message beside its field, and what belongs to none at the end.
export function complain(form, error) {
  clear(form);
  const left = [];
  for (const { field: name, message } of error.fields || []) {
    const input = form.querySelector(`[name="${CSS.escape(name.split(".").find((part) => form.querySelector(`[name="${CSS.escape(part)}"]`)) || name)}"]`);
    const place = input?.closest(".setting")?.querySelector(".wrong");
    if (!place) left.push(`${name}: ${message}`);
    else {
      place.textContent = place.textContent ? `${place.textContent} ${message}` : message;
      input.setAttribute("aria-invalid", "true");
    }
  }
  if (!error.fields?.length) left.push(error.message);
  form.querySelector(".form-wrong").textContent = left.join(" ");
  form.querySelector('[aria-invalid="true"]')?.focus();
}

export function formEnd(...buttons) {
  return h("div", { class: "form-end" }, h("p", { class: "wrong form-wrong", role: "alert" }), h("div", { class: "buttons" }, buttons));
}
