// The data provider of a report: everything is in the page, in blocks of columns.
//
// A provider answers overview(), pages(), page(), tree(), graph(), problems(), problem() and charts(); all of them are
// asynchronous, so that the same views also show what a server says.

import { STATES } from "./format.js";
import { grow } from "./sections.js";
import { depthChart, responseChart, sizeChart, sourceChart, stateChart, timeChart, wordChart } from "./chart-data.js";
import { Problems } from "./problem-data.js";
import { aggregate } from "./graph-data.js";

const KEPT = new Set([1, 2]);

export class InlineData {
  live = false;

  // The three kinds of blocks that report/page.py writes.
  constructor({ head, pages, others }) {
    this.head = head;
    this.base = this.head.base;
    this.columns = { url: [], state: [], source: [], depth: [], parent: [], title: [], description: [], words: [] };
    Object.assign(this.columns, { fetcher: [], size: [], time: [], response: [], path: [], language: [], type: [], same: [], links: [] });
    Object.assign(this.columns, { reason: [], detail: [], target: [] });
    this.targets = [];
    this.cut = 0;
    for (const block of pages) this.#take(block, true);
    this.saved = this.columns.url.length;
    for (const block of others) this.#take(block, false);
    this.total = this.columns.url.length;
    this.orders = new Map();
  }

