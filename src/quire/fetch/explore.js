// What a person would take for navigation, and how it is clicked (D7, D8, R16).
(name) => {
  const quire = window[name];
  if (quire.candidates) return;
  const MOST_ELEMENTS = 6000;
  const LABEL = 80;
  const SEMANTIC = [
    "button", "summary", "a", "[onclick]", "[aria-haspopup]", "[aria-expanded]",
    ...["link", "button", "menuitem", "menuitemradio", "tab", "treeitem"].map((role) => `[role=${role}]`),
  ].join(",");
  const NEVER = "form, form *, input, select, textarea, option, label, video, audio, iframe, object, embed, [contenteditable], [disabled], [aria-disabled=true], [download], dialog form *";
  // Verbs that change something, in the languages most sites are written in.
  const ACTION = new RegExp(
    "\\b(delete|remove|erase|destroy|discard|drop|buy|purchase|pay|order now|place order|check ?out|add to (cart|bag|basket)|subscribe|" +
      "unsubscribe|log ?out|sign ?out|log ?off|sign ?up|sign ?in|log ?in|register|submit|send|save|confirm|apply|upload|download|publish|post|" +
      "reply|accept|agree|allow|reject|decline|cancel|reset|clear|vote|like|share|follow|report|block|archive|approve|donate|book now|reserve|" +
      "deactivate|terminate|revoke|transfer|withdraw|print|export|import|" +
      "löschen|entfernen|kaufen|bezahlen|bestellen|warenkorb|abmelden|ausloggen|anmelden|absenden|senden|speichern|akzeptieren|ablehnen|" +
      "supprimer|effacer|acheter|payer|commander|panier|déconnexion|connexion|envoyer|enregistrer|accepter|refuser|" +
      "eliminar|borrar|comprar|pagar|carrito|cerrar sesión|iniciar sesión|enviar|guardar|aceptar|rechazar)\\b|" +
      "删除|移除|购买|支付|结账|退出|登出|提交|发送|削除|購入|支払|ログアウト|送信",
    "i"
  );
  const ACTION_NAME = /delete|remove|trash|destroy|logout|log-out|signout|sign-out|checkout|purchase|payment|buy|danger|submit/i;
  const MORE = /\b((load|show|view|see) more|more|next|older|mehr|weiter|nächste|suivant|plus|siguiente|más)\b|^[›»→>]$|更多|下一页|次へ/i;

  const clicked = new WeakMap();
  const text = (element, most) => (element.innerText ?? element.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, most);
  const labelOf = (element) =>
    (element.getAttribute("aria-label") || text(element, LABEL) || element.getAttribute("title") || "").slice(0, LABEL);

  const isAction = (element, label) => {
    if (label.length < LABEL && ACTION.test(label)) return true;
    const names = ["id", "class", "name", "data-action", "data-testid", "formaction", "data-method", "href"].map((each) => element.getAttribute(each) || "");
    return ACTION_NAME.test(names.join(" "));
  };
  const isLink = (element) => {
    const anchor = element.closest("a[href]");
    return anchor && !/^(#?!?$|javascript:)/i.test(anchor.getAttribute("href").trim());
  };
  const isVisible = (element) => {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    const box = element.getBoundingClientRect();
    return box.width > 1 && box.height > 1;
  };
  const looksClickable = (element) => {
    if (element.matches(SEMANTIC)) return true;
    if (getComputedStyle(element).cursor !== "pointer") return false;
    const parent = element.parentElement || element.getRootNode().host;
    return !parent || getComputedStyle(parent).cursor !== "pointer";
  };

  // The same control on another page has the same key: what it says, and what stands around it.
  const keyOf = (element, label) => {
    const place = element.closest("nav,header,footer,aside,main,[role=tablist],[role=menu]");
    const around = element.parentElement ? text(element.parentElement, 120) : "";
    return [element.tagName, element.getAttribute("role") || "", place ? place.tagName : "", label, MORE.test(label) ? "" : around].join("|");
  };

  const elements = function* () {
    let left = MOST_ELEMENTS;
    for (const root of quire.roots()) {
      if (root !== document && !root.host) continue;
      for (const element of (root.body || root).querySelectorAll("*")) {
        if (left-- <= 0) return;
        yield element;
      }
    }
  };

  const found = () => {
    const known = new Map();
    const repeats = new Map();
    for (const element of elements()) {
      // The names of a form's fields take the place of its own methods.
      if (element instanceof HTMLFormElement) continue;
      if (!(element instanceof HTMLElement || element instanceof SVGElement)) continue;
      if (element === document.body || element === document.documentElement || element.matches(NEVER)) continue;
      if (!looksClickable(element) || isLink(element) || !isVisible(element)) continue;
      const label = labelOf(element);
      if (isAction(element, label)) continue;
      const key = keyOf(element, label);
      const number = repeats.get(key) || 0;
      repeats.set(key, number + 1);
      known.set(number ? `${key}|${number}` : key, { element, more: MORE.test(label) });
    }
    return known;
  };

  let last = new Map();
  // The whole page is looked through once for each look at its state; a control that is still there needs no second look.
  const control = (key) => {
    const known = last.get(key)?.element;
    if (known && known.isConnected && isVisible(known)) return known;
    return (last = found()).get(key)?.element;
  };

  quire.candidates = () => [...(last = found())].filter(([, { element, more }]) => more || !clicked.has(element)).map(([key, { more }]) => [key, more]);

  quire.has = (key) => Boolean(control(key));
  // False when there is no such control now.
  quire.click = (key) => {
    const element = control(key);
    if (!element) return false;
    clicked.set(element, true);
    element.scrollIntoView({ block: "center", behavior: "instant" });
    const box = element.getBoundingClientRect();
    const about = { bubbles: true, cancelable: true, composed: true, view: window, detail: 1, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
    const pointer = { ...about, pointerId: 1, isPrimary: true, pointerType: "mouse" };
    for (const [kind, Kind] of [["over", true], ["enter", false], ["down", true], ["up", true]]) {
      element.dispatchEvent(new PointerEvent(`pointer${kind}`, { ...pointer, bubbles: Kind }));
      element.dispatchEvent(new MouseEvent(`mouse${kind}`, { ...about, bubbles: Kind }));
    }
    if (typeof element.click === "function") element.click();
    else element.dispatchEvent(new MouseEvent("click", about));
    return true;
  };

  quire.state = () => {
    const pushed = quire.pushed || 0;
    const routes = [...quire.routes];
    quire.pushed = 0;
    return { url: location.href, pushed, routes, links: quire.links(), size: quire.size(), candidates: quire.candidates() };
  };
  quire.back = (steps) => history.go(-steps);
}
