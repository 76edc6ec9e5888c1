import type { Json, JsonObject } from "../../turn/json.ts";

/**
 * A compiled domain: what a domain folder says, with shorthands expanded and references checked.
 * `loadDomain` makes it from text; nothing downstream reads YAML. It is plain JSON, so it crosses RPC and storage.
 */
export interface Domain {
  name: string;
  description: string;
  /** Text of policy.md. `description` and `policy` together are the default system prompt. */
  policy: string;
  /** The instant every trial believes it is, ISO 8601 UTC. */
  clock: string;
  tables: Table[];
  tools: Tool[];
  rules: Rule[];
  tasks: Task[];
}

export interface Table {
  name: string;
  /** Field that holds each row's key. Keys are strings. */
  key: string;
  /** Singular used in error texts, such as `Load` in `Load L-1 not found`. */
  noun: string;
  /** Pattern for generated keys: `{n}` stands for a counter that starts at `start`. */
  newKey: { pattern: string; start: number };
  /** Names of the fields rows of this table have, for checking references. */
  fields: string[];
  /** Base rows in file order. Each row carries its key field. */
  rows: JsonObject[];
}

/** A value written in a domain: literal, `$argument`, CEL, or a structure of them. */
export type Value =
  | { kind: "literal"; value: Json }
  /** Argument of the call under way. `path[0]` is the argument's name. */
  | { kind: "arg"; path: string[] }
  | { kind: "cel"; source: string }
  | { kind: "object"; entries: { name: string; value: Value }[] }
  | { kind: "list"; items: Value[] };

export const operators = [
  "eq",
  "ne",
  "gt",
  "gte",
  "lt",
  "lte",
  "in",
  "not_in",
  "contains",
  "not_contains",
  "starts_with",
  "ends_with",
  "exists",
] as const;
export type Operator = (typeof operators)[number];

/** One test of a field. `path` is dotted in the source, split here. `any` looks for one list element that matches. */
export type FieldTest =
  | { path: string[]; op: Operator; value: Value }
  | { path: string[]; op: "any"; where: Where };

/** A condition on an object: any of the alternatives, all tests of one alternative. */
export type Where = FieldTest[][];

export type ParamType = "string" | "number" | "integer" | "boolean" | "object" | "list";

