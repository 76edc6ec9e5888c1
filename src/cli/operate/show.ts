import type { CommandContext } from "../command-context.ts";
import { type Column, printTable } from "../terminal/table.ts";
import { plain, type Terminal, type Tone } from "../terminal/terminal.ts";
import type { Reply } from "./operate-client.ts";

/** Tones of the states that runs and approvals are in. */
const tones: { [status: string]: Tone } = {
  done: "good",
  approved: "good",
  running: "accent",
  pending: "warn",
  waiting: "warn",
  interrupted: "warn",
  timed_out: "warn",
  failed: "bad",
  rejected: "bad",
  cancelled: "dim",
};

/** A column of a list: its head, and how a row's text is read. */
export interface Field extends Column {
  of(row: Reply): unknown;
  /** The text is a state. */
  status?: boolean;
}

/** Prints the `items` of a reply as a table, and how to see what follows. */
export function showItems(reply: Reply, fields: Field[], none: string, { out }: CommandContext): void {
  const rows = Array.isArray(reply.items) ? (reply.items as Reply[]) : [];
  if (rows.length === 0) {
    out.line(out.tone("dim", none));
    return;
  }
  printTable(
    fields,
    rows.map((row) =>
      fields.map((field) => {
        const text = textOf(field.of(row));
        const tone = field.status === true ? tones[text] : undefined;
        return tone === undefined ? { text } : { text, tone };
      }),
    ),
    out,
  );
  if (typeof reply.nextCursor === "string")
    out.line(out.tone("dim", `More: add --cursor ${plain(reply.nextCursor)}`));
}

/** Prints members of an object, one a line, the absent ones left out; what is not a text as JSON. */
export function showMembers(members: [label: string, value: unknown][], { out }: CommandContext): void {
  const shown = members.filter(([, value]) => value !== undefined && value !== null && value !== "");
  const width = Math.max(0, ...shown.map(([label]) => label.length));
  for (const [label, value] of shown) showMember(label.padEnd(width), value, out);
}

function showMember(label: string, value: unknown, out: Terminal): void {
  const text = textOf(value);
  out.line(`${out.tone("dim", label)}  ${out.tone(tones[text] ?? "strong", text)}`);
}

/** A value on one line, with nothing a terminal would act on. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return plain(typeof value === "string" ? value : JSON.stringify(value));
}

/** A time as people read it: seconds, in the time zone of this machine. */
export function timeOf(value: unknown): string {
  if (typeof value !== "string") return "";
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? plain(value) : date.toLocaleString("sv-SE");
}
