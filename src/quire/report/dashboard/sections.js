// The site by its paths: folders with sums over everything below them. Serves the tree and the graph.

// Most sections are single pages: they share an empty map.
const NONE = new Map();
// Slashes, spaces, and what nobody sees.
const UNCLEAR = /[/\p{C}\p{Z}]/u;

export class Section {
  constructor(name, parent) {
    this.name = name;
    this.parent = parent;
    this.level = parent ? parent.level + 1 : 0;
    this.children = NONE;
    this.page = null;
    this.pages = 0;
    this.failed = 0;
    this.words = 0;
    this.depths = 0;
    this.members = 0;
  }

  child(name) {
    let found = this.children.get(name);
    if (!found) {
      if (this.children === NONE) this.children = new Map();
      found = new Section(name, this);
      this.children.set(name, found);
    }
    return found;
  }

  get path() {
    return this.parent ? `${this.parent.path}/${this.name}` : this.name;
  }

  add(row) {
    for (let section = this; section; section = section.parent) {
      section.members += 1;
      section.depths += row.depth;
      if (row.kept) {
        section.pages += 1;
        section.words += row.words;
      }
      if (row.state === "failed") section.failed += 1;
    }
  }

  sorted() {
    this.order ??= [...this.children.values()].sort((a, b) => b.pages - a.pages || (a.name < b.name ? -1 : 1));
    return this.order;
  }
}

// The names on the way to a URL: its host, then the folders and the last part.
export function trail(url) {
  const bare = url.replace(/^https?:\/\//, "");
  const query = bare.indexOf("?");
  const parts = (query < 0 ? bare : bare.slice(0, query)).split("/").filter(Boolean);
  if (query >= 0) parts.push(bare.slice(query));
  return parts.map(readable);
}

// A name as people write it, unless that would hide what is in it.
function readable(name) {
  if (!name.includes("%")) return name;
  try {
    const written = decodeURIComponent(name);
    return UNCLEAR.test(written) ? name : written;
  } catch {
    return name;
  }
}

// `rows` are {url, id, state, kept, depth, words}; returns the root, whose children are hosts.
export function grow(rows) {
  const root = new Section("", null);
  const homes = new Map();
  for (const row of rows) {
    let section = root;
    for (const name of trail(row.url)) section = section.child(name);
    if (section.page === null) section.page = row.id;
    section.add(row);
    homes.set(row.id, section);
  }
  return { root: root.children.size === 1 ? only(root) : root, homes };
}

function only(root) {
  const [host] = root.children.values();
  host.parent = null;
  return host;
}