  #take(block, pages) {
    const { columns } = this;
    const rows = block.url.length;
    for (const name of Object.keys(columns)) {
      const values = decoded(block[name], name);
      const column = columns[name];
      for (let row = 0; row < rows; row += 1) column.push(values === null ? absent(name) : values[row]);
    }
    if (!pages) return;
    this.cut += block.cut;
    const links = unpacked(block.targets, this.head.bytes_a_link);
    let at = 0;
    for (const number of block.links) {
      this.targets.push(links.subarray(at, at + number));
      at += number;
    }
  }

  url(id) {
    const url = this.columns.url[id];
    return url.startsWith("/") ? this.base + url : url;
  }

  row(id) {
    const { columns } = this;
    const url = this.url(id);
    return {
      id,
      url,
      title: columns.title[id],
      description: columns.description[id],
      state: STATES[columns.state[id]],
      kept: KEPT.has(columns.state[id]),
      reason: columns.reason[id],
      detail: columns.detail[id],
      source: columns.source[id],
      depth: columns.depth[id],
      words: columns.words[id],
      size: columns.size[id],
      time: this.#moment(columns.time[id]),
      response: columns.response[id],
      language: columns.language[id],
      type: columns.type[id],
      fetcher: columns.fetcher[id],
      file: id < this.saved && this.head.files !== false ? columns.path[id] || plainPath(url) : null,
    };
  }

  #moment(seconds) {
    return seconds === null ? null : Date.parse(this.head.crawl.started_at) + 1000 * seconds;
  }

  async overview() {
    const { crawl, statistics } = this.head;
    const sum = (values) => values.reduce((total, value) => total + value, 0);
    const seconds = (Date.parse(crawl.finished_at) - Date.parse(crawl.started_at)) / 1000;
    const unchanged = this.columns.state.reduce((total, state) => total + (state === 2), 0);
    return {
      start: crawl.start,
      startedAt: crawl.started_at,
      finishedAt: crawl.finished_at,
      seconds,
      complete: crawl.complete,
      stoppedBy: crawl.stopped_by,
      number: crawl.number,
      generator: this.head.generator,
      counts: {
        saved: statistics.processed_count - unchanged,
        unchanged,
        duplicate: statistics.duplicate_count,
        skipped: statistics.skipped_count,
        failed: statistics.failed_count,
        filtered: statistics.filtered_count,
        pending: statistics.pending_count,
        external: statistics.external_count,
        invalid: statistics.invalid_count,
      },
      urls: statistics.total_urls,
      inSitemap: statistics.total_urls_in_sitemap,
      pages: statistics.processed_count,
      listed: this.saved,
      words: sum(this.columns.words),
      bytes: sum(this.columns.size),
      changes: this.head.changes || null,
      filters: this.head.filters_applied,
      filteredBy: statistics.filtered_by,
      skippedBy: statistics.skipped_by,
      traps: this.head.traps,
      cut: this.cut,
      problems: await this.problems(),
      sections: this.#sections().root,
      charts: [timeChart(this.#kept()), depthChart(this.#kept())].filter(Boolean),
    };
  }

  // One page of the table. `cursor` is where it begins; null the first.
  async pages({ search = "", state = "kept", sort = "place", descending = false, cursor = null, limit = 50 }) {
    const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
    const ids = this.#ordered(sort, descending).filter((id) => this.#passes(id, state) && this.#says(id, wanted));
    const from = cursor === null ? 0 : Number(cursor);
    return {
      rows: ids.slice(from, from + limit).map((id) => this.row(id)),
      total: ids.length,
      from,
      next: from + limit < ids.length ? from + limit : null,
    };
  }

  #passes(id, state) {
    if (state === "all") return true;
    if (state === "kept") return id < this.saved;
    return STATES[this.columns.state[id]] === state;
  }

  #says(id, words) {
    if (!words.length) return true;
    const text = `${this.columns.url[id]} ${this.columns.title[id]}`.toLowerCase();
    return words.every((word) => text.includes(word));
  }

  #ordered(sort, descending) {
    const name = `${sort} ${descending}`;
    if (!this.orders.has(name)) {
      const ids = Array.from({ length: this.total }, (_, id) => id);
      if (sort !== "place") {
        const values = sort === "title" ? this.columns.title.map((title) => title.toLowerCase()) : this.columns[sort];
        ids.sort((a, b) => (values[a] < values[b] ? -1 : values[a] > values[b] ? 1 : a - b));
      }
      if (descending) ids.reverse();
      this.orders.set(name, ids);
    }
    return this.orders.get(name);
  }

  async page(id) {
    const number = Number(id);
    if (!Number.isInteger(number) || number < 0 || number >= this.total) return null;
    const parents = [];
    for (let at = this.columns.parent[number]; at >= 0 && parents.length < 20; at = this.columns.parent[at]) {
      if (parents.some((each) => each.id === at)) break;
      parents.push(this.row(at));
    }
    const target = this.columns.target[number];
    const unique = (ids) => [...new Set(ids)].filter((each) => each !== number).map((each) => this.row(each));
    return {
      ...this.row(number),
      trail: parents,
      target: target >= 0 ? this.row(target) : null,
      same: this.columns.same[number] ? unique(this.#sameAs(number)) : [],
      out: number < this.saved ? unique(this.targets[number]) : [],
      into: unique(this.#holders(number)),
    };
  }

  #sameAs(number) {
    const { same } = this.columns;
    return same.flatMap((hash, id) => (hash && hash === same[number] ? [id] : []));
  }

  // Which pages link to a URL: all lists one after the other, and where each begins.
  #holders(id) {
    if (!this.holding) {
      const begins = new Uint32Array(this.total + 2);
      for (const targets of this.targets) for (let at = 0; at < targets.length; at += 1) begins[targets[at] + 2] += 1;
      for (let at = 2; at < begins.length; at += 1) begins[at] += begins[at - 1];
      const pages = new Uint32Array(begins.at(-1));
      this.targets.forEach((targets, page) => {
        for (let at = 0; at < targets.length; at += 1) {
          pages[begins[targets[at] + 1]] = page;
          begins[targets[at] + 1] += 1;
        }
      });
      this.holding = { begins, pages };
    }
    const { begins, pages } = this.holding;
    return pages.subarray(begins[id], begins[id + 1]);
  }

  #kept() {
    this.keptRows ??= Array.from({ length: this.saved }, (_, id) => ({
      depth: this.columns.depth[id],
      words: this.columns.words[id],
      size: this.columns.size[id],
      source: this.columns.source[id],
      time: this.#moment(this.columns.time[id]),
      response: this.columns.response[id],
    }));
    return this.keptRows;
  }

  #sections() {
    if (!this.grown) {
      const rows = [];
      for (let id = 0; id < this.total; id += 1) {
        const state = STATES[this.columns.state[id]];
        if (id >= this.saved && state !== "failed") continue;
        rows.push({ id, url: this.url(id), state, kept: id < this.saved, ...pick(this.columns, id) });
      }
      this.grown = grow(rows);
    }
    return this.grown;
  }

  async tree() {
    return this.#sections().root;
  }

  async graph(options) {
    const { root, homes } = this.#sections();
    return aggregate(root, homes, this.targets, options);
  }

  #problemData() {
    this.found ??= new Problems(this, (id) => this.#holders(id));
    return this.found;
  }

  async problems() {
    return this.#problemData().kinds();
  }

  async problem(kind, { cursor = null, limit = 25 }) {
    return this.#problemData().list(kind, cursor === null ? 0 : Number(cursor), limit);
  }

  async charts() {
    const kept = this.#kept();
    const overview = await this.overview();
    return [
      timeChart(kept),
      stateChart(overview.counts),
      responseChart(kept),
      depthChart(kept),
      wordChart(kept),
      sizeChart(kept),
      sourceChart(kept),
    ].filter(Boolean);
  }
}

function decoded(column, name) {
  if (column === undefined) return null;
  if (!["source", "language", "type", "reason", "fetcher"].includes(name)) return column;
  const [names, codes] = column;
  return codes.map((code) => names[code]);
}

function absent(name) {
  if (["words", "size", "links"].includes(name)) return 0;
  if (["time", "response"].includes(name)) return null;
  return name === "target" ? -1 : "";
}

function pick(columns, id) {
  return { depth: columns.depth[id], words: columns.words[id] };
}

function unpacked(text, width) {
  const raw = atob(text);
  const data = new Uint8Array(raw.length);
  for (let at = 0; at < raw.length; at += 1) data[at] = raw.charCodeAt(at);
  return width === 2 ? new Uint16Array(data.buffer) : new Uint32Array(data.buffer);
}

function plainPath(url) {
  const [, host, rest] = /^https?:\/\/([^/]*)\/?(.*)$/.exec(url);
  const folder = host.replaceAll(":", "_");
  return rest ? `${folder}/${rest}/index.md` : `${folder}/index.md`;
}
