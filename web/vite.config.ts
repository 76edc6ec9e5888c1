import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Where `npm run dev` listens; `npm run dev:web` hands everything that is not a page on to it. */
const worker = "http://127.0.0.1:8787";

/** What the Worker answers itself, as far as pages ask for it. */
const workersPaths =
  "^/(api|openai|anthropic|agui|adapttable|sandtable|agent|step|health|live|openapi\\.json)(/|$|\\?)";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // Inlined files would be data: addresses, which the policy allows for images only.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    target: "es2024",
    // All of them know light-dark(); for older ones a stand-in would be written that forgets the chosen theme.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
  },
  server: {
    port: 5173,
    proxy: { [workersPaths]: { target: worker } },
  },
});
