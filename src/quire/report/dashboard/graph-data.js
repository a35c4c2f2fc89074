// A graph that stays readable: pages are taken together by folder until there are few enough nodes.

const NOWHERE = -1;
const UNKNOWN = -2;

export function aggregate(root, homes, targets, { most = 60, open = new Set(), edges: mostEdges = 400 } = {}) {
  const chosen = split(root, most, open);
  const numbers = new Map(chosen.map((section, number) => [section, number]));
  const place = (id) => {
    let section = homes.get(id);
    while (section && !numbers.has(section)) section = section.parent;
    return section ? numbers.get(section) : NOWHERE;
  };
  const size = chosen.length;
  const places = new Int16Array(highest(homes) + 1).fill(UNKNOWN);
  const placed = (id) => {
    if (id >= places.length) return NOWHERE;
    if (places[id] === UNKNOWN) places[id] = place(id);
    return places[id];
  };
  const counts = new Uint32Array(size * size);
  targets.forEach((linked, id) => {
    const from = placed(id);
    if (from === NOWHERE) return;
    for (let at = 0; at < linked.length; at += 1) {
      const to = placed(linked[at]);
      if (to !== NOWHERE && to !== from) counts[from * size + to] += 1;
    }
  });
  const weights = [];
  counts.forEach((weight, edge) => weight && weights.push([edge, weight]));
  const heaviest = [...weights].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, mostEdges);
  return {
    nodes: chosen.map((section, number) => described(section, number, numbers)),
    edges: heaviest.map(([edge, weight]) => ({
      from: Math.floor(edge / size),
      to: edge % size,
      weight,
    })),
    hidden: weights.length - heaviest.length,
  };
}

function highest(homes) {
  let most = 0;
  for (const id of homes.keys()) if (id > most) most = id;
  return most;
}

// Opens the largest sections first, and those the reader asked for whatever their size. An open folder stays as a node:
// it stands for its own page and for the parts that there was no room for.
function split(root, most, open) {
  const chosen = new Set([root]);
  const opened = new Set();
  const openUp = (section, room) => {
    opened.add(section);
    for (const child of section.sorted().slice(0, room)) chosen.add(child);
  };
  for (;;) {
    const closed = [...chosen].filter((section) => section.children.size && !opened.has(section));
    const asked = closed.find((section) => open.has(section.path));
    if (asked) {
      openUp(asked, Math.max(most / 2, 20));
      continue;
    }
    const room = most - chosen.size;
    const best = closed.reduce((best, each) => (!best || each.members > best.members ? each : best), null);
    if (!best || room < Math.min(4, best.children.size)) return [...chosen];
    openUp(best, room);
  }
}

// A section's node stands for what is in it and in no node of its own.
function described(section, number, numbers) {
  const apart = [...section.children.values()].filter((child) => numbers.has(child));
  const left = (name) => section[name] - apart.reduce((sum, child) => sum + child[name], 0);
  const members = left("members");
  return {
    number,
    path: section.path,
    name: section.name || "all hosts",
    pages: left("pages"),
    failed: left("failed"),
    depth: members ? left("depths") / members : 0,
    level: section.level,
    parent: section.parent && numbers.has(section.parent) ? numbers.get(section.parent) : null,
    page: section.page,
    closed: section.children.size > 0 && !apart.length,
  };
}
