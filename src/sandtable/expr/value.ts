import type { Json, JsonObject } from "../../turn/json.ts";
import type { Value } from "../domain/types.ts";
import { evaluateCel } from "./cel.ts";
import type { EvalContext } from "./context.ts";
import { getPath, setOwn } from "./path.ts";

/**
 * What a value written in a domain stands for. Undefined when it names an argument the call left out; inside an object
 * or a list such an entry is left out. Literals are returned as they are: copy before changing. Throws CelError.
 */
export function evaluateValue(value: Value, ctx: EvalContext): Json | undefined {
  switch (value.kind) {
    case "literal":
      return value.value;
    case "arg":
      return getPath(ctx.args, value.path);
    case "cel":
      return evaluateCel(value.source, ctx);
    case "object": {
      const object: JsonObject = {};
      for (const entry of value.entries) {
        const inner = evaluateValue(entry.value, ctx);
        if (inner !== undefined) setOwn(object, entry.name, inner);
      }
      return object;
    }
    case "list":
      return value.items.map((item) => evaluateValue(item, ctx)).filter((inner) => inner !== undefined);
  }
}
