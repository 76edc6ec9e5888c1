import { fileURLToPath } from "node:url";

/** Absolute path of the folder that holds Greenroom's package.json and wrangler.toml. */
export const packageRoot = fileURLToPath(new URL("../..", import.meta.url)).replace(/[/\\]$/, "");
