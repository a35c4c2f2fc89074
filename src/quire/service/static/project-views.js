// The views that only a server can offer: the live overview, filters with a preview, past crawls, settings.

import { chartsView } from "./shared/charts-view.js";
import { overviewView } from "./shared/overview-view.js";
import { empty, fill, h, outside } from "./shared/dom.js";
import { count, duration, moment, plural } from "./shared/format.js";
import { FIELDS, FILTER_FIELDS, clear, complain, field, formEnd, values } from "./forms.js";
import { livePanel, statusBadge } from "./live-view.js";

const REDRAWN_AFTER = 1000;
// Crawls whose decisions the service keeps.
const KEPT_CRAWLS = 5;

export async function projectOverview(provider, state, start) {
  const panel = livePanel(state, provider.base);
  const body = h("div", {});
  const load = () =>
    fill(
      body,
      async () => {
        if (state.active) return h("p", { class: "quiet" }, "Figures follow when the crawl has ended. ", h("a", { href: "#/charts" }, "Charts"), " and the other views show what is there already.");
        if (!state.crawl) return empty("Not crawled yet", "Start a crawl to see what this site holds.", h("button", { type: "button", class: "primary", onclick: start }, "Start the first crawl"));
        const trouble = state.error ? h("p", { class: "trouble", role: "alert" }, `The crawl failed: ${state.error}`) : null;
        return h("div", { class: "stack" }, trouble, await overviewView(provider));
      },
      load,
    );
  let before = null;
  const stop = state.listen(() => {
    if (before !== null && !body.isConnected) return stop?.();
    const now = `${state.status} ${state.crawl?.id}`;
    if (now !== before) {
      before = now;
      load();
    }
  });
  return h("div", { class: "stack" }, panel, body);
}

// The charts of the last crawl, drawn anew while it runs.
export async function liveCharts(provider, state) {
  const body = h("div", {});
  const draw = async () => body.replaceChildren(await chartsView(provider));
  await draw();
  let waits = false;
  const redraw = async () => {
    waits = false;
    // Whoever reads the numbers of a chart is not disturbed.
    if (body.isConnected && !body.querySelector("details[open]")) await draw();
  };
  let heard = false;
  const stop = state.listen(() => {
    if (heard && !body.isConnected) return stop();
    if (heard && !waits) setTimeout(redraw, REDRAWN_AFTER);
    waits = heard;
    heard = true;
  });
  return body;
}

export async function filtersView(provider, { api, project, changed }) {
  const result = h("div", {}, h("p", { class: "quiet" }, "Type to see what would be kept."));
  const form = h("form", { class: "card settings", novalidate: true }, h("h2", {}, "Filters"), FILTER_FIELDS.map((each) => field(each, project.settings[each[0]])));
  let turn = 0;
  const preview = async () => {
    turn += 1;
    const mine = turn;
    try {
      const said = await api.post(`/projects/${project.id}/preview`, { settings: { ...project.settings, ...values(form) } });
      if (mine !== turn) return;
      clear(form);
      form.querySelector(".form-wrong").textContent = "";
      result.replaceChildren(previewed(said));
    } catch (error) {
      if (mine === turn) complain(form, error);
    }
  };
  let pause = 0;
  form.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(preview, 250);
  });
  const saved = h("span", { role: "status", class: "quiet" });
  form.append(formEnd(h("button", { type: "submit", class: "primary" }, "Save for the next crawl"), saved));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const now = await api.request("PATCH", `/projects/${project.id}`, { settings: { ...project.settings, ...values(form) } });
      clear(form);
      changed(now);
      saved.textContent = "Saved.";
    } catch (error) {
      complain(form, error);
    }
  });
  await preview();
  return h("div", { class: "columns" }, form, h("section", { class: "card", "aria-live": "polite", "aria-label": "Preview" }, h("h2", {}, "What they would keep"), result));
}

