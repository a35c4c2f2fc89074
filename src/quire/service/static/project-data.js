// The data provider of a project: the API's lists for pages, and a crawl as a whole for everything else.

import { InlineData } from "./shared/inline-data.js";
import { h } from "./shared/dom.js";
import { historyOf } from "./history.js";
import { rendered } from "./markdown.js";

const SORTS = { title: "title", words: "word_count", time: "crawled_at", place: "url" };
const STATUSES = { success: "saved", failed: "failed", skipped: "skipped" };
const UUID = /^[\da-f]{8}-/;
const PATIENCE = 150;
const NOTHING_AROUND = { trail: [], out: [], into: [], same: [], target: null, depth: null, source: "", detail: "" };
const PAGE_STATES = { kept: "success", failed: "failed", skipped: "skipped", all: null };

// What the API's lists can do; a crawl as a whole can do more.
const OF_THE_API = {
  tableColumns: ["title", "state", "words", "time"],
  sorts: ["title", "words", "time"],
  searched: "Words of title or text",
  choices: [
    ["kept", "Pages"],
    ["failed", "Failed"],
    ["skipped", "Skipped"],
    ["all", "All that was asked for"],
    ["filtered", "Filtered out"],
    ["duplicate", "Duplicates"],
    ["pending", "Waiting"],
    ["external", "External"],
    ["invalid", "Invalid"],
  ],
};

export class ProjectData {
  // With a crawl, everything is as that one left it; else as the last one does.
  constructor(api, project, crawl = null) {
    this.api = api;
    this.project = project;
    this.crawl = crawl;
    this.base = new URL(project.website_url).origin;
    this.path = `/projects/${project.id}`;
    this.whole = null;
    if (!crawl) Object.assign(this, OF_THE_API);
  }

  // What is known of the crawl has changed: the next view asks again.
  forget() {
    this.whole = null;
  }

  async #all() {
    this.whole ??= this.api.get(`${this.path}/survey`, { crawl_id: this.crawl?.id }).then(
      (found) => new InlineData(found),
      (error) => {
        this.whole = null;
        if (error.status === 404 && !this.crawl) return null;
        throw error;
      },
    );
    return this.whole;
  }

  async pages(asked) {
    if (this.crawl) return (await this.#all()).pages(asked);
    const { search = "", state = "kept", sort = "place", descending = false, cursor = null, limit = 50 } = asked;
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

  // A page by its id, by its number in the crawl as a whole, or by its URL.
  async page(id) {
    if (UUID.test(id)) {
      const page = await this.#stored(id);
      if (!page) return null;
      const around = this.#around(page.url);
      // Links come with the crawl as a whole, which a large site takes a while to tell.
      const soon = await Promise.race([around, new Promise((done) => setTimeout(done, PATIENCE, null))]);
      return soon ? { ...soon, ...page } : { ...NOTHING_AROUND, ...page, around };
    }
    const whole = await this.#all();
    const about = whole && (await whole.page(numberOf(whole, id)));
    if (!about) return null;
    const [brief] = (await this.api.get(`${this.path}/pages`, { url: about.url, limit: 1 }).catch(() => ({ items: [] }))).items;
    if (!brief) return about;
    if (!this.crawl) return { ...about, ...(await this.#stored(brief.id)) };
    const [text, history] = await Promise.all([
      this.api.get(`${this.path}/text`, { crawl_id: this.crawl.id, page: brief.normalized_url }),
      this.#history(brief),
    ]);
    return { ...about, content: about.kept && text.markdown ? preview(text.markdown) : null, more: history };
  }

  async #stored(id) {
    const page = await this.api.get(`${this.path}/pages/${id}`).catch((error) => {
      if (error.status === 404) return null;
      throw error;
    });
    if (!page) return null;
    return {
      ...paged(page),
      detail: "",
      size: new Blob([page.markdown || ""]).size,
      content: page.markdown ? preview(page.markdown) : null,
      facts: [["First heading", page.h1]],
      more: await this.#history(page),
    };
  }

  async #history(page) {
    const { items } = await this.api.get(`${this.path}/pages/${page.id}/history`);
    return historyOf(page, items, this.path);
  }

  async #around(url) {
    const whole = await this.#all();
    return (whole && (await whole.page(numberOf(whole, `url:${url}`)))) || NOTHING_AROUND;
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
    response: item.response_ms,
    type: item.content_type,
    fetcher: item.fetched_by,
  };
}

// The number of a URL in the crawl as a whole; `id` is that number, or the URL after `url:`.
function numberOf(whole, id) {
  if (!id.startsWith("url:")) return Number(id);
  const url = id.slice(4);
  for (let at = 0; at < whole.total; at += 1) if (whole.url(at) === url) return at;
  return -1;
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
