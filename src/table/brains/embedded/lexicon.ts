import type { Json } from "../../../turn/json.ts";
import type { TableContract } from "../../protocol/contract.ts";
import { saidFor } from "./concepts.ts";
import { type Field, fieldsOf } from "./field.ts";
import type { Token } from "./tokenise.ts";
import { fold, isNear, stemOf, wordsOf } from "./words.ts";

/** Fields that words name: by their whole label or id (`3`), a part of it (`2`), or what such a column is called (`1`). */
export interface FieldMention {
  fields: Field[];
  strength: 1 | 2 | 3;
  next: number;
}

export interface Option {
  field: Field;
  value: Json;
  label: string;
}

/** Values that filters offer under the words said; `exact` when they were said as written. */
export interface OptionMention {
  options: Option[];
  exact: boolean;
  next: number;
}

interface Entry {
  words: string[];
  stems: string[];
  strength: 1 | 2 | 3;
  field: Field;
  option?: Option;
}

/** Words of labels that name nothing on their own. */
const empty: ReadonlySet<string> = new Set([
  "on",
  "at",
  "in",
  "of",
  "the",
  "a",
  "an",
  "by",
  "to",
  "no",
  "is",
  "for",
  "and",
  "or",
  "from",
  "with",
  "new",
  "old",
  "open",
]);

/** General words for rows, beside those of the table's own name. */
const rowNouns =
  "row rows record records entry entries line lines people person persons folk folks everyone everybody anyone anybody someone employee employees staff guy guys colleague colleagues worker workers member members one ones thing things stuff result results item data";

/** All names a contract gives, found by the words of a message. */
export class Lexicon {
  readonly fields: Field[];
  /** The column that names a row to a person; undefined when no text can be read. */
  readonly title: Field | undefined;
  readonly #byStem = new Map<string, Entry[]>();
  readonly #single: Entry[] = [];
  readonly #rowNouns: ReadonlySet<string>;

  constructor(contract: TableContract) {
    this.fields = fieldsOf(contract);
    this.title = titleOf(this.fields);
    for (const field of this.fields) this.#addField(field);
    const own = [
      ...wordsOf(contract.tableId),
      ...(this.title === undefined ? [] : wordsOf(this.title.label)),
    ];
    const nouns = [
      ...rowNouns.split(" "),
      ...own.filter((word) => !["name", "title", "subject", "table"].includes(word)),
    ];
    this.#rowNouns = new Set(nouns.map(stemOf));
  }

  /** Whether a word only says "a row of this table". */
  isRowNoun(word: string): boolean {
    return this.#rowNouns.has(stemOf(word));
  }

  /** The fields that words from a token on name, by the longest and surest match; null when none. */
  fieldsAt(tokens: readonly Token[], at: number): FieldMention | null {
    const found = this.#entriesAt(tokens, at).filter(({ entry }) => entry.option === undefined);
    const best = found.reduce((most, { entry }) => Math.max(most, rank(entry)), 0);
    const chosen = found.filter(({ entry }) => rank(entry) === best);
    const [first] = chosen;
    if (first === undefined) return null;
    return {
      fields: [...new Set(chosen.map(({ entry }) => entry.field))],
      strength: first.entry.strength,
      next: at + first.entry.words.length,
    };
  }

  /** The options that words from a token on name, by the longest match; null when none. */
  optionsAt(tokens: readonly Token[], at: number): OptionMention | null {
    const found = this.#entriesAt(tokens, at).filter(({ entry }) => entry.option !== undefined);
    const length = found.reduce((most, { entry }) => Math.max(most, entry.words.length), 0);
    const longest = found.filter(({ entry }) => entry.words.length === length);
    const exact = longest.filter((one) => one.exact);
    const sure = exact.length > 0 ? exact : longest;
    const strength = sure.reduce((most, { entry }) => Math.max(most, entry.strength), 0);
    const options = sure.flatMap(({ entry }) =>
      entry.option !== undefined && entry.strength === strength ? [entry.option] : [],
    );
    const unique = options.filter(
      (option, index) =>
        options.findIndex((other) => other.field === option.field && other.value === option.value) === index,
    );
    return unique.length === 0 ? null : { options: unique, exact: exact.length > 0, next: at + length };
  }

