import * as z from "zod";
import { always, forms, has, isBoolean, isList, isMapping, oneOrMany, strict } from "../forms.ts";
import { anything, cel, key, path, table, text, where } from "./value.ts";

const toolRef = text.meta({ description: "A tool of the domain." });

const argument = text.meta({ description: "An argument; dotted for a part of an object." });

/** A literal, an argument, CEL, or a field of a row. */
const limit = forms(
  "a value, or a mapping with table, key and field",
  [has("table"), strict({ table, key, field: path })],
  [always, anything],
)
  .optional()
  .meta({ description: "A value, or { table, key, field } for a field of a row." });

const secretField = strict({
  table,
  field: path.meta({ description: "The field whose value is never said." }),
  where: where.optional().meta({ description: "Only in rows that match." }),
});
const secretTexts = strict({ texts: z.array(text).min(1).meta({ description: "Words never said." }) });

/** The keys that make a rule; a rule has exactly one. */
export const ruleForms = ["requires", "bound", "check", "limit", "confirmed", "never_disclose"] as const;

/** One rule of rules.yaml, or rules/NAME.yaml. */
export const rule = strict({
  description: text.optional().meta({ description: "The rule in your words, for the report." }),
  on: oneOrMany(toolRef).optional().meta({ description: "Tools the rule guards. Left out: every tool." }),
  when: where.optional().meta({ description: "The rule applies only to calls whose arguments match." }),
  severity: z
    .enum(["hard", "soft"])
    .optional()
    .meta({ description: "hard: a breach fails the trial. soft: it is only reported. Default hard." }),
  source: strict({
    quote: text.meta({ description: "The sentence of the customer's document the rule comes from." }),
    document: text
      .optional()
      .meta({ description: "Name of the document. One in this folder must contain the quote." }),
    section: text.optional().meta({ description: "Section of that document." }),
  })
    .optional()
    .meta({ description: "Where the rule comes from; shown beside every breach." }),
  requires: strict({
    call: oneOrMany(toolRef).meta({
      description: "An earlier successful call of one of these tools is required.",
    }),
    same: forms(
      "a list of arguments, or a mapping of this call's argument to the earlier call's",
      [isList, z.array(argument).min(1)],
      [isMapping, z.record(text, argument)],
    )
      .optional()
      .meta({ description: "Arguments both calls share; or this call's argument to the earlier call's." }),
    args: where.optional().meta({ description: "Condition on the earlier call's arguments." }),
    result: where.optional().meta({ description: "Condition on the earlier call's result." }),
  })
    .optional()
    .meta({ description: "An earlier successful call." }),
  bound: strict({ arg: argument, eq: limit, ne: limit, gt: limit, gte: limit, lt: limit, lte: limit })
    .optional()
    .meta({
      description: "Limits of an argument: a literal, or { table, key, field } for a field of a row.",
    }),
  check: cel.optional().meta({ description: "CEL that is true while the rule is kept." }),
  limit: strict({
    times: z.int().min(0).meta({ description: "Most calls in one trial." }),
    per: z
      .array(argument)
      .min(1)
      .optional()
      .meta({ description: "Counted apart for each value of these arguments." }),
    counting: z
      .enum(["successful", "all"])
      .optional()
      .meta({ description: "Which earlier calls count. Default successful." }),
  })
    .optional()
    .meta({ description: "At most so many calls." }),
  confirmed: forms(
    "true, or a mapping with states or words",
    [isBoolean, z.literal(true)],
    [
      isMapping,
      strict({
        states: z
          .array(argument)
          .min(1)
          .optional()
          .meta({ description: "Arguments whose values the agent must have said before the caller's yes." }),
        words: z
          .array(text)
          .min(1)
          .optional()
          .meta({ description: "What counts as yes, instead of the usual words." }),
      }),
    ],
  )
    .optional()
    .meta({ description: "The caller said yes before the call." }),
  never_disclose: oneOrMany(
    forms("{ table, field } or { texts }", [has("texts"), secretTexts], [isMapping, secretField]),
  )
    .optional()
    .meta({ description: "Values the agent may see and must not say." }),
});
export type SecretSource = z.input<typeof secretField> | z.input<typeof secretTexts>;
export type RuleSource = z.input<typeof rule>;
