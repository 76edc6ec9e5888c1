import type { Json, JsonObject } from "../../turn/json.ts";
import type { RowScope } from "./contract.ts";
import { fault, given, isDeeper, isFilled, isNumber, isObject, strings } from "./shape.ts";

/** Names of the two calls that ask the client something rather than command the table. */
export const describeCall = "describe";
export const readCall = "read";

/** Whether a call asks rather than commands. */
export function asks(call: { name: string }): boolean {
  return call.name === describeCall || call.name === readCall;
}

/** What `describe` asks for. */
export interface DescribeArgs {
  keys?: string[];
  bundle?: string;
}

/** A window of rows that `read` asks for. */
export interface ReadArgs {
  /** Rows to skip, 0 unless given. */
  offset: number;
  /** Most rows wanted, 10 unless given; the session lowers it to the contract's `readMax`. */
  limit: number;
  /** Ids of columns; all that are readable unless given. */
  columns?: string[];
  scope?: RowScope;
}

const scopes: readonly Json[] = ["visible", "page", "full"] satisfies RowScope[];

/** The arguments of a `describe` call. Throws a `TypeError` that names the field when they are malformed. */
export function describeArgs(args: JsonObject): DescribeArgs {
  const { keys = null, bundle = null } = args;
  if (keys !== null && !(Array.isArray(keys) && keys.every(isFilled)))
    throw fault("describe.keys must be an array of capability keys");
  if (bundle !== null && !isFilled(bundle)) throw fault("describe.bundle must be a non-empty string");
  return { ...given("keys", strings(keys)), ...(bundle === null ? {} : { bundle }) };
}

/** The arguments of a `read` call, with its defaults. Throws a `TypeError` that names the field when they are malformed. */
export function readArgs(args: JsonObject): ReadArgs {
  const { offset = 0, limit = 10, columns = null, scope = null } = args;
  if (!isNumber(offset) || !Number.isInteger(offset) || offset < 0)
    throw fault("read.offset must be a whole number, 0 or more");
  if (!isNumber(limit) || !Number.isInteger(limit) || limit < 1)
    throw fault("read.limit must be a whole number, 1 or more");
  if (columns !== null && !Array.isArray(columns)) throw fault("read.columns must be an array of column ids");
  if (scope !== null && !isScope(scope)) throw fault('read.scope must be "visible", "page", or "full"');
  return {
    offset,
    limit,
    ...given("columns", strings(columns)),
    ...(scope === null ? {} : { scope }),
  };
}

/** The arguments of the `rows.read` that answers a `read` call. */
export function rowsReadArgs({ offset, limit, columns, scope }: ReadArgs): JsonObject {
  return { offset, limit, ...given("columns", columns), ...given("scope", scope) };
}

function isScope(value: Json): value is RowScope {
  return scopes.includes(value);
}

/** That the arguments of a call that asks are well formed; of another call nothing is known here. */
export function checkAskingCall({ name, args }: { name: string; args: JsonObject }): void {
  if (name === describeCall) describeArgs(args);
  if (name === readCall) readArgs(args);
}

/** Deepest nesting of arguments: far above any real call, far below what overflows whoever walks through them. */
export const maxArgsDepth = 64;

/** `args` of a call off the wire: an object, `{}` when absent. One that is nested too deeply is malformed. */
export function argsOf(value: Json | undefined): JsonObject {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw fault("tool call.args must be an object");
  if (isDeeper(value, maxArgsDepth))
    throw fault(`tool call.args is nested deeper than ${maxArgsDepth} levels`);
  return value;
}
