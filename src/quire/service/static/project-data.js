// The data provider of a project: the API's lists for pages, and the last crawl as a whole for everything else.

import { InlineData } from "./shared/inline-data.js";
import { h } from "./shared/dom.js";
import { facts } from "./shared/parts.js";
import { rendered } from "./markdown.js";

const SORTS = { title: "title", words: "word_count", time: "crawled_at", place: "url" };
const STATUSES = { success: "saved", failed: "failed", skipped: "skipped" };
const PAGE_STATES = { kept: "success", failed: "failed", skipped: "skipped", all: null };

export class ProjectData {
  tableColumns = ["title", "state", "words", "time"];
  sorts = ["title", "words", "time"];
  choices = [
    ["kept", "Pages"],
    ["failed", "Failed"],
    ["skipped", "Skipped"],
    ["all", "All that was asked for"],
    ["filtered", "Filtered out"],
    ["duplicate", "Duplicates"],
    ["pending", "Waiting"],
    ["external", "External"],
    ["invalid", "Invalid"],
  ];

  constructor(api, project) {
    this.api = api;
    this.project = project;
    this.base = new URL(project.website_url).origin;
    this.path = `/projects/${project.id}`;
    this.whole = null;
  }

  // What is known of the crawl has changed: the next view asks again.
  forget() {
    this.whole = null;
  }

  async #all() {
    this.whole ??= this.api.get(`${this.path}/survey`).then(
      (found) => Object.assign(new InlineData(found), { ids: found.ids }),
      (error) => {
        this.whole = null;
        if (error.status === 404) return null;
        throw error;
      },
    );
    return this.whole;
  }

  async pages({ search = "", state = "kept", sort = "place", descending = false, cursor = null, limit = 50 }) {
    const from = cursor?.from || 0;
    const after = cursor?.cursor || null;
    const list = state in PAGE_STATES
      ? await this.api.get(`${this.path}/pages`, { search, status: PAGE_STATES[state], sort: SORTS[sort] || "url", order: descending ? "desc" : "asc", limit, cursor: after })
      : await this.api.get(`${this.path}/decisions`, { decision: state, limit, cursor: after });
    return {
      rows: list.items.map((item) => (item.decision ? decided(item) : paged(item))),
      total: null,
      from,
      next: list.next_cursor ? { cursor: list.next_cursor, from: from + list.items.length } : null,
    };
  }

  async page(id) {
    const whole = await this.#all();
    const known = /^\d+$/.test(id);
    const uuid = known ? whole?.ids[Number(id)] : id.startsWith("url:") ? null : id;
    const number = known ? Number(id) : whole ? this.#number(whole, id) : -1;
    const about = whole && number >= 0 ? await whole.page(number) : null;
    if (!uuid) return about;
    const page = await this.api.get(`${this.path}/pages/${encodeURIComponent(uuid)}`).catch((error) => {
      if (error.status === 404 || error.status === 422) return null;
      throw error;
    });
    if (!page) return about;
    return {
      ...(about || { trail: [], out: [], into: [], same: [], target: null, depth: null, source: "", detail: "" }),
      ...paged(page),
      content: page.markdown ? preview(page.markdown) : null,
      facts: [["First heading", page.h1]],
    };
  }

  #number(whole, id) {
    const found = whole.ids.indexOf(id);
    if (found >= 0 || !id.startsWith("url:")) return found;
    const url = id.slice(4);
    for (let at = 0; at < whole.total; at += 1) if (whole.url(at) === url) return at;
    return -1;
  }

  async overview() {
    return (await this.#all())?.overview() ?? null;
  }

  async tree() {
    return (await this.#all())?.tree() ?? null;
  }

  async graph(options) {
    return (await this.#all())?.graph(options) ?? { nodes: [], edges: [], hidden: 0 };
  }

  async problems() {
    return (await this.#all())?.problems() ?? [];
  }

  async problem(kind, query) {
    return (await this.#all()).problem(kind, query);
  }

  async charts() {
    return (await this.#all())?.charts() ?? [];
  }
}

function paged(item) {
  return {
    id: item.id,
    url: item.url,
    title: item.title || "",
    description: item.meta_description || "",
    state: STATUSES[item.status],
    kept: item.status === "success",
    reason: item.error_message || "",
    words: item.word_count || 0,
    time: Date.parse(item.crawled_at),
  };
}

function decided(item) {
  return { id: `url:${item.url}`, url: item.url, title: "", state: item.decision, kept: false, reason: item.reason, words: 0, time: null };
}

function preview(markdown) {
  const plain = h("pre", { tabindex: "0", role: "region", "aria-label": "Markdown source", hidden: true }, markdown);
  const shown = rendered(markdown);
  const button = h("button", { type: "button", "aria-pressed": "false" }, "Show the Markdown itself");
  button.addEventListener("click", () => {
    const source = plain.hidden;
    plain.hidden = !source;
    shown.hidden = source;
    button.setAttribute("aria-pressed", String(source));
  });
  return h("section", { class: "card" }, h("div", { class: "card-head" }, h("h3", {}, "Content"), button), shown, plain);
}
