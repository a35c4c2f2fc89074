// Markdown as elements. It reads what Quire writes: headings, paragraphs, lists, quotes, code, tables, links, emphasis.
// Nothing in it becomes markup of the page: elements are made one by one, text is text, addresses are checked.

import { h, outside } from "./shared/dom.js";

export function rendered(source) {
  return h("div", { class: "markdown" }, blocks(source.replace(/\r/g, "").split("\n")));
}

const FENCE = /^(\s*)(`{3,}|~{3,})\s*([\w+#.-]*)/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const RULE = /^\s*([-*_])(\s*\1){2,}\s*$/;

function blocks(lines) {
  const made = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at];
    const from = at;
    if (!line.trim()) at += 1;
    else if (FENCE.test(line)) at = code(lines, at, made);
    else if (/^#{1,6}\s/.test(line)) at = heading(lines, at, made);
    else if (RULE.test(line)) at = (made.push(h("hr")), at + 1);
    else if (/^\s*>/.test(line)) at = quote(lines, at, made);
    else if (ITEM.test(line)) at = list(lines, at, made);
    else if (isTable(lines, at)) at = table(lines, at, made);
    else at = paragraph(lines, at, made);
    if (at === from) at += 1;
  }
  return made;
}

function code(lines, at, made) {
  const [, indent, fence, language] = FENCE.exec(lines[at]);
  const inside = [];
  let end = at + 1;
  while (end < lines.length && !lines[end].trim().startsWith(fence)) {
    inside.push(lines[end].startsWith(indent) ? lines[end].slice(indent.length) : lines[end]);
    end += 1;
  }
  made.push(h("pre", { tabindex: "0", role: "region", "aria-label": language ? `Code, ${language}` : "Code" }, h("code", {}, inside.join("\n"))));
  return end + 1;
}

// The page has two levels of headings of its own above these.
function heading(lines, at, made) {
  const [, marks, text] = /^(#{1,6})\s+(.*?)\s*#*$/.exec(lines[at]);
  made.push(h(`h${Math.min(6, marks.length + 3)}`, { class: `level${marks.length}` }, inline(text)));
  return at + 1;
}

function quote(lines, at, made) {
  const inside = [];
  while (at < lines.length && /^\s*>/.test(lines[at])) {
    inside.push(lines[at].replace(/^\s*> ?/, ""));
    at += 1;
  }
  made.push(h("blockquote", {}, blocks(inside)));
  return at;
}

function list(lines, at, made) {
  const [, indent, mark] = ITEM.exec(lines[at]);
  const ordered = /\d/.test(mark);
  const items = [];
  while (at < lines.length) {
    const found = ITEM.exec(lines[at]);
    if (!found || found[1].length !== indent.length || /\d/.test(found[2]) !== ordered) break;
    const width = lines[at].length - found[3].length;
    const inside = [found[3]];
    at += 1;
    while (at < lines.length && (!lines[at].trim() || leading(lines[at]) >= Math.min(width, indent.length + 2))) {
      if (!lines[at].trim() && (at + 1 >= lines.length || (lines[at + 1].trim() && leading(lines[at + 1]) <= indent.length))) break;
      inside.push(lines[at].slice(Math.min(width, leading(lines[at]))));
      at += 1;
    }
    items.push(h("li", {}, unwrapped(blocks(inside))));
    while (at + 1 < lines.length && !lines[at].trim() && ITEM.exec(lines[at + 1])?.[1].length === indent.length) at += 1;
  }
  made.push(h(ordered ? "ol" : "ul", ordered ? { start: parseInt(mark, 10) } : {}, items));
  return at;
}

// An item of one paragraph needs no paragraph.
function unwrapped(made) {
  return made.length && made[0].tagName === "P" ? [...made[0].childNodes, ...made.slice(1)] : made;
}

function leading(line) {
  return line.length - line.trimStart().length;
}

function isTable(lines, at) {
  return lines[at].includes("|") && /^\s*\|?\s*:?-{1,}:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/.test(lines[at + 1] || "") && lines[at + 1].includes("-");
}

function table(lines, at, made) {
  const head = cells(lines[at]);
  const rows = [];
  let end = at + 2;
  while (end < lines.length && lines[end].includes("|") && lines[end].trim()) {
    rows.push(cells(lines[end]));
    end += 1;
  }
  made.push(
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table" },
      h("table", {}, h("thead", {}, h("tr", {}, head.map((cell) => h("th", { scope: "col" }, inline(cell))))), h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, inline(cell))))))),
    ),
  );
  return end;
}

function cells(line) {
  return line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function paragraph(lines, at, made) {
  const inside = [lines[at]];
  let end = at + 1;
  while (end < lines.length && lines[end].trim() && !FENCE.test(lines[end]) && !/^(#{1,6}\s|\s*>)/.test(lines[end]) && !ITEM.test(lines[end])) {
    inside.push(lines[end]);
    end += 1;
  }
  made.push(h("p", {}, inline(inside.join("\n"))));
  return end;
}

const INLINE = /(`+)([\s\S]*?[^`])\1(?!`)|!\[([^\]]*)\]\((\S+?)(?:\s+"[^"]*")?\)|\[((?:[^[\]\\]|\\.|\[[^\]]*\])*)\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)|<(https?:\/\/[^>\s]+)>|\*\*(?=\S)([\s\S]*?\S)\*\*|(?<!\w)__(?=\S)([\s\S]*?\S)__(?!\w)|\*(?=[^\s*])([\s\S]*?[^\s*])\*(?!\*)|(?<!\w)_(?=\S)([\s\S]*?\S)_(?!\w)|\\([!-/:-@[-`{-~])| {2,}\n/g;

function inline(text, depth = 0) {
  if (depth > 8) return [text];
  const made = [];
  let last = 0;
  for (const found of text.matchAll(INLINE)) {
    if (found.index > last) made.push(text.slice(last, found.index));
    made.push(piece(found, depth));
    last = found.index + found[0].length;
  }
  if (last < text.length) made.push(text.slice(last));
  return made;
}

function piece([whole, ticks, verbatim, alt, image, label, target, address, strong, strong2, emphasis, emphasis2, escaped], depth) {
  if (ticks) return h("code", {}, verbatim.trim());
  if (image) return outside(image, alt ? `Image: ${alt}` : "Image");
  if (target) return outside(target, ...inline(label, depth + 1));
  if (address) return outside(address);
  if (strong || strong2) return h("strong", {}, inline(strong || strong2, depth + 1));
  if (emphasis || emphasis2) return h("em", {}, inline(emphasis || emphasis2, depth + 1));
  return escaped ?? (whole.endsWith("\n") ? h("br") : whole);
}
