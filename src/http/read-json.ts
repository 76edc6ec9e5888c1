import type * as z from "zod";
import { toDotPath } from "zod/v4/core";
import type { Config } from "../config.ts";
import type { JsonObject } from "../turn/json.ts";
import { type BodyLimit, readText } from "./body.ts";
import { HttpError } from "./errors.ts";
import { findJsonFault } from "./json-fault.ts";
import { exceededJsonLimit, maxJsonDepth, maxJsonValues } from "./json-limits.ts";

/** More issues than this help nobody; the rest are counted. */
const maxIssues = 50;

/**
 * The JSON body of the request as `schema` reads it. `limit` names the variable that bounds it, `AGENT_MAX_BODY` when
 * left out. Throws `HttpError`: 415 for a content type that is not JSON (a missing one is taken for JSON), 413 beyond
 * the limit, 400 `invalid_json` with line and column, 400 `invalid_body` with `issues: [{path, message}]`.
 */
export async function readJson<Schema extends z.ZodType>(
  context: { request: Request; config: Config },
  schema: Schema,
  options: { limit?: "AGENT_MAX_BODY" | "AGENT_MAX_DOMAIN" } = {},
): Promise<z.output<Schema>> {
  refuseContentType(context.request.headers);
  const variable = options.limit ?? "AGENT_MAX_BODY";
  const maxBytes = variable === "AGENT_MAX_DOMAIN" ? context.config.maxDomain : context.config.maxBody;
  const limit: BodyLimit = { maxBytes, variable };
  const parsed = schema.safeParse(parseJson(await readText(context.request, limit)));
  if (parsed.success) return parsed.data;
  throw new HttpError("invalid_body", describe("The request body", parsed.error), {
    details: issueDetails(parsed.error),
  });
}

/**
 * The query as `schema` reads it: a text per parameter, a list of texts where one is repeated. Throws `HttpError` 400
 * `invalid_request` with `issues`.
 */
export function readQuery<Schema extends z.ZodType>(context: { url: URL }, schema: Schema): z.output<Schema> {
  const query: { [name: string]: string | string[] } = Object.create(null);
  for (const name of new Set(context.url.searchParams.keys())) {
    const values = context.url.searchParams.getAll(name);
    query[name] = values.length === 1 ? (values[0] ?? "") : values;
  }
  const parsed = schema.safeParse({ ...query });
  if (parsed.success) return parsed.data;
  throw new HttpError("invalid_request", describe("The query", parsed.error), {
    details: issueDetails(parsed.error),
  });
}

/**
 * `text` as a JSON value, within the nesting and size limits and without a `__proto__` key, which would change what an
 * object is once it is copied. Throws `HttpError` 400 `invalid_json`.
 */
export function parseJson(text: string): unknown {
  if (text.trim() === "")
    throw new HttpError("invalid_json", "The request body is empty; a JSON value is expected.");
  const exceeded = exceededJsonLimit(text);
  if (exceeded === "depth") {
    throw new HttpError("invalid_json", `The request body is nested more than ${maxJsonDepth} levels deep.`);
  }
  if (exceeded === "values") {
    throw new HttpError("invalid_json", `The request body holds more than ${maxJsonValues} values.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidJson(text);
  }
  // Only a text that spells the name, plainly or escaped, can carry the key.
  if (/__proto__|\\u00/i.test(text) && hasProtoKey(value)) {
    throw new HttpError(
      "invalid_json",
      'The request body has a key named "__proto__", which is not accepted.',
    );
  }
  return value;
}

function invalidJson(text: string): HttpError {
  const fault = findJsonFault(text);
  if (fault === null) return new HttpError("invalid_json", "The request body is not valid JSON.");
  const found = fault.found === null ? "the body ends" : `there is ${JSON.stringify(fault.found)}`;
  const { line, column } = fault;
  return new HttpError(
    "invalid_json",
    `The request body is not valid JSON: at line ${line}, column ${column} ${found} where ${fault.expected} is expected.`,
    { details: { line, column } },
  );
}

function hasProtoKey(root: unknown): boolean {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) continue;
    if (Object.hasOwn(value, "__proto__")) return true;
    for (const inner of Object.values(value)) open.push(inner);
  }
  return false;
}

/** Throws `HttpError` 415 for a content type that is not JSON in UTF-8; a missing one is taken for it. */
export function refuseContentType(headers: Headers): void {
  const header = headers.get("content-type");
  if (header === null || header.trim() === "") return;
  const [type = "", ...parameters] = header
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))?.slice("charset=".length);
  const isJson = type === "application/json" || /^[a-z]+\/[a-z0-9.+-]+\+json$/.test(type);
  const isUtf8 = charset === undefined || /^"?utf-?8"?$/.test(charset);
  if (isJson && isUtf8) return;
  throw new HttpError(
    "unsupported_media_type",
    "Send the request body as application/json, encoded as UTF-8.",
  );
}

function describe(subject: string, error: z.ZodError): string {
  const [first] = error.issues;
  if (first === undefined) return `${subject} is not what this call expects.`;
  if (isMissing(first))
    return `${subject} lacks ${JSON.stringify(toDotPath(first.path))}: expected ${first.expected}.`;
  const place = first.path.length === 0 ? "" : ` at ${toDotPath(first.path)}`;
  return `${subject} is not what this call expects${place}: ${first.message}`;
}

/** zod tells a missing member from a wrong one only in words. */
function isMissing(issue: z.core.$ZodIssue): issue is z.core.$ZodIssueInvalidType {
  return (
    issue.code === "invalid_type" && issue.path.length > 0 && issue.message.endsWith("received undefined")
  );
}

function issueDetails(error: z.ZodError): JsonObject {
  const issues = error.issues.slice(0, maxIssues).map((issue) => ({
    path: toDotPath(issue.path),
    message: issue.message,
  }));
  const left = error.issues.length - issues.length;
  return left > 0 ? { issues, issuesLeftOut: left } : { issues };
}
