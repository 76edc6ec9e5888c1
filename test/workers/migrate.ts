import { applyD1Migrations, type D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";

declare global {
  namespace Cloudflare {
    interface Env {
      /** The files of src/store/migrations, read by vitest.config.ts. */
      MIGRATIONS: D1Migration[];
    }
  }
}

await applyD1Migrations(env.DB, env.MIGRATIONS);
