// What no crawler may do, and the endpoints that would tell.
const send = (method, path) => fetch(path, { method, body: method === "GET" ? undefined : "x" });

export const traps = (go) => [
  ["Delete account", () => send("DELETE", "/api/account").finally(() => go("/deleted"))],
  ["Buy now", () => send("POST", "/api/buy").finally(() => go("/bought"))],
  ["Log out", () => send("POST", "/api/logout").finally(() => go("/logged-out"))],
  ["Say hello", () => alert("hello")],
  ["Open the partner's site", () => window.open("https://partner.example/")],
];

// Counts its visitors as it goes: the route is wanted, the message is not.
export const tracked = (go, path) => () => {
  navigator.sendBeacon("/api/beacon", "seen");
  send("POST", "/api/track").catch(() => {});
  go(path);
};

export const items = async (from) => (await (await fetch(`/api/items?from=${from}`)).json());

export const endless = (node) => {
  const add = () => {
    for (let number = 0; number < 10; number++) {
      const line = document.createElement("p");
      line.textContent = `Entry ${node.children.length + 1} of the feed that never ends`;
      line.style.height = "120px";
      node.append(line);
    }
  };
  add();
  new IntersectionObserver(([seen]) => seen.isIntersecting && add()).observe(node.parentElement.querySelector("i"));
};
