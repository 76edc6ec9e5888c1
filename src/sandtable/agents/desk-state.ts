import type { Json, JsonObject } from "../../turn/json.ts";
import type { StepToolResult } from "../trial/step-protocol.ts";
import { type Briefing, type Talk, useTool } from "./dialogue.ts";
import type { Habits } from "./habits.ts";
import type { Line, Topic } from "./understand.ts";

/** What the desk has proposed and may do once the caller agrees. */
type Proposal = { kind: "book"; load: string; rate: number } | { kind: "cancel"; booking: string };

/** What one carrier desk knows in one phone call. */
export interface Desk {
  briefing: Briefing;
  habits: Habits;
  /** Tool calls made so far, for their ids. */
  calls: number;
  topic: Topic | null;
  mc: string | null;
  /** The carrier's row once verified. */
  carrier: JsonObject | null;
  /** MC numbers that are not on file. */
  notOnFile: string[];
  load: string | null;
  /** Loads looked up in this call. */
  loads: Map<string, JsonObject>;
  /** Amounts offered, by load. */
  offers: Map<string, number[]>;
  /** Offers were logged and no booking came of them yet. */
  offersOpen: boolean;
  trailer: string | null;
  booking: string | null;
  booked: string[];
  charge: {
    kind: "detention" | "lumper" | null;
    figure: number | null;
    hours: number | null;
    receipt: string | null;
  };
  callback: { name: string | null; phone: string | null };
  needsTow: boolean;
  /** The caller was put through to a person and is on hold. */
  transferred: boolean;
  proposal: Proposal | null;
}

export function newDesk(briefing: Briefing, habits: Habits): Desk {
  return {
    briefing,
    habits,
    calls: 0,
    topic: null,
    mc: null,
    carrier: null,
    notOnFile: [],
    load: null,
    loads: new Map(),
    offers: new Map(),
    offersOpen: false,
    trailer: null,
    booking: null,
    booked: [],
    charge: { kind: null, figure: null, hours: null, receipt: null },
    callback: { name: null, phone: null },
    needsTow: false,
    transferred: false,
    proposal: null,
  };
}

/** Takes in what a line says; what it does not mention stays as it was. */
export function remember(desk: Desk, line: Line, text: string): void {
  if (line.mc !== null && line.mc !== desk.mc) {
    desk.mc = line.mc;
    desk.carrier = null;
  }
  desk.topic = line.topic ?? desk.topic;
  desk.load = line.load ?? desk.load;
  desk.trailer = line.trailer ?? desk.trailer;
  desk.booking = line.booking ?? desk.booking;
  desk.callback.name = line.personName ?? desk.callback.name;
  desk.callback.phone = line.phone ?? desk.callback.phone;
  desk.needsTow ||= line.needsTow;
  const { charge } = desk;
  if (/\bdetention\b/i.test(text)) charge.kind = "detention";
  if (/\blumper\b/i.test(text)) charge.kind = "lumper";
  charge.figure = line.figure ?? charge.figure;
  charge.hours = line.hours ?? charge.hours;
  charge.receipt = line.receipt ?? charge.receipt;
}

/** Calls a tool under the next id. */
export function* use(desk: Desk, tool: string, args: JsonObject): Talk<StepToolResult> {
  desk.calls += 1;
  return yield* useTool(desk.briefing, `c${desk.calls}`, tool, args);
}

/** The rows of a search result; none when the call failed. */
export function rowsOf(outcome: StepToolResult): JsonObject[] {
  return outcome.ok && Array.isArray(outcome.result) ? outcome.result.filter(isObject) : [];
}

/** The row a call returned; `null` when it failed or returned something else. */
export function rowOf(outcome: StepToolResult): JsonObject | null {
  return outcome.ok && isObject(outcome.result) ? outcome.result : null;
}

/** A field as text, dotted paths allowed; empty when it is missing. */
export function text(row: JsonObject, path: string): string {
  const value = field(row, path);
  return value === undefined || value === null || typeof value === "object" ? "" : String(value);
}

/** A field as a number; 0 when it is missing. */
export function number(row: JsonObject, path: string): number {
  const value = field(row, path);
  return typeof value === "number" ? value : 0;
}

function field(row: JsonObject, path: string): Json | undefined {
  let at: Json | undefined = row;
  for (const name of path.split(".")) at = isObject(at) ? at[name] : undefined;
  return at;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** US dollars as a broker writes them: `$1,375`. */
export function dollars(amount: number): string {
  return `$${amount.toLocaleString("en-US")}`;
}
