import type { Json } from "../../turn/json.ts";
import type { Tool, Value } from "../domain/types.ts";
import type { EvalContext, TableShape } from "../expr/context.ts";
import { getPath } from "../expr/path.ts";
import { evaluateValue } from "../expr/value.ts";
import { Refusal } from "./refusal.ts";

/** A call under way, with everything its parts need. */
export interface ToolCall {
  tool: Tool;
  tables: TableShape[];
  ctx: EvalContext;
}

/** The table of a name. Throws Refusal: a domain that was loaded names only tables it has. */
export function tableOf(call: ToolCall, name: string): TableShape {
  const table = call.tables.find((one) => one.name === name);
  if (table === undefined) throw notComputed(call, `there is no table ${name}`);
  return table;
}

/** The key a value stands for; a number is taken for its digits. Throws Refusal. */
export function keyOf(call: ToolCall, value: Value): string {
  const key = evaluateValue(value, call.ctx);
  if (typeof key === "string") return key;
  if (typeof key === "number") return String(key);
  if (key === undefined && value.kind === "arg")
    throw new Refusal(`missing argument "${value.path.join(".")}"`);
  throw notComputed(call, "the key of a row must be text");
}

export function notComputed(call: ToolCall, why: string): Refusal {
  return new Refusal(`${call.tool.name} could not be computed: ${why}`);
}

export function notFound(table: TableShape, key: string): Refusal {
  return new Refusal(`${table.noun} ${key} not found`);
}

/** Text with `{argument}` replaced by the call's arguments; a name that is no argument stays as written. */
export function fillArguments(call: ToolCall, text: string): string {
  return text.replace(/\{([\p{L}_][\p{L}\p{N}_.-]*)\}/gu, (placeholder, path: string) => {
    const value = getPath(call.ctx.args, path.split("."));
    return value === undefined ? placeholder : plain(value);
  });
}

function plain(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
