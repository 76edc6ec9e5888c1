import type { Clause } from "./clause.ts";
import { beginnings } from "./concepts.ts";
import { type Context, pickField } from "./context.ts";
import type { Field } from "./field.ts";
import { fieldFrom, skipNouns } from "./name-field.ts";
import { dateField, numberField, usable } from "./pick-field.ts";

export type Dir = "asc" | "desc";

/** What a superlative is about, and which end comes first. */
const superlatives: Record<string, { dir: Dir; about: "number" | "date" | "any" }> = {
  highest: { dir: "desc", about: "number" },
  biggest: { dir: "desc", about: "number" },
  largest: { dir: "desc", about: "number" },
  greatest: { dir: "desc", about: "number" },
  most: { dir: "desc", about: "any" },
  best: { dir: "desc", about: "number" },
  top: { dir: "desc", about: "number" },
  maximum: { dir: "desc", about: "number" },
  priciest: { dir: "desc", about: "number" },
  richest: { dir: "desc", about: "number" },
  lowest: { dir: "asc", about: "number" },
  smallest: { dir: "asc", about: "number" },
  least: { dir: "asc", about: "any" },
  fewest: { dir: "asc", about: "number" },
  worst: { dir: "asc", about: "number" },
  cheapest: { dir: "asc", about: "number" },
  minimum: { dir: "asc", about: "number" },
  bottom: { dir: "asc", about: "number" },
  newest: { dir: "desc", about: "date" },
  latest: { dir: "desc", about: "date" },
  recent: { dir: "desc", about: "date" },
  freshest: { dir: "desc", about: "date" },
  youngest: { dir: "desc", about: "date" },
  oldest: { dir: "asc", about: "date" },
  earliest: { dir: "asc", about: "date" },
  soonest: { dir: "asc", about: "date" },
  longest: { dir: "asc", about: "date" },
  shortest: { dir: "desc", about: "date" },
};

export interface Superlative {
  dir: Dir;
  field: Field;
  start: number;
  end: number;
}

/** A superlative and the column it is about, of tokens with a number between them. */
export function rankOf(context: Context, clause: Clause, start: number, end: number): Superlative | null {
  let dir: Dir = "desc";
  let about: "number" | "date" | "any" = "number";
  for (let at = start; at < end; at++) {
    const known = superlativeWord(clause.word(at));
    if (known !== null) ({ dir, about } = known);
  }
  let next = end;
  if (clause.word(next) === "by") next++;
  const named =
    fieldAfter(context, clause, next, about) ??
    fieldAfter(context, clause, skipNouns(context, clause, next), about);
  if (named !== null)
    return {
      dir,
      field: pickField(context, usable(named.fields, "read"), clause.raw(named.start, named.end)),
      start,
      end: named.end,
    };
  return { dir, field: implied(context, about, clause.raw(start, end)), start, end };
}

/** A superlative at a token with the column it is about; null when there is none. */
export function superlativeAt(context: Context, clause: Clause, at: number): Superlative | null {
  const known = superlativeWord(clause.word(at));
  if (known === null) return null;
  let { dir, about } = known;
  let next = at + 1;
  const second = superlativeWord(clause.word(next));
  if (about === "any" && second !== null) {
    ({ about } = second);
    dir = clause.word(at) === "least" ? (second.dir === "asc" ? "desc" : "asc") : second.dir;
    next++;
  }
  if (about === "any" && /^(?:expensive|valuable|costly)$/.test(clause.word(next))) {
    about = "number";
    next++;
  }
  const option = about === "any" ? context.lexicon.optionsAt(clause.tokens, next) : null;
  const ranked = option?.exact ? option.options[0] : undefined;
  if (option !== null && ranked !== undefined)
    return {
      dir: rankDir(ranked.field, ranked.value, dir),
      field: ranked.field,
      start: at,
      end: option.next,
    };
  const named = fieldAfter(context, clause, next, about);
  const fields = named?.fields ?? [];
  if (named !== null && fields.length > 0) {
    const flipped =
      clause.word(at) === "longest" || clause.word(at) === "shortest"
        ? about === "date" && fields.every(({ kind }) => kind !== "date")
        : false;
    return {
      dir: flipped ? (dir === "asc" ? "desc" : "asc") : dir,
      field: pickField(context, usable(fields, "read"), clause.raw(at, named.end)),
      start: at,
      end: named.end,
    };
  }
  if (about === "any") return null;
  return { dir, field: implied(context, about, clause.raw(at, next)), start: at, end: next };
}

/** What a superlative says by itself; null for another word. */
export function superlativeWord(word: string): { dir: Dir; about: "number" | "date" | "any" } | null {
  return Object.hasOwn(superlatives, word) ? (superlatives[word] ?? null) : null;
}

/** `most urgent` comes first by the order of the values themselves. */
function rankDir({ options }: Field, value: unknown, dir: Dir): Dir {
  const sorted = options.map((option) => String(option.value)).sort();
  const early = sorted.indexOf(String(value)) < sorted.length / 2;
  return early === (dir === "desc") ? "asc" : "desc";
}

function implied(context: Context, about: "number" | "date" | "any", said: string): Field {
  if (about === "date") {
    const dates = context.lexicon.fields.filter(({ kind, column }) => kind === "date" && column?.readable);
    const begins = dates.filter(({ concepts }) => concepts.some((concept) => beginnings.includes(concept)));
    return dateField(context, begins.length === 1 ? begins : dates, "read", said);
  }
  return numberField(context, [], { money: "likely" }, "read", said);
}

/** A column named from a token on, past articles; of kinds that suit what is said of it. */
function fieldAfter(context: Context, clause: Clause, from: number, about: "number" | "date" | "any") {
  const named = fieldFrom(context, clause, from);
  if (named === null) return null;
  // "the oldest open ticket": a value, though a column is known by such a word.
  if (named.strength === 1 && context.lexicon.optionsAt(clause.tokens, named.start)?.exact) return null;
  const fit = named.fields.filter(
    ({ kind }) =>
      about === "any" ||
      kind === about ||
      (about === "date" && kind === "number") ||
      (about === "number" && kind === "date" && named.strength > 1),
  );
  const sound = fit.filter((field) => field !== context.lexicon.title);
  return sound.length === 0 ? null : { ...named, fields: sound };
}
