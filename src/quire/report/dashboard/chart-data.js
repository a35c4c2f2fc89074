// Rows counted into the series that charts show: {id, title, kind, points: [{label, value, note}]}.

import { STATE_WORDS, bytes, count, duration, moment, plural, sourceWords } from "./format.js";

export function timeChart(rows) {
  const times = rows.map((row) => row.time).filter((time) => time !== null);
  if (times.length < 2) return null;
  let [first, last] = [times[0], times[0]];
  for (const time of times) {
    if (time < first) first = time;
    if (time > last) last = time;
  }
  const width = Math.max(1000, Math.ceil((last - first + 1000) / 40 / 1000) * 1000);
  const steps = Math.floor((last - first) / width) + 1;
  const points = Array.from({ length: steps }, (_, step) => ({ at: first + step * width, value: 0 }));
  for (const time of times) points[Math.floor((time - first) / width)].value += 1;
  for (const point of points) {
    point.label = clock(point.at, last - first);
    point.note = `${moment(point.at)} (${Math.round(width / 1000)} s)`;
  }
  return { id: "time", title: "Pages over time", unit: "pages", kind: points.length > 3 ? "area" : "bars", points };
}

function clock(time, span) {
  const date = new Date(time);
  if (span > 86_400_000 * 2) return date.toISOString().slice(0, 10);
  return date.toTimeString().slice(0, span > 600_000 ? 5 : 8);
}

export function stateChart(counts) {
  const points = Object.entries(counts)
    .filter(([, value]) => value)
    .map(([state, value]) => ({ label: STATE_WORDS[state], value, state }));
  return points.length ? { id: "states", title: "What became of the URLs", unit: "URLs", kind: "rows", points } : null;
}

export function sourceChart(rows) {
  const found = new Map();
  for (const row of rows) found.set(row.source, (found.get(row.source) || 0) + 1);
  const points = [...found].map(([source, value]) => ({ label: sourceWords(source), value })).sort((a, b) => b.value - a.value);
  return points.length ? { id: "sources", title: "How pages were found", unit: "pages", kind: "rows", points: points.slice(0, 8) } : null;
}

export function depthChart(rows) {
  const found = new Map();
  for (const row of rows) found.set(row.depth, (found.get(row.depth) || 0) + 1);
  const deepest = Math.max(0, ...found.keys());
  if (!rows.length) return null;
  const points = [];
  for (let depth = 0; depth <= Math.min(deepest, 19); depth += 1) {
    points.push({ label: String(depth), value: found.get(depth) || 0, note: `${plural(depth, "link")} from the start` });
  }
  const beyond = [...found].reduce((sum, [depth, value]) => sum + (depth > 19 ? value : 0), 0);
  if (beyond) points.push({ label: "20+", value: beyond });
  return { id: "depth", title: "Links from the start page", unit: "pages", kind: "bars", points };
}

export function wordChart(rows) {
  return spread(rows, "words", "words", "Words on a page", [0, 50, 100, 250, 500, 1000, 2500, 5000, 10000], count);
}

export function sizeChart(rows) {
  const edges = [0, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6];
  return spread(rows, "size", "size", "Size of the Markdown", edges, bytes);
}

export function responseChart(rows) {
  const known = rows.filter((row) => row.response !== null);
  const edges = [0, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000];
  return spread(known, "response", "responses", "Response times", edges, (edge) => duration(edge / 1000));
}

function spread(rows, column, id, title, edges, shown) {
  if (!rows.length) return null;
  const points = edges.map((edge, at) => ({
    label: at + 1 < edges.length ? `< ${shown(edges[at + 1])}` : `≥ ${shown(edge)}`,
    value: 0,
  }));
  for (const row of rows) {
    let at = edges.length - 1;
    while (at > 0 && row[column] < edges[at]) at -= 1;
    points[at].value += 1;
  }
  while (points.length > 2 && !points.at(-1).value) points.pop();
  return { id, title, unit: "pages", kind: "bars", points };
}
