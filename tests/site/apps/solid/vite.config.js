import { defineConfig } from "vite";
import solid from "vite-plugin-solid";

export default defineConfig({
  plugins: [solid()],
  build: { rollupOptions: { input: ["index.html", "guide.html"] }, modulePreload: { polyfill: false } },
});
