// Elements from values. Text is always set as text: nothing that a site says is ever read as markup.

const SVG = "http://www.w3.org/2000/svg";

export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// A link to a web address that a site named; anything but http and https stays plain text.
export function outside(url, ...children) {
  const shown = children.length ? children : [url];
  if (!/^https?:\/\//i.test(url)) return h("span", {}, ...shown);
  return h("a", { href: url, rel: "noopener noreferrer external", target: "_blank" }, ...shown);
}

export function show(container, ...children) {
  container.replaceChildren(...children.flat(3).filter(Boolean));
}

// Puts what a promise brings into a container, with a word for the time until then and one for failures.
export async function fill(container, work, retry = null) {
  container.setAttribute("aria-busy", "true");
  const waiting = setTimeout(() => show(container, loading()), 150);
  try {
    const content = await work();
    clearTimeout(waiting);
    show(container, content);
  } catch (error) {
    clearTimeout(waiting);
    if (error.name === "AbortError") return;
    show(container, failure(error, retry));
  } finally {
    container.removeAttribute("aria-busy");
  }
}

export function loading(words = "Loading…") {
  return h("div", { class: "state", role: "status" }, h("span", { class: "spinner", "aria-hidden": "true" }), words);
}

export function empty(title, words, ...more) {
  return h("div", { class: "state" }, h("strong", {}, title), h("p", {}, words), ...more);
}

export function failure(error, retry = null) {
  return h(
    "div",
    { class: "state bad", role: "alert" },
    h("strong", {}, "This could not be shown"),
    h("p", {}, error.message || String(error)),
    retry && h("button", { type: "button", onclick: retry }, "Try again"),
  );
}
