import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

/** Three floors: plain logic in Node, objects inside the Workers runtime, and the built Worker over HTTP. */
export default defineConfig(async () => ({
  test: {
    // Two cores: most of what takes long waits for runtimes, browsers and deadlines.
    maxWorkers: 2,
    reporters: ["default", "./test/support/closing-line.ts"],
    projects: [
      { test: { name: "unit", include: ["test/unit/**/*.test.ts"], environment: "node" } },
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: "./wrangler.toml" },
            // Not a variable of the Worker: what test/workers/migrate.ts applies before each file.
            miniflare: { bindings: { MIGRATIONS: await readD1Migrations("src/store/migrations") } },
          }),
        ],
        test: {
          name: "workers",
          include: ["test/workers/**/*.test.ts"],
          setupFiles: ["test/workers/migrate.ts"],
        },
      },
      {
        test: {
          name: "live",
          include: ["test/live/**/*.test.ts", "test/browser/**/*.test.ts"],
          environment: "node",
          testTimeout: 60_000,
          // These share the machine with runtimes, clients and a browser, and some wait for a restart: one that fails
          // is tried once more, and the run says so.
          retry: 1,
          hookTimeout: 60_000,
        },
      },
    ],
  },
}));
