// The site as a graph: folders and pages, and how they link. Closer means more nodes, never too many.

import { empty, h, svg } from "./dom.js";
import { count, plural } from "./format.js";
import { arrange } from "./layout.js";
import { choice } from "./parts.js";

const SIZE = 1000;
const NODES = [40, 80, 160, 320];

export async function graphView(provider) {
  const state = { open: new Set(), colour: "status", view: start(), step: innerWidth < 720 ? 0 : 1, places: new Map() };
  const stage = h("div", { class: "stage" });
  const told = h("p", { class: "quiet", role: "status" });
  const list = h("div", {});
  let graph = null;

  const load = async () => {
    graph = await provider.graph({ most: NODES[state.step], open: state.open });
    if (!graph.nodes.length || !graph.nodes.some((node) => node.pages || node.failed)) return false;
    arrange(graph, state.places);
    draw();
    return true;
  };
  const draw = () => {
    const hidden = graph.hidden ? `, ${count(graph.hidden)} weaker ones left out` : "";
    told.textContent = `${plural(graph.nodes.length, "node")}, ${plural(graph.edges.length, "connection")}${hidden}`;
    stage.replaceChildren(picture(graph, state, { enter, pick }));
    list.replaceChildren(table(graph));
  };
  const enter = async (node) => {
    if (node.closed) {
      state.open.add(node.path);
      await load();
      stage.querySelector(`[data-path="${CSS.escape(node.path)}"]`)?.focus();
    } else if (node.page !== null) location.hash = `#/page/${encodeURIComponent(node.page)}`;
  };
  const pick = (number) => highlight(stage, graph, number);
  const look = () => {
    const { x, y, width } = state.view;
    stage.classList.toggle("close", width < SIZE * 0.55);
    stage.firstElementChild?.setAttribute("viewBox", `${x} ${y} ${width} ${width * shape()}`);
  };
  const zoom = (factor, cx = state.view.x + state.view.width / 2, cy = state.view.y + (state.view.width * shape()) / 2) => {
    const width = Math.min(SIZE * 1.5, Math.max(SIZE / 12, state.view.width * factor));
    const real = width / state.view.width;
    state.view = { x: cx - (cx - state.view.x) * real, y: cy - (cy - state.view.y) * real, width };
    look();
  };
  const detail = async (by) => {
    state.step = Math.min(NODES.length - 1, Math.max(0, state.step + by));
    if (by < 0) state.open.clear();
    await load();
  };
  panned(stage, state, look, zoom);

  if (!(await load())) return empty("No pages yet", "The graph grows as pages are saved.");
  return h(
    "div",
    { class: "stack" },
    h(
      "div",
      { class: "toolbar" },
      choice("Colour", [["status", "by status"], ["depth", "by depth"]], state.colour, (value) => ((state.colour = value), draw())),
      h(
        "div",
        { class: "buttons", role: "group", "aria-label": "Zoom and detail" },
        h("button", { type: "button", onclick: () => zoom(0.7) }, "Zoom in"),
        h("button", { type: "button", onclick: () => zoom(1.4) }, "Zoom out"),
        h("button", { type: "button", onclick: () => detail(1) }, "More detail"),
        h("button", { type: "button", onclick: () => detail(-1) }, "Less detail"),
        h("button", { type: "button", onclick: () => ((state.view = start()), look()) }, "Reset"),
      ),
    ),
    told,
    h("div", { class: "card graph" }, stage, legend()),
    h("details", { class: "card" }, h("summary", {}, "As a table"), list),
    h("p", { class: "hint quiet" }, "Drag to move, scroll or pinch to zoom. ", h("kbd", {}, "Tab"), " goes from node to node, ", h("kbd", {}, "Enter"), " opens a folder or a page."),
  );
}

// A phone shows the middle of the picture, as high as it is wide.
function shape() {
  return innerWidth < 720 ? 1 : 0.62;
}

function start() {
  return innerWidth < 720 ? { x: 170, y: -20, width: 660 } : { x: 0, y: 0, width: SIZE };
}

function legend() {
  return h("p", { class: "quiet key" }, "A circle is a folder or a page, as large as what it holds; a line is links between two. A ring marks what can be opened.");
}

function tone(node, colour) {
  if (colour === "depth") return `depth${Math.min(5, Math.round(node.depth))}`;
  return node.failed ? (node.pages ? "mixed" : "failed") : node.pages ? "saved" : "none";
}

