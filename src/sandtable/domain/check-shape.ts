import type * as z from "zod";
import { isList, isMapping, wordSeparator } from "./forms.ts";
import { inside, type Place } from "./place.ts";
import { oneOf, type ProblemList } from "./problem-list.ts";
import { meantWord } from "./usual-words.ts";

/**
 * `T` with holes: what is left of a source when its wrong parts are taken out. A hole keeps its key, with
 * `undefined` as value, so that what is written wrongly does not look like what is not written.
 */
export type Holey<T> = T extends readonly (infer Item)[]
  ? (Holey<Item> | undefined)[]
  : T extends object
    ? { [Key in keyof T]?: Holey<T[Key]> | undefined }
    : T;

/**
 * Checks the shape of a value and reports every mistake at its place. The result is the value without the
 * mistaken parts, so that what stands beside a mistake is still compiled and checked. A value that is wrong
 * as a whole gives `undefined`.
 */
export function checkShape<Source>(
  schema: z.ZodType<unknown, Source>,
  value: unknown,
  place: Place,
  problems: ProblemList,
): Holey<Source> | undefined {
  const { error } = schema.safeParse(value);
  if (error === undefined) return value as Holey<Source>;
  const rest: { value: unknown } = { value: JSON.parse(JSON.stringify(value)) };
  for (const issue of error.issues) {
    report(issue, value, place, problems);
    for (const path of wrongPaths(issue)) cut(rest, ["value", ...path]);
  }
  return rest.value as Holey<Source> | undefined;
}

function wrongPaths(issue: z.core.$ZodIssue): PropertyKey[][] {
  return issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
}

/** Takes out what stands at `path`, leaving a hole. */
function cut(root: unknown, path: PropertyKey[]): void {
  const last = path.at(-1);
  if (last === undefined || !valueAt(root, path).found) return;
  const parent = valueAt(root, path.slice(0, -1)).value;
  if (isList(parent)) parent[Number(last)] = undefined;
  else if (isMapping(parent)) parent[String(last)] = undefined;
}

function valueAt(root: unknown, path: PropertyKey[]): { found: boolean; value: unknown } {
  let value = root;
  for (const segment of path) {
    if (isList(value)) value = value[Number(segment)];
    else if (isMapping(value) && Object.hasOwn(value, segment)) value = value[String(segment)];
    else return { found: false, value: undefined };
  }
  return { found: true, value };
}

function report(issue: z.core.$ZodIssue, root: unknown, place: Place, problems: ProblemList): void {
  const path = issue.path.map((segment) => (typeof segment === "number" ? segment : String(segment)));
  const there = inside(place, ...path);
  if (issue.code === "unrecognized_keys") {
    const [what = "key", ...known] = issue.message.split(wordSeparator);
    for (const key of issue.keys) {
      if (key === "required" && known.includes("optional"))
        problems.atKey(inside(there, key), requiredHint(valueAt(root, [...issue.path, key]).value));
      else problems.unknown(inside(there, key), "key", { what, name: key, known });
    }
    return;
  }
  const { found, value } = valueAt(root, issue.path);
  if (!found) {
    const mapping = inside(place, ...path.slice(0, -1));
    problems.atKey(mapping, `missing "${path.at(-1)}"; ${expectation(issue)}`);
  } else if (issue.code === "invalid_key") {
    problems.atKey(there, `"${path.at(-1)}" ${issue.issues[0]?.message ?? "is no possible key"}`);
  } else {
    problems.at(there, wording(issue, value), suggestion(issue, value));
  }
}

/** `required` is how other formats say what `optional` says here. */
function requiredHint(value: unknown): string {
  const instead =
    value === false
      ? "write optional: true"
      : "leave it out: an argument is required unless it says optional: true";
  return `unknown key "required"; ${instead}`;
}

/** What would have been right, beginning with "expected" where nothing more is to be said about the value. */
function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") return `expected ${typeNames[issue.expected] ?? issue.expected}`;
  if (issue.code === "invalid_value") return oneOf(issue.values.map(String));
  return issue.message;
}

function wording(issue: z.core.$ZodIssue, value: unknown): string {
  switch (issue.code) {
    case "invalid_type":
    case "invalid_value": {
      const quote = issue.code === "invalid_type" && issue.expected === "string" && isQuotable(value);
      return `${expectation(issue)}, not ${describe(value)}${quote ? "; put it in quotes" : ""}`;
    }
    case "too_small":
      return tooSmall(issue);
    case "too_big":
      return `expected at most ${issue.maximum}`;
    case "custom":
      return issue.message.startsWith("expected ")
        ? `${issue.message}, not ${describe(value)}`
        : issue.message;
    default:
      return issue.code === "invalid_format" ? `${describe(value)} ${issue.message}` : issue.message;
  }
}

function tooSmall(issue: z.core.$ZodIssueTooSmall): string {
  if (issue.origin === "string" || issue.origin === "array") {
    return issue.origin === "string" ? "must not be empty" : "the list must not be empty";
  }
  return `expected ${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}`;
}

function suggestion(issue: z.core.$ZodIssue, value: unknown): string | undefined {
  if (issue.code !== "invalid_value" || typeof value !== "string") return undefined;
  return meantWord(value, issue.values.map(String));
}

function isQuotable(value: unknown): boolean {
  return typeof value === "number" || typeof value === "boolean";
}

/** Longest part of a wrong text that a message repeats. */
const shownText = 40;

/** A value in the words of a message: `a list`, `the number 5`. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a mapping";
  if (typeof value === "number") return `the number ${value}`;
  if (typeof value !== "string") return String(value);
  return JSON.stringify(value.length > shownText ? `${value.slice(0, shownText)}...` : value);
}

const typeNames: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a mapping",
  record: "a mapping",
  nonoptional: "a value",
};
