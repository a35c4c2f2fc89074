// Places for a graph's nodes: a spiral to begin with, then a few hundred rounds of pushing and pulling.

// Each round costs the square of the nodes: many of them have fewer rounds, and begin where they were.
const ROUNDS = 220;
const FEW = 100;
const WIDTH = 1000;
const HEIGHT = 620;

// `places` remembers where a path was, so that opening one folder does not throw the others about.
export function arrange(graph, places) {
  const { nodes, edges } = graph;
  const most = Math.max(40, ...nodes.map((node) => node.pages));
  nodes.forEach((node, at) => {
    const known = places.get(node.path) || near(places, node.path);
    const angle = at * 2.399963;
    const away = known ? 30 : 24 * Math.sqrt(at + 1);
    const [x, y] = known || [WIDTH / 2, HEIGHT / 2];
    const settled = places.has(node.path);
    node.x = x + (settled ? 0 : away * Math.cos(angle));
    node.y = y + (settled ? 0 : away * Math.sin(angle));
    node.r = 5 + 30 * Math.sqrt(node.pages / most);
  });
  const springs = springsOf(nodes, edges);
  const ideal = Math.sqrt((WIDTH * HEIGHT) / Math.max(nodes.length, 1)) * 0.72;
  const rounds = Math.round(ROUNDS * Math.min(1, FEW / nodes.length));
  for (let round = 0; round < rounds; round += 1) step(nodes, springs, ideal, 1 - round / rounds);
  fit(nodes);
  for (let round = 0; round < 60; round += 1) part(nodes);
  for (const node of nodes) places.set(node.path, [node.x, node.y]);
}

// A folder's parts begin where the folder was.
function near(places, path) {
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    const found = places.get(path.slice(0, at));
    if (found) return found;
  }
  return null;
}

function springsOf(nodes, edges) {
  const heaviest = Math.max(1, ...edges.map((edge) => edge.weight));
  const springs = edges.slice(0, 4 * nodes.length).map((edge) => [edge.from, edge.to, 0.15 + (0.5 * edge.weight) / heaviest]);
  nodes.forEach((node, at) => {
    if (node.parent !== null) springs.push([node.parent, at, 1]);
  });
  return springs;
}

function step(nodes, springs, ideal, heat) {
  const moves = nodes.map(() => [0, 0]);
  for (let a = 0; a < nodes.length; a += 1) {
    for (let b = a + 1; b < nodes.length; b += 1) {
      const dx = nodes[a].x - nodes[b].x || 0.01 * (a - b);
      const dy = nodes[a].y - nodes[b].y || 0.01;
      const distance = Math.max(1, Math.hypot(dx, dy));
      const room = ideal + nodes[a].r + nodes[b].r;
      const push = ((room * room) / distance / distance) * 0.9;
      moves[a][0] += (dx / distance) * push * 6;
      moves[a][1] += (dy / distance) * push * 6;
      moves[b][0] -= (dx / distance) * push * 6;
      moves[b][1] -= (dy / distance) * push * 6;
    }
  }
  for (const [from, to, strength] of springs) {
    const dx = nodes[to].x - nodes[from].x;
    const dy = nodes[to].y - nodes[from].y;
    const distance = Math.max(1, Math.hypot(dx, dy));
    const pull = ((distance - ideal) / distance) * 0.06 * strength;
    moves[from][0] += dx * pull;
    moves[from][1] += dy * pull;
    moves[to][0] -= dx * pull;
    moves[to][1] -= dy * pull;
  }
  const furthest = 4 + 36 * heat;
  nodes.forEach((node, at) => {
    const [mx, my] = [moves[at][0] + (WIDTH / 2 - node.x) * 0.012, moves[at][1] + (HEIGHT / 2 - node.y) * 0.02];
    const length = Math.max(1, Math.hypot(mx, my));
    node.x += (mx / length) * Math.min(length, furthest);
    node.y += (my / length) * Math.min(length, furthest);
  });
}

// Circles that touch move apart.
function part(nodes) {
  for (let a = 0; a < nodes.length; a += 1) {
    for (let b = a + 1; b < nodes.length; b += 1) {
      const dx = nodes[b].x - nodes[a].x || 0.01;
      const dy = nodes[b].y - nodes[a].y || 0.01;
      const distance = Math.hypot(dx, dy);
      const lacking = (nodes[a].r + nodes[b].r + 22 - distance) / 2;
      if (lacking <= 0) continue;
      for (const [node, sign] of [[nodes[a], -1], [nodes[b], 1]]) {
        node.x = Math.min(WIDTH - 40, Math.max(40, node.x + (sign * dx * lacking) / distance));
        node.y = Math.min(HEIGHT - 46, Math.max(30, node.y + (sign * dy * lacking) / distance));
      }
    }
  }
}

// Everything into the picture, keeping its shape as far as the picture's own allows.
function fit(nodes) {
  const edge = 46;
  const xs = nodes.map((node) => node.x);
  const ys = nodes.map((node) => node.y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const sx = Math.min(1.5, (WIDTH - 2 * edge) / Math.max(1, right - left));
  const sy = Math.min(1.5, (HEIGHT - 2 * edge) / Math.max(1, bottom - top));
  for (const node of nodes) {
    node.x = WIDTH / 2 + (node.x - (left + right) / 2) * sx;
    node.y = HEIGHT / 2 + (node.y - (top + bottom) / 2) * sy;
  }
}