export interface Param {
  type: ParamType;
  description?: string;
  optional: boolean;
  enum?: (string | number)[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  items?: Param;
  properties?: NamedParam[];
}
export interface NamedParam extends Param {
  name: string;
}

/** Picks rows of a table: the one with a key, or every one that matches. */
export type RowSelector = { table: string } & (
  | { key: Value; where?: undefined }
  | { key?: undefined; where: Where }
);

/** Stops a call before it acts. The call fails with `error` when the condition holds (`if`) or does not (`unless`). */
export interface Guard {
  on: "if" | "unless";
  test:
    | { kind: "row"; table: string; key: Value; where: Where }
    | { kind: "rows"; table: string; where: Where }
    | { kind: "cel"; source: string };
  /** Text with `{argument}` placeholders. */
  error: string;
}

export type Effect =
  | { kind: "create"; table: string; key?: Value; set: { path: string[]; value: Value }[] }
  | {
      kind: "update";
      rows: RowSelector;
      set: { path: string[]; value: Value }[];
      append: { path: string[]; value: Value }[];
      remove: { path: string[]; value: Value }[];
    }
  | { kind: "delete"; rows: RowSelector };

export type Action =
  | { kind: "lookup"; rows: RowSelector; fields?: string[]; error?: string }
  | {
      kind: "search";
      table: string;
      where?: Where;
      sort: { path: string[]; descending: boolean }[];
      limit?: number;
      fields?: string[];
    }
  | { kind: "respond"; value: Value }
  /** Effects run in order, all or none. The result is `respond`, else the row or rows of the first effect. */
  | { kind: "write"; effects: Effect[]; respond?: Value };

export interface Tool {
  name: string;
  description: string;
  params: NamedParam[];
  guards: Guard[];
  action: Action;
}

export interface RuleHead {
  id: string;
  description?: string;
  /** Tools the rule guards; `null` is every tool. Unused by `never_disclose`. */
  on: string[] | null;
  /** The rule applies only to calls whose arguments match. */
  when?: Where;
  /** `soft` breaches are reported and do not fail the trial. */
  severity: "hard" | "soft";
  source?: { quote: string; document?: string; section?: string };
}

export interface Bound {
  op: "eq" | "ne" | "gt" | "gte" | "lt" | "lte";
  limit: { kind: "value"; value: Value } | { kind: "row"; table: string; key: Value; path: string[] };
}

export type RuleForm =
  /** An earlier successful call of one of `tools` is required, with arguments joined and conditions met. */
  | {
      kind: "requires";
      tools: string[];
      same: { argument: string[]; earlier: string[] }[];
      args?: Where;
      result?: Where;
    }
  | { kind: "bound"; argument: string[]; bounds: Bound[] }
  /** CEL that is true when the rule is kept. */
  | { kind: "check"; cel: string }
  /** At most `times` calls, apart for each value of `per`. */
  | { kind: "limit"; times: number; per: string[][]; counting: "successful" | "all" }
  /** The caller said yes after the agent stated the values of `states`. `words` replaces the built-in affirmatives. */
  | { kind: "confirmed"; states: string[][]; words?: string[] }
  /** Values the agent may see and must not say: fields of rows it was shown, or fixed texts. */
  | { kind: "never_disclose"; fields: { table: string; path: string[]; where?: Where }[]; texts: string[] };

export type Rule = RuleHead & RuleForm;

export interface CallExpect {
  tool: string;
  args?: Where;
  /** `true`: only successful calls count; `false`: only failed ones; absent: any attempt. */
  ok?: boolean;
  /** Exact number of matching calls; absent: at least one. */
  times?: number;
}

/** One text expectation: satisfied when any alternative occurs. Matching ignores case, spacing and number format. */
export interface TextExpect {
  any: string[];
}

export interface Expect {
  called: CallExpect[];
  notCalled: CallExpect[];
  /** `where: null` expects that no such row exists. */
  state: { table: string; key: string; where: Where | null }[];
  say: TextExpect[];
  notSay: TextExpect[];
}

export const callerActs = ["continue", "accept", "refuse", "insist", "confirm", "hang_up"] as const;
export type CallerAct = (typeof callerActs)[number];

/** A test of the agent's last turn. All present parts must hold. */
export interface AgentTurnTest {
  /** Any of these texts occurs in the reply. */
  said?: string[];
  /** None of these texts occurs in the reply. */
  notSaid?: string[];
  /** The reply asks a question; with texts, a question that contains one of them. */
  asked?: true | string[];
  /** The reply names an amount of money; with tests, one that passes all of them. Paths are empty. */
  offered?: true | FieldTest[];
  /** One of these calls was made during the turn. */
  called?: CallExpect[];
  cel?: string;
}

export interface CallerLine {
  /** Any of these holds; empty: always. */
  when: AgentTurnTest[];
  /** One is chosen by the trial's seeded random; `{offer}` is the amount the agent last named. Empty: says nothing. */
  say: string[];
  act: CallerAct;
  /** The line can be used this often; absent: without limit. */
  times?: number;
}

export interface ScriptedCaller {
  kind: "scripted";
  opens: string[];
  replies: CallerLine[];
  /** Said when no line matches. Absent: the caller hangs up. */
  fallback?: CallerLine;
  /** How many times the caller insists, refuses or falls back before it gives up and hangs up. */
  patience: number;
  /** Last words when patience ends. Empty: hangs up without a word. */
  givesUp: string[];
}

/** US dollars for a million tokens. */
export interface Price {
  input: number;
  output: number;
}

export interface ModelCaller {
  kind: "model";
  /** `provider/model`; absent: the Worker's default model. */
  model?: string;
  price?: Price;
  goal: string;
  knows: { fact: string; value: string }[];
  /** Facts the caller must say it does not know. */
  unknown: string[];
  manner?: string;
  /** Fixed first line; absent: the model opens. */
  opens?: string;
}

export type Caller = ScriptedCaller | ModelCaller;

/** A step of a reference path, replayed by lint: a call the agent makes, or a line of either side. */
export type ReferenceStep =
  | { kind: "call"; tool: string; args: JsonObject }
  | { kind: "agent"; text: string }
  | { kind: "caller"; text: string };

export interface Task {
  id: string;
  description?: string;
  tags: string[];
  critical: boolean;
  maxTurns: number;
  /** Rows added to or merged into the base world; `row: null` removes one. */
  given: { table: string; key: string; row: JsonObject | null }[];
  caller: Caller;
  reference: ReferenceStep[];
  expect: Expect;
}
