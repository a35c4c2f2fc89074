import { defineConfig } from "vite";
import react from "@vitejs/plugin-react";

export default defineConfig({
  plugins: [react()],
  build: { rollupOptions: { input: ["index.html", "guide.html"] }, modulePreload: { polyfill: false } },
});
