import * as z from "zod";
import { forms, isMapping, isNull, isText, oneOrMany, strict } from "../forms.ts";
import { caller, countedCall, madeCall } from "./callers.ts";
import { anything, text, where } from "./value.ts";

const row = forms(
  "the fields of a row, or null for no such row",
  [isNull, z.null()],
  [isMapping, z.record(z.string(), anything)],
);

const rowExpect = forms(
  "conditions on fields, or null for no such row",
  [isNull, z.null()],
  [(value) => value !== undefined, where],
);

const said = forms(
  "a text, or { any: [...] }",
  [isText, text],
  [isMapping, strict({ any: z.array(text).min(1).meta({ description: "Any of these texts will do." }) })],
);

const step = z.record(text, anything).meta({
  description:
    "One call, as { tool: { argument: value } }; or a line, as { agent: text } or { caller: text }.",
});

/** One task of tasks.yaml, or tasks/NAME.yaml. */
export const task = strict({
  description: text.optional().meta({ description: "What the task is about, for the report." }),
  tags: z.array(text).optional().meta({ description: "Names to select tasks by and to set floors for." }),
  critical: z
    .boolean()
    .optional()
    .meta({ description: "true: a failure fails the whole run. Default false." }),
  max_turns: z
    .int()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: "Most lines of the caller. Default 20." }),
  given: z.record(text, z.record(text, row)).optional().meta({
    description: "Table to key to fields: merged into the row, or a new row. null removes the row.",
  }),
  caller: forms("the name of a caller, or a caller", [isText, text], [isMapping, caller]).meta({
    description: "A caller, or the name of one in callers.yaml.",
  }),
  reference: z
    .array(step)
    .optional()
    .meta({ description: "A path that does the task well. `greenroom lint` replays it." }),
  expect: strict({
    called: oneOrMany(countedCall).optional().meta({ description: "Calls that were made." }),
    not_called: oneOrMany(madeCall)
      .optional()
      .meta({ description: "Calls that were not made; any attempt counts." }),
    state: z
      .record(text, z.record(text, rowExpect))
      .optional()
      .meta({ description: "Table to key to conditions on the row at the end. null: no such row." }),
    say: oneOrMany(said).optional().meta({ description: "What the agent said." }),
    not_say: oneOrMany(said).optional().meta({ description: "What the agent did not say." }),
  })
    .optional()
    .meta({ description: "What must hold when the call is over." }),
});
export type TaskSource = z.input<typeof task>;
