// All charts.

import { chart } from "./charts.js";
import { empty, h } from "./dom.js";

export async function chartsView(provider) {
  const series = await provider.charts();
  if (!series.length) return empty("No pages yet", "There is nothing to count.");
  return h("div", { class: "columns" }, series.map(chart));
}
