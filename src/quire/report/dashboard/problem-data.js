// What is wrong with a site, found in the columns of a report.

export const THIN = 50;

export const KINDS = {
  failed: ["Failed", "Pages that could not be had: the server failed, did not answer, or answered nonsense."],
  broken: ["Broken links", "URLs that lead nowhere, with the pages that link to them."],
  redirects: ["Redirects", "URLs that lead to another one. Links to them cost a visitor one more request."],
  equal: ["Equal content", "Pages whose text is the same as that of another page."],
  copies: ["Copies", "Pages that name another page as the one to keep, views of another page, and pages that differ in the query only."],
  untitled: ["No title", "Pages that do not say what they are called."],
  undescribed: ["No description", "Pages without a description for search engines."],
  thin: ["Thin pages", `Pages with fewer than ${THIN} words.`],
};

const LEADS_NOWHERE = new Set(["not-found", "gone"]);
const IS_COPY = new Set(["canonical", "view", "same-content"]);

export class Problems {
  constructor(data, holders) {
    this.data = data;
    this.holders = holders;
    this.lists = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, []]));
    const { columns, saved, total } = data;
    for (let id = 0; id < saved; id += 1) {
      if (!columns.title[id]) this.lists.untitled.push(id);
      if (!columns.description[id]) this.lists.undescribed.push(id);
      if (columns.words[id] < THIN) this.lists.thin.push(id);
      if (columns.same[id]) this.lists.equal.push(id);
    }
    this.lists.equal.sort((a, b) => (columns.same[a] < columns.same[b] ? -1 : columns.same[a] > columns.same[b] ? 1 : a - b));
    for (let id = saved; id < total; id += 1) {
      const reason = columns.reason[id];
      const failed = columns.state[id] === 5;
      if (failed) this.lists.failed.push(id);
      if (failed || LEADS_NOWHERE.has(reason)) this.lists.broken.push(id);
      if (reason === "redirect") this.lists.redirects.push(id);
      if (IS_COPY.has(reason)) this.lists.copies.push(id);
    }
  }

  kinds() {
    return Object.entries(KINDS).map(([kind, [title, words]]) => ({
      kind,
      title,
      words,
      number: this.lists[kind].length,
      bad: kind === "failed" || kind === "broken",
    }));
  }

  list(kind, from, limit) {
    const ids = this.lists[kind] || [];
    const rows = ids.slice(from, from + limit).map((id) => ({ ...this.data.row(id), ...this.#about(kind, id) }));
    return { rows, total: ids.length, from, next: from + limit < ids.length ? from + limit : null };
  }

  #about(kind, id) {
    const { columns } = this.data;
    const held = [...new Set(this.holders(id))];
    const found = columns.parent[id];
    if (!held.length && found >= 0) held.push(found);
    const target = columns.target[id];
    return {
      holders: kind === "equal" ? [] : held.slice(0, 20).map((each) => this.data.row(each)),
      held: held.length,
      target: target >= 0 ? this.data.row(target) : null,
      group: kind === "equal" ? columns.same[id] : null,
    };
  }
}
