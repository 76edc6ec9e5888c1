import { registerHooks } from "node:module";

/** Names under which a module may import `httpAgent`: ours, and the one the step protocol's own example prints. */
const names = new Set(["greenroom", "sandtable-ai"]);

const own = new URL("../../sandtable/http-agent.ts", import.meta.url).href;

/**
 * Lets modules loaded from now on import `httpAgent` from "greenroom" wherever they lie, so that an agent module needs
 * no installation of its own. A package of that name that is installed beside the module wins.
 */
export function resolveGreenroom(): void {
  registerHooks({
    resolve(specifier, context, next) {
      if (!names.has(specifier)) return next(specifier, context);
      try {
        return next(specifier, context);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
        return { url: own, shortCircuit: true };
      }
    },
  });
}
