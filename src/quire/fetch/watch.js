// Runs in every document before its own scripts: knows when the DOM is quiet, keeps the routes, lets nothing pop up.
// `quire` is the page's side of fetch/tabs.py; its name is drawn by lot, so that no page can count on it.
(name) => {
  if (window[name]) return;
  const setTimer = window.setTimeout.bind(window);
  const clearTimer = window.clearTimeout.bind(window);
  const now = performance.now.bind(performance);
  const SHORT = 2000;
  const MOST = 5000;
  const quire = {
    exploring: false,
    changed: now(),
    timers: new Set(),
    routes: new Map(),
    blocked: {},
  };
  Object.defineProperty(window, name, { value: quire });

  const count = (what) => (quire.blocked[what] = (quire.blocked[what] || 0) + 1);
  // What Mermaid draws is written beforehand: the text says more than the lines do.
  const drawn = new Map();
  const observer = new MutationObserver((records) => {
    quire.changed = now();
    for (const { target, removedNodes } of records) {
      if (!removedNodes.length || !target.classList?.contains("mermaid") || drawn.has(target)) continue;
      const source = [...removedNodes].map((node) => node.textContent).join("");
      if (source.trim()) drawn.set(target, source);
    }
  });
  const everything = { childList: true, subtree: true, characterData: true, attributes: true, attributeFilter: ["href", "hidden"] };
  // While the parser works, the document is not ready anyway.
  const begin = () => {
    quire.changed = now();
    observer.observe(document, everything);
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin, { once: true, capture: true });
  else begin();

  // Closed shadow trees too: what a reader sees is content.
  const shadows = new WeakMap();
  const attachShadow = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (...args) {
    const root = attachShadow.apply(this, args);
    shadows.set(this, root);
    observer.observe(root, everything);
    quire.changed = now();
    return root;
  };
  const shadowOf = (element) => element.shadowRoot || shadows.get(element);

  // Timers that come due soon may still bring something; endless ones bring nothing after a while.
  window.setTimeout = function (work, delay = 0, ...args) {
    if (typeof work !== "function" || delay > SHORT) return setTimer(work, delay, ...args);
    const id = setTimer((...given) => {
      quire.timers.delete(id);
      return work.apply(window, given);
    }, delay, ...args);
    quire.timers.add(id);
    return id;
  };
  window.clearTimeout = (id) => {
    quire.timers.delete(id);
    clearTimer(id);
  };

  const note = (url, source) => {
    if (quire.routes.size < MOST && !quire.routes.has(url)) quire.routes.set(url, source);
  };
  for (const method of ["pushState", "replaceState"]) {
    const original = History.prototype[method];
    History.prototype[method] = function (...args) {
      const before = location.href;
      const result = original.apply(this, args);
      if (window === top && location.href !== before) {
        quire.pushed = (quire.pushed || 0) + (method === "pushState");
        note(location.href, method);
      }
      return result;
    };
  }
  addEventListener("hashchange", () => window === top && note(location.href, "hash"));

  // Nothing of this helps to read a page, and all of it can hold the browser up.
  const refuse = (owner, method, answer) => {
    owner[method] = function () {
      count(method);
      return answer;
    };
  };
  for (const [method, answer] of [["alert"], ["confirm", false], ["prompt", null], ["print"]]) refuse(window, method, answer);
  window.open = (url) => {
    count("popup");
    if (quire.exploring && url) note(new URL(url, document.baseURI).href, "popup");
    return null;
  };
  for (const dialog of ["showOpenFilePicker", "showSaveFilePicker", "showDirectoryPicker"]) delete window[dialog];
  for (const channel of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport"]) delete window[channel];
  if (navigator.serviceWorker) navigator.serviceWorker.register = () => Promise.reject(new Error("not here"));

  const whenExploring = (owner, method, otherwise) => {
    const original = owner[method];
    owner[method] = function (...args) {
      if (!quire.exploring) return original.apply(this, args);
      count(method);
      return otherwise;
    };
  };
  whenExploring(Navigator.prototype, "sendBeacon", true);
  whenExploring(WebSocket.prototype, "send");
  whenExploring(HTMLFormElement.prototype, "submit");
  whenExploring(HTMLFormElement.prototype, "requestSubmit");
  addEventListener("submit", (event) => {
    if (quire.exploring) {
      event.preventDefault();
      event.stopImmediatePropagation();
      count("form");
    }
  }, true);

  // Resolves once nothing changed for `quiet` milliseconds and no timer is about to change something.
  quire.ready = (quiet) =>
    new Promise((resolve) => {
      const asked = now();
      const look = () => {
        // What the last answer of the server brings is still to come.
        const silence = now() - Math.max(asked, quire.changed);
        const waiting = document.readyState !== "complete" || (quire.timers.size && silence < SHORT);
        if (!waiting && silence >= quiet) resolve();
        else setTimer(look, waiting ? 25 : Math.max(1, quiet - silence));
      };
      look();
    });

  const roots = function* (root, depth = 0) {
    yield root;
    if (depth > 20) return;
    for (const element of root.querySelectorAll("*")) {
      const shadow = shadowOf(element);
      if (shadow) yield* roots(shadow, depth + 1);
      else if (element.tagName === "IFRAME" || element.tagName === "FRAME") {
        let inner = null;
        try {
          inner = element.contentDocument;
        } catch {}
        if (inner && inner.documentElement) yield* roots(inner, depth + 1);
      }
    }
  };
  quire.roots = () => [...roots(document)];

  const isRoute = (hash) => hash.startsWith("#/") || hash.startsWith("#!");
  // docsify's addresses of headings: places on the route that is shown are no routes.
  const isPlace = (hash) => {
    const [route, query] = hash.split("?");
    const id = query && new URLSearchParams(query).get("id");
    return Boolean(id) && route === (location.hash.split("?")[0] || "#/") && document.getElementById(id) !== null;
  };
  const known = new Set();
  // Links that the document's own HTML does not show: in shadow trees and frames, hash routes, and what clicks brought;
  // each is told once.
  quire.links = () => {
    const found = [];
    const shown = new Set();
    for (const root of quire.roots()) {
      const source = root === document ? null : root.host ? "shadow" : "frame";
      for (const anchor of root.querySelectorAll("a[href], area[href]")) {
        const href = typeof anchor.href === "string" ? anchor.href : "";
        if (!href.startsWith("http")) continue;
        if (known.has(href) || shown.has(href)) continue;
        shown.add(href);
        if (isPlace(anchor.hash)) continue;
        if (isRoute(anchor.hash)) found.push([href, "hash"]);
        else if (source || quire.exploring) found.push([href, source || "click"]);
        if (found.length >= MOST) break;
      }
    }
    for (const href of shown) known.add(href);
    return found;
  };

  // A shadow tree is written in place of its host's children, which go where its slots are.
  const flattened = (node) => {
    const copy = node.cloneNode(false);
    const shadow = node.nodeType === 1 && shadowOf(node);
    let children = shadow ? shadow.childNodes : node.childNodes;
    if (node.nodeName === "SLOT") {
      const assigned = node.assignedNodes ? node.assignedNodes({ flatten: true }) : [];
      if (assigned.length) children = assigned;
    }
    for (const child of children) {
      if (shadow && child.nodeName === "STYLE") continue;
      copy.appendChild(flattened(child));
    }
    return copy;
  };
  const doctype = () => (document.compatMode === "CSS1Compat" ? "<!DOCTYPE html>" : "");
  // What lies over the page: banners and boxes that ask for something. Only the styles know it of most of them.
  const NEAR = 5;
  const MOST_NEAR = 500;
  const FRAME = "header, nav, footer, aside, main, article, dialog, script, style";
  const CONTENT = "main, article, h1, [role=main]";
  const lengthOf = (element) =>
    [...element.querySelectorAll("script, style")].reduce((rest, each) => rest - each.textContent.length, element.textContent.length);
  const overlays = () => {
    const found = [];
    let left = MOST_NEAR;
    const look = (around, depth) => {
      for (const element of around.children) {
        if (left-- <= 0) return;
        if (getComputedStyle(element).position === "fixed") found.push(element);
        else if (depth < NEAR) look(element, depth + 1);
      }
    };
    if (document.body) look(document.body, 1);
    const most = found.length ? lengthOf(document.body) / 2 : 0;
    return found.filter((each) => !each.hasAttribute("role") && !each.matches(FRAME) && !each.querySelector(CONTENT) && lengthOf(each) < most);
  };
  const html = () => {
    const root = document.documentElement;
    if (!root) return "";
    const over = overlays();
    for (const element of over) element.setAttribute("role", "dialog");
    const texts = [...drawn].filter(([place]) => place.isConnected && place.querySelector("svg")).map(([place, source]) => {
      const text = Object.assign(document.createElement("pre"), { className: "language-mermaid", textContent: source });
      place.after(text);
      return text;
    });
    const hasShadow = [...document.querySelectorAll("*")].some(shadowOf);
    const written = doctype() + (hasShadow ? flattened(root) : root).outerHTML;
    for (const element of over) element.removeAttribute("role");
    for (const text of texts) text.remove();
    return written;
  };

  quire.take = (clicks) => ({
    url: location.href,
    html: html(),
    routes: [...quire.routes],
    links: quire.links(),
    blocked: quire.blocked,
    scrolls: Math.max(document.documentElement?.scrollHeight || 0, document.body?.scrollHeight || 0) > innerHeight + 10,
    clickable: clicks ? quire.candidates().length : 0,
  });

  quire.size = () => document.getElementsByTagName("*").length;
  // Goes to the end of the page and of its lists; the answer is how much there is then.
  quire.scroll = async () => {
    for (const root of quire.roots()) {
      if (root !== document && !root.host) continue;
      for (const box of root.querySelectorAll("*")) {
        if (box.scrollHeight > box.clientHeight + 50 && box.clientHeight > 100 && /auto|scroll/.test(getComputedStyle(box).overflowY))
          box.scrollTop = box.scrollHeight;
      }
    }
    scrollTo(0, Math.max(document.documentElement.scrollHeight, document.body?.scrollHeight || 0));
    // Whoever waits to be seen is told in a frame, and a frame may be long in coming.
    await new Promise((done) => {
      requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)));
      setTimer(done, 2000);
    });
    return quire.size();
  };
}
