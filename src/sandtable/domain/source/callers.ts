import * as z from "zod";
import {
  always,
  forms,
  has,
  isBoolean,
  isList,
  isMapping,
  isNumber,
  isText,
  oneOrMany,
  strict,
} from "../forms.ts";
import { callerActs } from "../types.ts";
import { amountTest, cel, text, where } from "./value.ts";

const lines = forms("a line or a list of lines", [isList, z.array(text).min(1)], [isText, text]).meta({
  description: "A line, or a list of which the trial's seed chooses one. {offer} is the amount last named.",
});

const callKeys = {
  tool: text.meta({ description: "A tool of the domain." }),
  args: where.optional().meta({ description: "Condition on the call's arguments." }),
  ok: forms("true, false or any", [isBoolean, z.boolean()], [(value) => value === "any", z.literal("any")])
    .optional()
    .meta({ description: "true: successful calls. false: failed calls. any: both." }),
};

/** A call that was made. */
export const madeCall = forms(
  "a tool, or a mapping with tool",
  [isText, text],
  [isMapping, strict(callKeys)],
);

/** A call that was made so many times. */
export const countedCall = forms(
  "a tool, or a mapping with tool",
  [isText, text],
  [
    isMapping,
    strict({
      ...callKeys,
      times: z.int().min(0).optional().meta({ description: "Exactly so many. Left out: at least one." }),
    }),
  ],
);

const turnTest = strict({
  said: oneOrMany(text).optional().meta({ description: "The agent's reply contains one of these." }),
  not_said: oneOrMany(text).optional().meta({ description: "The agent's reply contains none of these." }),
  asked: forms(
    "true, a text or a list of texts",
    [isBoolean, z.literal(true)],
    [isList, z.array(text).min(1)],
    [isText, text],
  )
    .optional()
    .meta({ description: "The agent asks a question; with texts, one that contains one of them." }),
  offered: forms(
    "true, an amount, or operators such as { lt: 1600 }",
    [isBoolean, z.literal(true)],
    [isNumber, z.number()],
    [isMapping, amountTest],
  )
    .optional()
    .meta({ description: "The agent names an amount of money; with operators, one that meets them." }),
  called: oneOrMany(madeCall).optional().meta({ description: "One of these calls was made in the turn." }),
  cel: cel.optional().meta({ description: "CEL over reply, turn, calls, messages and the world." }),
});

const act = z.enum(callerActs).meta({ description: "What the caller means by the line. Default continue." });

// biome-ignore lint/suspicious/noThenProperty: a schema, which nothing awaits
const acting = { then: act.optional() };

const reply = strict({
  when: oneOrMany(turnTest)
    .optional()
    .meta({ description: "What the agent's last turn was like; a list: any of them. Left out: always." }),
  say: lines.optional(),
  ...acting,
  times: z.int().min(1).optional().meta({ description: "How often the line can be used. Left out: always." }),
});

const scripted = strict({
  opens: lines.meta({ description: "The first line; of a list the trial's seed chooses one." }),
  replies: z
    .array(reply)
    .optional()
    .meta({ description: "The first that matches the agent's last turn is used." }),
  fallback: forms(
    "a line, a list of lines, or { say, then }",
    [isMapping, strict({ say: lines, ...acting })],
    [always, lines],
  )
    .optional()
    .meta({ description: "When no reply matches. Left out: the caller hangs up." }),
  patience: z.int().min(0).optional().meta({
    description: "How often the caller insists, refuses or falls back before giving up. Default 3.",
  }),
  gives_up: lines.optional().meta({ description: "Last words when patience ends." }),
});

const modelPlayed = strict({
  goal: text.meta({ description: "What the caller wants, in a sentence or two." }),
  knows: z
    .record(
      text,
      forms(
        "a string, a number, true or false",
        [isText, text],
        [isNumber, z.number()],
        [isBoolean, z.boolean()],
      ),
    )
    .optional()
    .meta({ description: "Facts by name that the caller can tell." }),
  does_not_know: z
    .array(text)
    .optional()
    .meta({ description: "Facts the caller must say it does not know." }),
  manner: text.optional().meta({ description: "How the caller speaks." }),
  opens: text.optional().meta({ description: "A fixed first line. Left out: the model opens." }),
  model: z
    .string()
    .regex(/^[a-z0-9-]+\/\S+$/, "is no model; expected provider/model")
    .optional()
    .meta({ description: "provider/model. Left out: the default model." }),
  price: strict({
    input: z.number().min(0).meta({ description: "For a million tokens read." }),
    output: z.number().min(0).meta({ description: "For a million tokens written." }),
  })
    .optional()
    .meta({ description: "US dollars for a million tokens." }),
});

const modelKeys = ["goal", "knows", "does_not_know", "manner", "model", "price"];

/** One caller of callers.yaml, or callers/NAME.yaml. A key only model-played callers have makes it one. */
export const caller = forms(
  "a mapping with opens and replies, or with goal",
  [has(...modelKeys), modelPlayed],
  [isMapping, scripted],
);
export type ScriptedSource = z.input<typeof scripted>;
export type ModelSource = z.input<typeof modelPlayed>;
export type ReplySource = z.input<typeof reply>;
export type TurnTestSource = z.input<typeof turnTest>;
export type CallerSource = ScriptedSource | ModelSource;
export const isModelPlayed = has(...modelKeys);
