// Light or dark: the system's choice, until the reader makes another one.

import { h } from "./dom.js";

const NAME = "quire-theme";
const NEXT = { system: "light", light: "dark", dark: "system" };
const WORDS = { system: "Theme: system", light: "Theme: light", dark: "Theme: dark" };

export function themeSwitch() {
  let theme = stored();
  const button = h("button", { type: "button", class: "quiet-button" });
  const apply = () => {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.textContent = WORDS[theme];
  };
  button.addEventListener("click", () => {
    theme = NEXT[theme];
    keep(theme);
    apply();
  });
  apply();
  return button;
}

// A browser may refuse to store anything for a file on disk.
function stored() {
  try {
    const found = localStorage.getItem(NAME);
    return found in NEXT ? found : "system";
  } catch {
    return "system";
  }
}

function keep(theme) {
  try {
    localStorage.setItem(NAME, theme);
  } catch {
    return;
  }
}
