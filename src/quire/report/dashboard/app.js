// The frame around the views: header, navigation, and which view the address asks for.

import { chartsView } from "./charts-view.js";
import { empty, fill, h } from "./dom.js";
import { graphView } from "./graph-view.js";
import { overviewView } from "./overview-view.js";
import { pageView } from "./page-view.js";
import { pagesView } from "./pages-view.js";
import { problemsView } from "./problems-view.js";
import { themeSwitch } from "./theme.js";
import { treeView } from "./tree-view.js";

export const VIEWS = {
  overview: ["Overview", (provider) => overviewView(provider)],
  pages: ["Pages", (provider, rest, query) => pagesView(provider, query)],
  tree: ["Tree", (provider) => treeView(provider)],
  graph: ["Graph", (provider) => graphView(provider)],
  problems: ["Problems", (provider, rest) => problemsView(provider, rest)],
  charts: ["Charts", (provider) => chartsView(provider)],
};

export function mount(root, provider, { title, above = null, views = VIEWS, actions = null, banner = null }) {
  const main = h("main", { id: "main", tabindex: "-1" });
  const links = Object.entries(views).map(([name, [words]]) => h("a", { href: `#/${name}`, "data-view": name }, words));
  const skip = h("a", { class: "skip", href: "#main" }, "Skip to content");
  skip.addEventListener("click", (event) => {
    event.preventDefault();
    main.focus();
  });
  root.replaceChildren(
    skip,
    h("header", { class: "top" }, h("div", { class: "brand" }, h("span", { class: "mark", "aria-hidden": "true" }), h("div", {}, above, h("h1", {}, title))), h("div", { class: "actions" }, actions, themeSwitch())),
    h("nav", { class: "views", "aria-label": "Views" }, links),
    banner || "",
    main,
  );
  let searching = false;
  const go = async (moved) => {
    const [path, search] = location.hash.replace(/^#\/?/, "").split("?");
    const [asked, ...rest] = path.split("/").map(part);
    const name = asked || Object.keys(views)[0];
    const shown = name === "page" ? "pages" : name;
    for (const link of links) {
      if (link.dataset.view !== shown) link.removeAttribute("aria-current");
      else {
        link.setAttribute("aria-current", "page");
        link.parentElement.scrollLeft = link.offsetLeft - link.parentElement.clientWidth / 2;
      }
    }
    const known = name === "page" ? pageView : views[name]?.[1];
    const words = views[shown]?.[0] || "Not found";
    document.title = `${words} · ${title}`;
    main.replaceChildren();
    provider.leave?.();
    if (moved) {
      scrollTo(0, 0);
      main.focus({ preventScroll: true });
    }
    await fill(main, async () => [h("h2", { class: "sr" }, words), known ? await known(provider, rest.join("/"), new URLSearchParams(search)) : nowhere()], () => go(false));
    if (searching) document.getElementById("search")?.focus();
    searching = false;
  };
  addEventListener("hashchange", () => go(true));
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    event.preventDefault();
    const search = document.getElementById("search");
    if (search) search.focus();
    else {
      searching = true;
      location.hash = "#/pages";
    }
  });
  go(false);
}

function part(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function nowhere() {
  return empty("There is no such view", "Choose one above.");
}