  #entriesAt(tokens: readonly Token[], at: number): { entry: Entry; exact: boolean }[] {
    const token = tokens[at];
    if (token === undefined || token.kind === "sign") return [];
    const known = (this.#byStem.get(token.stem) ?? []).filter((entry) => this.#fits(entry, tokens, at));
    if (known.length > 0) {
      return known.map((entry) => ({
        entry,
        exact: entry.words.every((word, index) => tokens[at + index]?.word === word),
      }));
    }
    if (
      token.kind !== "word" ||
      token.word.length < 4 ||
      this.isRowNoun(token.word) ||
      common.has(token.word)
    )
      return [];
    return this.#nearly(token.word).map((entry) => ({ entry, exact: false }));
  }

  #fits(entry: Entry, tokens: readonly Token[], at: number): boolean {
    return entry.stems.every(
      (stem, index) => tokens[at + index]?.stem === stem && tokens[at + index]?.kind !== "sign",
    );
  }

  /** Entries of one word that a misspelt or shortened word can only mean together. */
  #nearly(word: string): Entry[] {
    const near = this.#single.filter((entry) => isNear(word, entry.words[0] ?? ""));
    if (near.length > 0) return near;
    const longer = this.#single.filter((entry) => entry.strength === 3 && entry.words[0]?.startsWith(word));
    return new Set(longer.map(({ field }) => field)).size === 1 ? longer : [];
  }

  #addField(field: Field): void {
    const named = [wordsOf(field.label), wordsOf(field.id)];
    for (const words of named) this.#add({ words, field, strength: 3 });
    for (const words of named) {
      if (words.length < 2) continue;
      this.#add({ words: [words.join("")], field, strength: 3 });
      for (const word of words) if (!empty.has(word)) this.#add({ words: [word], field, strength: 2 });
      if (words.length > 2) this.#add({ words: words.slice(0, 2), field, strength: 2 });
    }
    // "due date" names "SLA due" as well.
    if (field.kind === "date")
      for (const words of named)
        for (const word of words)
          if (!empty.has(word) && word !== "date") this.#add({ words: [word, "date"], field, strength: 2 });
    if (field.kind === "date") this.#add({ words: ["date"], field, strength: 2 });
    for (const concept of field.concepts)
      for (const stem of saidFor(concept)) this.#add({ words: [stem], field, strength: 1 });
    for (const { value, label } of field.options) this.#addOption(field, value, label);
  }

  #addOption(field: Field, value: Json, label: string): void {
    const option: Option = { field, value, label };
    const words = wordsOf(label);
    this.#add({ words, field, option, strength: 3 });
    this.#add({ words: fold(String(value)).match(/[\p{L}\p{N}]+/gu) ?? [], field, option, strength: 3 });
    const [first = "", ...rest] = words;
    const short = [first, ...(rest.length === 1 && isName(label) ? rest : [])];
    if (words.length < 2 || words.length > 4) return;
    for (const word of short)
      if (word.length > 2 && (isName(label) || word.length > 5) && !common.has(word))
        this.#add({ words: [word], field, option, strength: 2 });
  }

  #add(given: Omit<Entry, "stems">): void {
    const stems = given.words.map(stemOf);
    const [first] = stems;
    if (first === undefined || given.words.length > 12) return;
    const entry: Entry = { ...given, stems };
    const others = this.#byStem.get(first);
    if (others === undefined) this.#byStem.set(first, [entry]);
    else others.push(entry);
    if (stems.length === 1 && given.strength === 3) this.#single.push(entry);
  }
}

/** Words that must not be taken for a misspelt or shortened name. */
const common: ReadonlySet<string> = new Set(
  "new los san north south east west the big with from that this them they then than those these what when where which who show only just over under more less most least high highest low lowest first last next page sort order group filter hide please also make give each every still into about have does were would could should their there here your mine ours name names date dates number numbers per and rank".split(
    " ",
  ),
);

function rank({ words, strength }: Entry): number {
  return words.length * 10 + strength;
}

/** Two words that both begin with a capital, as people and places are named. */
function isName(label: string): boolean {
  return /^\p{Lu}\p{L}+ \p{Lu}\p{L}+$/u.test(label);
}

function titleOf(fields: readonly Field[]): Field | undefined {
  const texts = fields.filter(({ column }) => column?.readable && column.type === "string");
  return (
    texts.find(({ id, label }) => [...wordsOf(id), ...wordsOf(label)].includes("name")) ??
    texts[0] ??
    fields.find(({ column }) => column?.readable)
  );
}