function previewed(said) {
  if (!said.total) return h("p", { class: "quiet" }, "There is nothing to judge yet: the first crawl finds the URLs.");
  const bar = h("div", { class: "stacked", "aria-hidden": "true" });
  for (const [state, number] of [["saved", said.kept], ["filtered", said.refused]]) {
    const part = h("span", { class: `fill ${state}` });
    part.style.flexGrow = String(number);
    if (number) bar.append(part);
  }
  const list = (title, urls) => h("details", {}, h("summary", {}, title), h("ul", { class: "plain urls" }, urls));
  return h(
    "div",
    { class: "stack tight" },
    h("p", { class: "lede" }, h("strong", {}, count(said.kept)), ` of ${plural(said.total, "URL")} of the last crawl would be crawled; ${plural(said.changed, "decision")} would change.`),
    bar,
    h("ul", { class: "findings" }, Object.entries(said.reasons).map(([reason, number]) => h("li", {}, h("span", {}, `left out by ${reason}`), h("strong", {}, count(number))))),
    list(`Would be crawled (${count(said.kept)})`, said.kept_urls.map((url) => h("li", {}, url))),
    list(`Would be left out (${count(said.refused)})`, said.refused_urls.map((each) => h("li", {}, each.url, h("span", { class: "quiet" }, each.detail ? `${each.reason}: ${each.detail}` : each.reason)))),
  );
}

export async function crawlsView(provider, { api, project }, asked) {
  const { items, next_cursor: more } = await api.get(`/projects/${project.id}/crawls`, { limit: 50 });
  if (!items.length) return empty("No crawls yet", "Each crawl is listed here, and two can be compared.");
  const result = h("div", {});
  const kept = items.filter((crawl) => crawl.number > items[0].number - KEPT_CRAWLS);
  const isOfSingleUrls = (crawl) => Boolean(crawl.settings.fetch_only_urls) && !project.settings.fetch_only_urls;
  const only = (crawl) => (isOfSingleUrls(crawl) ? `${plural(crawl.settings.fetch_only_urls.length, "URL")} only` : "");
  const row = (crawl) => crawlRow(crawl, numbered(crawl, kept, `/projects/${project.id}`), only(crawl));
  const names = kept.map((crawl) => [crawl.id, [`Crawl ${crawl.number}`, moment(crawl.created_at), only(crawl)].filter(Boolean).join(", ")]);
  // Of the whole site, as long as there are such.
  const usual = [...kept.filter((crawl) => !isOfSingleUrls(crawl)), ...kept.filter(isOfSingleUrls)];
  const chosen = (id, otherwise) => (kept.some((crawl) => crawl.id === id) ? id : usual[Math.min(otherwise, usual.length - 1)].id);
  const pick = (label, wanted) => h("label", { class: "field" }, h("span", {}, label), h("select", {}, names.map(([id, words]) => h("option", { value: id, selected: id === wanted }, words))));
  const [older, newer] = [pick("Older", chosen(asked.get("old"), 1)), pick("Newer", chosen(asked.get("new"), 0))];
  const compare = () =>
    fill(result, async () => {
      const pair = { old: older.lastElementChild.value, new: newer.lastElementChild.value };
      return differences(await api.get(`/projects/${project.id}/compare`, pair), (page) => api.get(`/projects/${project.id}/compare/text`, { ...pair, page }), asked.get("page"));
    }, compare);
  if (asked.has("new")) compare();
  const rows = h("tbody", {}, items.map(row));
  return h(
    "div",
    { class: "stack" },
    h(
      "section",
      { class: "card" },
      h("h2", {}, "Crawls"),
      h(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": "Crawls" },
        h(
          "table",
          { class: "numbers crawls" },
          h("thead", {}, h("tr", {}, ["Crawl", "Status", "Begun", "Duration", "Pages"].map((words) => h("th", { scope: "col" }, words)))),
          rows,
        ),
      ),
      more ? olderCrawls(rows, row, (cursor) => api.get(`/projects/${project.id}/crawls`, { limit: 50, cursor }), more) : null,
    ),
    items.length > 1
      ? h("section", { class: "card" }, h("h2", {}, "Compare two crawls"), h("form", { class: "toolbar", onsubmit: (event) => (event.preventDefault(), compare()) }, older, newer, h("button", { type: "submit", class: "primary" }, "Compare")), result)
      : null,
  );
}

function crawlRow(crawl, number, only) {
  const notes = [only, crawl.error].filter(Boolean).map((words) => h("span", { class: "quiet reason" }, words));
  return h("tr", {}, h("th", { scope: "row" }, number), h("td", { class: "text" }, statusBadge(crawl.status), notes), h("td", { class: "text" }, moment(crawl.started_at || crawl.created_at)), h("td", { class: "text" }, took(crawl)), h("td", {}, count(crawl.pages_crawled)));
}

function olderCrawls(rows, row, next, first) {
  let cursor = first;
  const button = h("button", { type: "button" }, "Show older crawls");
  const wrong = h("p", { class: "wrong", role: "alert" });
  button.addEventListener("click", async () => {
    try {
      const list = await next(cursor);
      rows.append(...list.items.map(row));
      cursor = list.next_cursor;
      button.hidden = !cursor;
      wrong.textContent = "";
    } catch (error) {
      wrong.textContent = error.message;
    }
  });
  return h("div", { class: "buttons" }, button, wrong);
}

