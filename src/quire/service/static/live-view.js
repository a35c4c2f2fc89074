// A crawl while it runs: how far, how fast, what waits, what went wrong, the latest pages, and when it may end.

import { h } from "./shared/dom.js";
import { count, duration, plural, shortUrl } from "./shared/format.js";
import { badge } from "./shared/parts.js";

const WORDS = { pending: "Waiting", in_progress: "Crawling", completed: "Completed", failed: "Failed", cancelled: "Cancelled" };
const ENDS = new Set(["completed", "failed", "cancelled"]);
const SHOWN = 8;

export function statusBadge(status, started = true) {
  return badge(status, started ? WORDS[status] || status : "Not crawled yet");
}

// Keeps the state of the last crawl from the API's status and the events that follow.
export class CrawlState {
  constructor(feed, status, refresh) {
    this.refresh = refresh;
    this.listeners = new Set();
    this.latest = [];
    this.notices = [];
    this.times = [];
    this.take(status);
    feed.listen((event) => this.#hear(event));
  }

  listen(listener) {
    this.listeners.add(listener);
    listener(this);
    return () => this.listeners.delete(listener);
  }

  take(status) {
    Object.assign(this, {
      status: status.status,
      crawl: status.crawl,
      progress: status.progress,
      pages: status.pages_crawled,
      total: status.estimated_total,
      counts: status.crawl?.counts || {},
      error: status.error,
    });
    this.#tell();
  }

  get active() {
    return Boolean(this.crawl) && !ENDS.has(this.status);
  }

  // Pages a second over the last ten seconds.
  get rate() {
    const now = Date.now();
    this.times = this.times.filter((time) => now - time < 10_000);
    return this.times.length < 2 ? 0 : this.times.length / Math.max(1, (now - this.times[0]) / 1000);
  }

  async #hear(event) {
    if (event.type === "connection") this.connection = event.state;
    else if (event.type === "page") this.#page(event);
    else if (event.type === "notice") this.notices = [event.data.text, ...this.notices].slice(0, 5);
    else if (event.type === "progress") {
      // A new line begins with what happened before: a crawl that is over has its last figures already.
      if (this.active) Object.assign(this, { progress: event.data.progress, pages: event.data.pages_crawled, total: event.data.estimated_total, counts: event.data.counts });
    } else {
      if (event.type === "queued") Object.assign(this, { latest: [], notices: [], times: [] });
      await this.refresh(this);
    }
    this.#tell();
  }

  #page(event) {
    this.times.push(Date.parse(event.at));
    if (this.times.length > 2000) this.times.shift();
    this.latest = [event.data, ...this.latest].slice(0, SHOWN);
  }

  #tell() {
    for (const listener of this.listeners) listener(this);
  }
}

// Elements are made once and filled again, so that nothing jumps and screen readers are not interrupted.
export function livePanel(state, base) {
  const bar = h("div", { class: "fill" });
  const track = h("div", { class: "progress", role: "progressbar", "aria-label": "Progress of the crawl", "aria-valuemin": "0", "aria-valuemax": "100" }, bar);
  const numbers = h("ul", { class: "tiles" });
  const latest = h("ul", { class: "latest" });
  const notices = h("ul", { class: "notices" });
  const line = h("p", { class: "connection", role: "status" });
  const panel = h("section", { class: "card live", "aria-label": "The running crawl" }, h("div", { class: "card-head" }, h("h2", {}, "Crawling"), line), track, numbers, h("div", {}, h("h3", {}, "Latest pages"), latest), notices);
  const seen = {
    pages: cell(numbers, "Pages"),
    rate: cell(numbers, "Rate"),
    queue: cell(numbers, "Queue"),
    errors: cell(numbers, "Errors"),
    end: cell(numbers, "Left"),
  };
  const fill = () => {
    panel.hidden = !state.active;
    if (panel.hidden) return;
    const progress = Math.round(state.progress);
    bar.style.width = `${progress}%`;
    track.setAttribute("aria-valuenow", progress);
    const rate = state.connection === "live" ? state.rate : 0;
    seen.pages(count(state.pages), `of about ${count(state.total)}`);
    seen.rate(rate ? rate.toFixed(1) : "–", "pages a second");
    seen.queue(count(state.counts.pending || 0), "URLs wait");
    seen.errors(count(state.counts.failed || 0), "failed", (state.counts.failed || 0) > 0);
    seen.end(rate ? duration(Math.max(0, state.total - state.pages) / rate) : "–", "estimated");
    line.textContent = { live: "Live", connecting: "Connecting…", disconnected: "Disconnected: trying again…", gone: "This project is gone." }[state.connection] || "";
    line.dataset.state = state.connection;
    latest.replaceChildren(...(state.latest.length ? state.latest.map((page) => row(page, base)) : [h("li", { class: "quiet" }, "No page yet.")]));
    notices.replaceChildren(...state.notices.map((text) => h("li", {}, text)));
  };
  state.listen(fill);
  const clock = setInterval(() => (panel.isConnected || !state.active ? fill() : clearInterval(clock)), 1000);
  return panel;
}

function cell(list, name) {
  const value = h("strong", {}, "–");
  const note = h("span", { class: "quiet" });
  const tile = h("div", { class: "tile" }, h("span", { class: "name" }, name), value, note);
  list.append(h("li", {}, tile));
  return (text, words, bad = false) => {
    value.textContent = text;
    note.textContent = words;
    tile.classList.toggle("bad", bad);
  };
}

function row(page, base) {
  const state = { success: "saved", failed: "failed", skipped: "skipped" }[page.status];
  return h("li", {}, badge(state), h("a", { href: `#/page/${encodeURIComponent(page.id)}` }, page.title || shortUrl(page.url, base)), h("span", { class: "quiet" }, page.error_message || (page.word_count ? plural(page.word_count, "word") : "")));
}
