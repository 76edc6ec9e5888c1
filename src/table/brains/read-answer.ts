import * as z from "zod";
import type { JsonObject } from "../../turn/json.ts";
import { replyFaults } from "../backend/check-reply.ts";
import { maxArgsDepth } from "../protocol/asking-calls.ts";
import type { TableContract } from "../protocol/contract.ts";
import { isDeeper } from "../protocol/shape.ts";
import type { BrainCall, BrainReply } from "./brain.ts";

/** A model's answer that may be used, or what is wrong with it in sentences for the model. */
export type ReadAnswer = { ok: true; reply: BrainReply } | { ok: false; faults: string[] };

const Args = z.record(z.string(), z.json());

/** Arguments lie three levels deep: in a call, in the list of them, in the answer. */
const maxDepth = maxArgsDepth + 3;

/** `args` under the names models give it; some write its JSON into a string. */
const Call = z.looseObject({
  name: z.string().trim().min(1),
  args: z.union([Args, z.string()]).nullish(),
  arguments: z.union([Args, z.string()]).nullish(),
});

const Text = z.union([z.string(), z.number()]).transform(String);

/** An option needs one of the two. */
const Option = z.union([
  Text.transform((label) => ({ id: undefined, label })),
  z.looseObject({ id: Text.nullish(), label: Text.nullish() }),
]);

const Ask = z.union([
  z.string().transform((question) => ({ question, options: undefined, allowFreeText: undefined })),
  z.looseObject({
    question: z.string().nullish(),
    options: z.array(Option).nullish(),
    allowFreeText: z.boolean().nullish(),
  }),
]);

const Answer = z.looseObject({
  text: z.string().nullish(),
  toolCalls: z.array(Call).nullish(),
  askUser: Ask.nullish(),
});

/**
 * Reads what a model wrote for `answerShape`. Forms that mean the same are put right: a fence around the JSON, arguments
 * as a string, options with a label or an id alone, an empty question. Everything else that the protocol or the contract
 * does not allow is a fault. A revision the model names is dropped: it observed none.
 */
export function readAnswer(text: string, contract: TableContract): ReadAnswer {
  const value = parseObject(text);
  if (value === undefined) return fault("It is not one JSON object.");
  // What follows walks through all of it.
  if (isDeeper(value, maxDepth)) return fault(`It is nested deeper than ${maxDepth} levels.`);
  const parsed = Answer.safeParse(value);
  if (!parsed.success) {
    return {
      ok: false,
      faults: parsed.error.issues
        .slice(0, 10)
        .map(({ path, message }) => `At ${path.join(".") || "the top"}: ${message}.`),
    };
  }
  const calls: BrainCall[] = [];
  for (const { name, args, arguments: others } of parsed.data.toolCalls ?? []) {
    const given = readArgs(args ?? others ?? {});
    if (given === undefined) return fault(`The "args" of ${JSON.stringify(name)} are not a JSON object.`);
    calls.push({ name, args: given });
  }
  const ask = readAsk(parsed.data.askUser ?? null);
  const reply: BrainReply = {
    text: parsed.data.text ?? "",
    calls,
    ...(ask === undefined ? {} : { ask }),
  };
  if (reply.text.trim() === "" && calls.length === 0 && ask === undefined)
    return fault("It has no text, no calls and no question.");
  const faults = replyFaults(contract, reply);
  return faults.length === 0 ? { ok: true, reply } : { ok: false, faults };
}

function fault(sentence: string): ReadAnswer {
  return { ok: false, faults: [sentence] };
}

/** The object a text holds, whatever is written around it; `undefined` when there is none. */
function parseObject(text: string): unknown {
  const from = text.indexOf("{");
  const to = text.lastIndexOf("}");
  if (from === -1 || to < from) return undefined;
  try {
    return JSON.parse(text.slice(from, to + 1));
  } catch {
    // Not JSON: the caller says so to the model.
    return undefined;
  }
}

function readArgs(args: z.infer<typeof Args> | string): JsonObject | undefined {
  if (typeof args !== "string") return args;
  const value = parseObject(args);
  if (isDeeper(value, maxArgsDepth)) return undefined;
  const parsed = Args.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

/** The question to the reader; none when it is empty. An id that is missing or taken is made up. */
function readAsk(ask: z.infer<typeof Ask> | null): BrainReply["ask"] {
  const question = ask?.question?.trim() ?? "";
  if (ask === null || question === "") return undefined;
  const taken = new Set<string>();
  const options = (ask.options ?? []).flatMap(({ id, label }, index) => {
    const name = label?.trim() || id?.trim() || "";
    if (name === "") return [];
    const own = id?.trim() || name;
    const free = taken.has(own) ? `${own}-${index + 1}` : own;
    taken.add(free);
    return [{ id: free, label: name }];
  });
  return {
    question,
    ...(options.length === 0 ? {} : { options }),
    allowFreeText: options.length === 0 || (ask.allowFreeText ?? true),
  };
}
