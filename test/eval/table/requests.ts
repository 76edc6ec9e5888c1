import { readFileSync } from "node:fs";
import { parse } from "yaml";
import * as z from "zod";
import type { Json } from "../../../src/turn/json.ts";

const json: z.ZodType<Json> = z.json();
const bag = z.record(z.string(), json);

const wanted = {
  after: z
    .strictObject({
      filters: z.record(z.string(), json),
      search: z.string(),
      sort: z.string().nullable(),
      page: z.number(),
      limit: z.number(),
      group: z.string().nullable(),
      aggregations: z.record(z.string(), z.string()),
      pinned: z.record(z.string(), z.string()),
      hidden: z.array(z.string()),
      order: z.array(z.string()),
      pinnedRows: z.record(z.string(), z.string()),
      selection: z.array(z.string()),
      edits: z.record(z.string(), bag),
      added: z.array(bag),
      deleted: z.array(z.string()),
      moved: z.array(z.string()),
      exported: z.string(),
      applied: z.string(),
      ran: z.array(z.string()),
    })
    .partial()
    .optional(),
  says: z.array(z.string()).optional(),
  asks: z.union([z.literal(true), z.array(z.string())]).optional(),
  answer: z.string().optional(),
  refuses: z.literal(true).optional(),
};

const expectation = z.strictObject(wanted);

const request = z.strictObject({
  id: z.string(),
  table: z.enum(["people", "orders", "support"]),
  say: z.string(),
  conversation: z.array(z.string()).default([]),
  view: bag.default({}),
  contract: z
    .strictObject({
      without: z.array(z.string()).optional(),
      readOnly: z.array(z.string()).optional(),
      policy: z.strictObject({ write: z.enum(["deny", "allow"]) }).optional(),
    })
    .default({}),
  ...wanted,
  or: z.array(expectation).default([]),
});

export type Expectation = z.infer<typeof expectation>;
export type TableRequest = z.infer<typeof request>;

/** The requests the interpreter is built against, or those it is not. */
export function loadRequests(which: "seen" | "unseen"): TableRequest[] {
  const text = readFileSync(new URL(`requests.${which}.yaml`, import.meta.url), "utf8");
  return z.array(request).parse(parse(text));
}
