// A graph that stays readable: pages are taken together by folder until there are few enough nodes.

export function aggregate(root, homes, targets, { most = 60, open = new Set(), edges: mostEdges = 400 } = {}) {
  const chosen = split(root, most, open);
  const numbers = new Map(chosen.map((section, number) => [section, number]));
  const place = (id) => {
    let section = homes.get(id);
    while (section && !numbers.has(section)) section = section.parent;
    return section ? numbers.get(section) : -1;
  };
  const places = new Map();
  const placed = (id) => {
    if (!places.has(id)) places.set(id, place(id));
    return places.get(id);
  };
  const weights = new Map();
  targets.forEach((linked, id) => {
    const from = placed(id);
    for (const target of linked) {
      const to = placed(target);
      if (from < 0 || to < 0 || from === to) continue;
      const edge = from * chosen.length + to;
      weights.set(edge, (weights.get(edge) || 0) + 1);
    }
  });
  const heaviest = [...weights].sort((a, b) => b[1] - a[1]).slice(0, mostEdges);
  return {
    nodes: chosen.map((section, number) => described(section, number, numbers)),
    edges: heaviest.map(([edge, weight]) => ({
      from: Math.floor(edge / chosen.length),
      to: edge % chosen.length,
      weight,
    })),
    hidden: weights.size - heaviest.length,
  };
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
