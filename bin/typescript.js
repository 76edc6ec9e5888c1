// Node strips types from the files of a project, and refuses to below node_modules. A Greenroom that was installed as a
// dependency lives there, so this does it for Greenroom's own files, and for those alone.
import { readFileSync } from "node:fs";
import * as module from "node:module";
import { fileURLToPath } from "node:url";

const root = new URL("..", import.meta.url).href;

if (/[/\\]node_modules[/\\]/.test(fileURLToPath(root))) {
  module.registerHooks({
    load(url, context, next) {
      if (!url.startsWith(root) || !url.endsWith(".ts")) return next(url, context);
      const source = module.stripTypeScriptTypes(readFileSync(fileURLToPath(url), "utf8"));
      return { format: "module", source, shortCircuit: true };
    },
  });
}
