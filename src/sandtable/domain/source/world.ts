import * as z from "zod";
import { forms, isList, isMapping, isText, strict } from "../forms.ts";
import { anything, text } from "./value.ts";

const row = z.record(z.string(), anything);

const pattern = text.meta({ description: "{n} stands for a counter, as in L-{n}." });

/** One table of world.yaml, or world/NAME.yaml. */
export const table = strict({
  key: text.meta({ description: "The field that holds each row's key. Keys are strings." }),
  noun: text.optional().meta({
    description: "What error texts call one row, as in `Load L-1 not found`. Default: the table's name.",
  }),
  new_key: forms(
    "a pattern such as L-{n}, or { pattern, start }",
    [isText, pattern],
    [
      isMapping,
      strict({
        pattern,
        start: z.int().min(0).optional().meta({ description: "First number of the counter. Default 1." }),
      }),
    ],
  )
    .optional()
    .meta({
      description: "How keys of created rows look. Default: the table's name, `-` and a number from 1.",
    }),
  fields: z
    .array(text)
    .optional()
    .meta({ description: "The only fields rows have. Left out: whatever rows, tasks and tools put there." }),
  rows: forms("rows by key, or a list of rows", [isList, z.array(row)], [isMapping, z.record(text, row)])
    .optional()
    .meta({ description: "Rows by key, or a list of rows that carry their key field." }),
  rows_from: text
    .optional()
    .meta({ description: "A file of the folder world/ with one JSON row a line. For large tables." }),
});
export type TableSource = z.input<typeof table>;
