// A menu in a closed shadow tree: one link, and one entry that is no link.
customElements.define(
  "site-menu",
  class extends HTMLElement {
    connectedCallback() {
      if (this.root) return;
      this.root = this.attachShadow({ mode: this.hasAttribute("open") ? "open" : "closed" });
      this.root.innerHTML = `
        <style>span { cursor: pointer }</style>
        <a href="/contact">Contact</a> <span>Press room</span>`;
      this.root.querySelector("span").addEventListener("click", () => this.dispatchEvent(new CustomEvent("go", { detail: "/press" })));
    }
  }
);