// Those that are kept can be looked at.
function numbered(crawl, kept, path) {
  if (!kept.includes(crawl) || !crawl.started_at) return String(crawl.number);
  return h("a", { href: `${path}?crawl=${crawl.id}#/overview`, "aria-label": `Look at crawl ${crawl.number}` }, String(crawl.number));
}

function took(crawl) {
  return crawl.started_at && crawl.finished_at ? duration((Date.parse(crawl.finished_at) - Date.parse(crawl.started_at)) / 1000) : "–";
}

function differences(found, textOf, opened) {
  const changed = h("section", {}, h("h3", {}, "Changed ", h("span", { class: "quiet" }, count(found.changed.length))), found.changed.length ? h("div", { class: "stack tight" }, found.changed.map((each) => textChange(each, textOf, each.page === opened))) : h("p", { class: "quiet" }, "None."));
  const list = (title, urls) => h("section", {}, h("h3", {}, `${title} `, h("span", { class: "quiet" }, count(urls.length))), urls.length ? h("ul", { class: "plain urls" }, urls.slice(0, 500).map((url) => h("li", {}, outside(url)))) : h("p", { class: "quiet" }, "None."));
  return h("div", { class: "stack tight" }, h("p", { class: "quiet" }, `${plural(found.common, "page is", "pages are")} in both.`), h("div", { class: "columns" }, list("Added", found.added), list("Removed", found.removed)), changed);
}

// The difference is asked for when somebody wants to see it.
function textChange({ url, page }, textOf, open) {
  const body = h("div", {});
  const details = h("details", { class: "change" }, h("summary", {}, url), body);
  details.addEventListener("toggle", () => {
    if (!details.open || body.childNodes.length) return;
    const load = () =>
      fill(
        body,
        async () => {
          const { lines, whole } = await textOf(page);
          return [h("pre", { class: "diff", tabindex: "0", role: "region", "aria-label": `How ${url} changed` }, lines.map(line)), whole ? null : h("p", { class: "quiet" }, "The texts are long: only their first 3,000 lines were compared.")];
        },
        load,
      );
    load();
  });
  if (open) {
    details.open = true;
    requestAnimationFrame(() => details.scrollIntoView({ block: "center" }));
  }
  return details;
}

// A sign and a name for the ear besides the colour for the eye.
function line(text) {
  const kind = { "+": "ins", "-": "del" }[text[0]] || "span";
  return h(kind, { class: text.startsWith("@@") ? "place" : null }, `${text}\n`);
}

export async function settingsView(provider, { api, project, changed }) {
  const form = h("form", { class: "card settings", novalidate: true });
  form.append(
    h("h2", {}, "Settings"),
    field(["name", "Name", "text", ""], project.name),
    field(["website_url", "Website", "url", "Where a crawl starts."], project.website_url),
    ...FIELDS.map((each) => field(each, project.settings[each[0]])),
  );
  const saved = h("span", { role: "status", class: "quiet" });
  form.append(formEnd(h("button", { type: "submit", class: "primary" }, "Save"), saved));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { name, website_url: website, ...settings } = values(form);
    try {
      changed(await api.request("PATCH", `/projects/${project.id}`, { name, website_url: website, settings: { ...project.settings, ...settings } }));
      clear(form);
      form.querySelector(".form-wrong").textContent = "";
      saved.textContent = "Saved. The next crawl uses it.";
    } catch (error) {
      saved.textContent = "";
      complain(form, error);
    }
  });
  return h("div", { class: "columns" }, form, deletion(api, project));
}

function deletion(api, project) {
  const wrong = h("p", { class: "wrong", role: "alert" });
  const sure = h("button", { type: "button", class: "danger", hidden: true }, "Yes, delete everything");
  sure.addEventListener("click", async () => {
    try {
      await api.request("DELETE", `/projects/${project.id}`);
      location.assign("/");
    } catch (error) {
      wrong.textContent = error.message;
    }
  });
  const ask = h("button", { type: "button", class: "danger" }, "Delete this project…");
  ask.addEventListener("click", () => {
    sure.hidden = false;
    sure.focus();
  });
  return h("section", { class: "card" }, h("h2", {}, "Delete"), h("p", { class: "quiet" }, "The project, its crawls and its pages are gone for good."), h("div", { class: "buttons" }, ask, sure), wrong);
}
