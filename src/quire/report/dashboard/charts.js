// Charts in SVG: small, drawn once, and each with its numbers as a table for whoever cannot see it.

import { h, svg } from "./dom.js";
import { count } from "./format.js";

export function chart(series) {
  const draw = { area, bars, rows }[series.kind] || bars;
  const sum = series.points.reduce((total, point) => total + point.value, 0);
  return h(
    "figure",
    { class: "chart card" },
    h("figcaption", {}, h("h3", {}, series.title)),
    draw(series),
    h(
      "details",
      {},
      h("summary", {}, "As a table"),
      h(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": `${series.title}, as a table` },
        h(
          "table",
          { class: "numbers" },
          h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Value"), h("th", { scope: "col" }, series.unit))),
          h("tbody", {}, series.points.map((each) => h("tr", {}, h("th", { scope: "row" }, each.label), h("td", {}, count(each.value))))),
          h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, "Together"), h("td", {}, count(sum)))),
        ),
      ),
    ),
  );
}

const WIDE = 560;
const NARROW = 320;
const HEIGHT = 200;
const BOTTOM = 26;
const LEFT = 46;
const LETTER = 6.5;
const TOP = 14;

// Letters keep their size, so a phone gets a narrower picture and not a smaller one.
function room() {
  return innerWidth < 720 ? NARROW : WIDE;
}

function frame(series, top, ...children) {
  const width = room();
  const lines = ticks(top).map((value) => {
    const y = height(value, top);
    return [
      svg("line", { class: "grid", x1: LEFT, x2: width, y1: y, y2: y }),
      svg("text", { class: "tick", x: LEFT - 8, y: y + 4, "text-anchor": "end" }, short(value)),
    ];
  });
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": spoken(series) },
    lines,
    ...children,
  );
}

function spoken(series) {
  const most = series.points.reduce((best, point) => (point.value > best.value ? point : best), series.points[0]);
  return `${series.title}: ${series.points.length} values, most at ${most.label} with ${count(most.value)} ${series.unit}`;
}

function height(value, top) {
  return TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top);
}

// The next round number, so that the lines across have round names.
function rounded(most) {
  const unit = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  return [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10].map((each) => each * unit).find((each) => each >= most);
}

function ticks(top) {
  const half = top / 2;
  return Number.isInteger(half) ? [0, half, top] : [0, top];
}

function short(value) {
  if (value >= 1e6) return `${value / 1e6}M`;
  return value >= 1e4 ? `${value / 1e3}k` : String(value);
}

function bars(series) {
  const top = rounded(Math.max(1, ...series.points.map((point) => point.value)));
  const step = (room() - LEFT) / series.points.length;
  const width = Math.min(48, step * 0.72);
  const longest = Math.max(...series.points.map((point) => point.label.length));
  const every = Math.ceil((series.points.length * Math.max(56, LETTER * longest + 12)) / (room() - LEFT));
  const drawn = series.points.map((point, at) => {
    const x = LEFT + step * at + (step - width) / 2;
    const y = height(point.value, top);
    return [
      svg(
        "rect",
        { class: "bar", x, y, width, height: Math.max(HEIGHT - BOTTOM - y, point.value ? 1 : 0), rx: Math.min(3, width / 4) },
        svg("title", {}, `${point.note || point.label}: ${count(point.value)} ${series.unit}`),
      ),
      at % every === 0 &&
        svg("text", { class: "tick", x: x + width / 2, y: HEIGHT - 8, "text-anchor": "middle" }, point.label),
    ];
  });
  return frame(series, top, drawn);
}

function area(series) {
  const top = rounded(Math.max(1, ...series.points.map((point) => point.value)));
  const step = (room() - LEFT - 6) / (series.points.length - 1);
  const at = series.points.map((point, number) => [LEFT + step * number, height(point.value, top)]);
  const line = at.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" L");
  const floor = HEIGHT - BOTTOM;
  const every = Math.ceil(series.points.length / (room() / 112));
  return frame(
    series,
    top,
    svg("path", { class: "area", d: `M${LEFT},${floor} L${line} L${at.at(-1)[0]},${floor} Z` }),
    svg("path", { class: "line", d: `M${line}` }),
    series.points.map((point, number) => [
      svg("circle", { class: "dot", cx: at[number][0], cy: at[number][1], r: 6 }, svg("title", {}, `${point.note || point.label}: ${count(point.value)} ${series.unit}`)),
      number % every === 0 &&
        svg("text", { class: "tick", x: at[number][0], y: HEIGHT - 8, "text-anchor": anchor(number, every, series.points.length) }, point.label),
    ]),
  );
}

// The first and the last label stay inside the picture.
function anchor(number, every, points) {
  if (number === 0) return "start";
  return number + every >= points && number > points - 3 ? "end" : "middle";
}

// Horizontal bars with names: HTML, because names need room.
function rows(series) {
  const most = Math.max(1, ...series.points.map((point) => point.value));
  return h(
    "ul",
    { class: "bars" },
    series.points.map((point) => {
      const bar = h("span", { class: `fill ${point.state || ""}` });
      bar.style.width = `${Math.max(0.5, (100 * point.value) / most)}%`;
      return h("li", {}, h("span", { class: "name" }, point.label), h("span", { class: "track", "aria-hidden": "true" }, bar), h("span", { class: "value" }, count(point.value)));
    }),
  );
}
