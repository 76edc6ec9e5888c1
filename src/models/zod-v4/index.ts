/**
 * Stands for `zod/v4` in the Worker's bundle (`[alias]` in wrangler.toml): providers' packages take zod as the object
 * `z`, of which a bundler can leave nothing out. Saves a ninth of the Worker.
 */
export * from "./names.ts";
export * as z from "./names.ts";
