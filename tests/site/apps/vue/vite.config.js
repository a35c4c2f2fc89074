import { defineConfig } from "vite";
import vue from "@vitejs/plugin-vue";

export default defineConfig({
  plugins: [vue()],
  build: { rollupOptions: { input: ["index.html", "guide.html"] }, modulePreload: { polyfill: false } },
});