function picture(graph, state, { enter, pick }) {
  const heaviest = Math.max(1, ...graph.edges.map((edge) => edge.weight));
  const { x, y, width } = state.view;
  const image = svg("svg", { viewBox: `${x} ${y} ${width} ${width * shape()}`, role: "group", "aria-label": "Graph of the site" });
  const edges = graph.edges.map((edge) => {
    const [from, to] = [graph.nodes[edge.from], graph.nodes[edge.to]];
    const line = svg("line", { class: "edge", x1: from.x, y1: from.y, x2: to.x, y2: to.y, "stroke-width": (0.6 + (3 * Math.log1p(edge.weight)) / Math.log1p(heaviest)).toFixed(2) });
    line.edge = edge;
    return line;
  });
  const largest = [...graph.nodes].sort((a, b) => b.pages - a.pages);
  const several = largest.filter((node) => node.pages > 1).length;
  const labelled = legible(largest.slice(0, Math.min(innerWidth < 720 ? 9 : 26, Math.max(several, 12))));
  const nodes = graph.nodes.map((node) => {
    const words = `${node.path || node.name}: ${plural(node.pages, "page")}${node.failed ? `, ${count(node.failed)} failed` : ""}${node.closed ? ", can be opened" : ""}`;
    const group = svg(
      "g",
      { class: `node ${tone(node, state.colour)}`, tabindex: "0", role: "button", "aria-label": words, "data-path": node.path, transform: `translate(${node.x.toFixed(1)} ${node.y.toFixed(1)})` },
      svg("title", {}, words),
      node.closed ? svg("circle", { class: "ring", r: node.r + 4 }) : null,
      svg("circle", { class: "body", r: node.r }),
    );
    group.addEventListener("click", () => enter(node));
    group.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      enter(node);
    });
    group.addEventListener("focus", () => pick(node.number));
    group.addEventListener("blur", () => pick(null));
    group.addEventListener("pointerenter", () => pick(node.number));
    group.addEventListener("pointerleave", () => pick(null));
    return group;
  });
  const labels = graph.nodes.map((node) =>
    svg("text", { class: labelled.has(node.number) ? "label" : "label small", x: node.x, y: node.y + node.r + 14, "text-anchor": anchor(node) }, shortened(node.name)),
  );
  image.append(svg("g", { "aria-hidden": "true" }, edges), ...nodes, svg("g", { "aria-hidden": "true" }, labels));
  return image;
}

// Those in sight whose label covers neither a larger one nor its label.
function legible(nodes) {
  const letter = innerWidth < 720 ? 11 : 6.6;
  const view = start();
  const taken = [];
  const found = new Set();
  for (const node of nodes) {
    if (node.x < view.x || node.x > view.x + view.width) continue;
    const half = (letter * shortened(node.name).length) / 2;
    const middle = node.x + { start: half, middle: 0, end: -half }[anchor(node)];
    const box = { left: middle - half, right: middle + half, top: node.y + node.r, bottom: node.y + node.r + 2.4 * letter };
    if (taken.some((other) => box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom)) continue;
    taken.push(box, { left: node.x - node.r, right: node.x + node.r, top: node.y - node.r, bottom: node.y + node.r });
    found.add(node.number);
  }
  return found;
}

// Labels near the sides of the picture go inwards.
function anchor(node) {
  const { x, width } = start();
  if (node.x < x + 70) return "start";
  return node.x > x + width - 70 ? "end" : "middle";
}

function shortened(name) {
  return name.length > 22 ? `${name.slice(0, 20)}…` : name;
}

function highlight(stage, graph, number) {
  stage.classList.toggle("picked", number !== null);
  const near = new Set([number]);
  for (const line of stage.querySelectorAll(".edge")) {
    const on = number !== null && (line.edge.from === number || line.edge.to === number);
    line.classList.toggle("on", on);
    if (on) near.add(line.edge.from).add(line.edge.to);
  }
  for (const kind of [".node", ".label"]) {
    stage.querySelectorAll(kind).forEach((each, at) => each.classList.toggle("on", near.has(at)));
  }
}

// Dragging, the wheel, and two fingers.
function panned(stage, state, look, zoom) {
  const fingers = new Map();
  const scale = () => state.view.width / stage.clientWidth;
  const at = (event) => {
    const box = stage.getBoundingClientRect();
    return [state.view.x + (event.clientX - box.left) * scale(), state.view.y + (event.clientY - box.top) * scale()];
  };
  stage.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(event.deltaY * 0.0015), ...at(event));
  }, { passive: false });
  stage.addEventListener("pointerdown", (event) => fingers.set(event.pointerId, event));
  const apart = () => {
    const [a, b] = [...fingers.values()];
    return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  };
  stage.addEventListener("pointermove", (event) => {
    const last = fingers.get(event.pointerId);
    if (!last) return;
    const before = fingers.size === 2 ? apart() : 0;
    fingers.set(event.pointerId, event);
    if (fingers.size === 2) zoom(before / Math.max(apart(), 1), ...at(event));
    else {
      state.view.x -= (event.clientX - last.clientX) * scale();
      state.view.y -= (event.clientY - last.clientY) * scale();
      look();
    }
  });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
    stage.addEventListener(name, (event) => fingers.delete(event.pointerId));
  }
}

function table(graph) {
  const busiest = [...graph.edges].slice(0, 50);
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": "The strongest connections" },
    h(
      "table",
      { class: "numbers" },
      h("thead", {}, h("tr", {}, ["From", "To", "Links"].map((words) => h("th", { scope: "col" }, words)))),
      h("tbody", {}, busiest.map((edge) => h("tr", {}, h("th", { scope: "row" }, graph.nodes[edge.from].path), h("td", { class: "text" }, graph.nodes[edge.to].path), h("td", {}, count(edge.weight))))),
    ),
  );
}
