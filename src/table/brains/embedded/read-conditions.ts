import { addDays } from "./calendar.ts";
import type { Clause } from "./clause.ts";
import { compareAfter, compareAt } from "./comparators.ts";
import { type Condition, negated, type Test } from "./condition.ts";
import { merged, openSpan, scaled } from "./condition-parts.ts";
import type { Context } from "./context.ts";
import { countAt, type DaySpan, isCount, unitAt, before as unitsBefore } from "./dates.ts";
import type { Field } from "./field.ts";
import type { FieldMention, Option } from "./lexicon.ts";
import { numberAt, type SaidNumber } from "./numbers.ts";
import { Refusal } from "./pause.ts";
import { dateField, numberField, optionOf } from "./pick-field.ts";
import { type DateReading, dateFollows, dayWithoutMonth, pastLinks, saidDateAt } from "./said-dates.ts";
import { textEnd, textOpAt } from "./text-ops.ts";
import { listText } from "./wording.ts";
import { stemOf } from "./words.ts";

/** Whether conditions become filters, or are tested on rows that are read. */
export type Purpose = "filter" | "read";

const negations: ReadonlySet<string> = new Set(
  "not no non isn't aren't wasn't weren't don't doesn't didn't haven't hasn't never without except excluding exclude nobody besides nor".split(
    " ",
  ),
);

/**
 * The conditions a clause states, which it takes: comparisons, dates, values of filters, yes-or-no columns and what text
 * has to contain. Words it cannot place are left. Asks the reader where several columns fit, refuses where the column
 * that was named cannot be used.
 */
export function readConditions(context: Context, clause: Clause, purpose: Purpose): Condition[] {
  return new ConditionReader(context, clause, purpose).read();
}

class ConditionReader {
  readonly #context: Context;
  readonly #clause: Clause;
  readonly #purpose: Purpose;
  readonly #found: Condition[] = [];
  /** Fields named last and not used yet. */
  #pending: { fields: Field[]; start: number; end: number } | null = null;
  #negative = false;

  constructor(context: Context, clause: Clause, purpose: Purpose) {
    this.#context = context;
    this.#clause = clause;
    this.#purpose = purpose;
  }

  read(): Condition[] {
    let at = 0;
    while (at < this.#clause.length) at = this.#step(at);
    return merged(this.#found);
  }

  /** Understands what stands at a token and returns where to go on. */
  #step(at: number): number {
    const { tokens } = this.#clause;
    const token = tokens[at];
    if (token === undefined || this.#clause.isTaken(at)) return at + 1;
    const word = this.#clause.word(at);
    const compared = word === "no" || word === "not" ? this.#compared(at) : null;
    if (compared !== null) return compared;
    if (
      negations.has(word) ||
      (word === "but" && this.#clause.word(at + 1) === "not") ||
      (word === "other" && this.#clause.word(at + 1) === "than")
    ) {
      this.#negative = true;
      this.#clause.take(at);
      return at + 1;
    }
    if (word === "," || word === "but" || word === "who" || word === "with") this.#negative = false;
    return (
      this.#between(at) ??
      this.#compared(at) ??
      this.#dated(at) ??
      this.#numbered(at) ??
      this.#overdue(at) ??
      this.#emptied(at) ??
      this.#texted(at) ??
      this.#named(at) ??
      at + 1
    );
  }

  #between(at: number): number | null {
    const word = this.#clause.word(at);
    if (word !== "between" && word !== "from") return null;
    const { tokens } = this.#clause;
    const low = numberAt(tokens, at + 1);
    const middle = (next: number) => ["and", "to", "until", "till"].includes(this.#clause.word(next));
    const first = saidDateAt(this.#dates(), at + 1);
    const lone = first ?? dayWithoutMonth(this.#dates(), at + 1);
    if (lone !== null && middle(lone.next)) {
      const second = saidDateAt(this.#dates(), lone.next + 1);
      if (second !== null)
        return this.#addDays(at, second.next, { from: lone.span.from, to: second.span.to });
    }
    if (low === null || !middle(low.next)) return null;
    const high = numberAt(tokens, low.next + 1);
    return high === null
      ? null
      : this.#addNumber(
          at,
          high.next,
          { ...low, money: low.money ?? high.money },
          { type: "between", low: scaled(low, high), high: high.value },
        );
  }

  #compared(at: number): number | null {
    const dates = compareAt(this.#clause, at, "date");
    const said =
      dates === null
        ? null
        : (saidDateAt(this.#dates(), dates.next) ??
          saidDateAt(this.#dates(), pastLinks(this.#clause, dates.next)));
    if (dates !== null && said !== null) return this.#addDays(at, said.next, openSpan(dates.op, said.span));
    const older = /^(?:older|newer|more|less|over|longer|under)$/.test(this.#clause.word(at))
      ? this.#age(at)
      : null;
    if (older !== null) return older;
    const numbers = compareAt(this.#clause, at, "number");
    const number =
      numbers === null ? null : numberAt(this.#clause.tokens, pastLinks(this.#clause, numbers.next));
    if (numbers === null || number === null || number.percent) return null;
    return this.#addNumber(at, number.next, number, { type: "number", op: numbers.op, value: number.value });
  }

  /** `older than 90 days`, `more than 2 weeks ago`. */
  #age(at: number): number | null {
    const than = this.#clause.word(at + 1) === "than" ? at + 2 : at + 1;
    const count = countAt(this.#clause.tokens, than);
    const unit = count === null ? null : unitAt(this.#clause.tokens, count.next);
    if (count === null || unit === null || !isCount(count.value, unit)) return null;
    const ago = this.#clause.word(count.next + 1) === "ago";
    const word = this.#clause.word(at);
    const isAge = word === "older" || word === "newer";
    if (!isAge && !ago) return null;
    const day = unitsBefore(this.#context.today, count.value, unit);
    const late = word === "newer" || word === "less" || word === "under";
    return this.#addDays(at, count.next + (ago ? 2 : 1), late ? { from: day } : { to: addDays(day, -1) });
  }

  #dated(at: number): number | null {
    const said = saidDateAt(this.#dates(), at);
    if (said === null) return null;
    // "by Friday and ..." and "in 2022" were seen before; a year alone needs a word for it.
    return this.#addDays(at, said.next, said.span);
  }

  #numbered(at: number): number | null {
    const number = numberAt(this.#clause.tokens, at);
    if (number === null || number.percent) return null;
    const after = compareAfter(this.#clause, number.next);
    if (after !== null)
      return this.#addNumber(at, after.next, number, { type: "number", op: after.op, value: number.value });
    const field = this.#pendingOf("number");
    if (field.length === 0) return null;
    return this.#addNumber(at, number.next, number, { type: "number", op: "eq", value: number.value });
  }

  /** `overdue` and `past due` are before today. */
  #overdue(at: number): number | null {
    const word = this.#clause.word(at);
    const next =
      word === "overdue" ? at + 1 : word === "past" && this.#clause.word(at + 1) === "due" ? at + 2 : null;
    const fields = this.#context.lexicon.fields.filter(
      ({ kind, concepts }) => kind === "date" && concepts.includes("due"),
    );
    if (next === null || fields.length === 0) return null;
    this.#pending = { fields, start: at, end: next };
    return this.#addDays(at, next, { to: addDays(this.#context.today, -1) });
  }

  /** `haven't shipped yet`, `unassigned`, `without notes`, `no assignee`, `empty notes`. */
  #emptied(at: number): number | null {
    const { lexicon } = this.#context;
    const word = this.#clause.word(at);
    const undone = this.#undone(at, word);
    if (undone !== null) return undone;
    const mention = lexicon.fieldsAt(this.#clause.tokens, at);
    if (mention === null) return null;
    const lacks = this.#lacking(at, mention);
    if (lacks !== null) return lacks;
    const empty = /^(?:empty|blank|missing)$/.test(this.#clause.word(pastLinks(this.#clause, mention.next)));
    if (empty)
      return this.#addTest(at, pastLinks(this.#clause, mention.next) + 1, mention.fields, { type: "empty" });
    const dates = mention.fields.filter(({ kind }) => kind === "date");
    const yet =
      this.#negative &&
      dates.length > 0 &&
      this.#clause.has(/yet/) &&
      saidDateAt(this.#dates(), pastLinks(this.#clause, mention.next)) === null;
    if (!yet) return null;
    this.#negative = false;
    return this.#addTest(at, mention.next, dates, { type: "empty" });
  }

  /** `without an assignee`, `no ship date`: nothing is said of the column but that it is not there. */
  #lacking(at: number, { fields, strength, next }: FieldMention): number | null {
    let lead = at - 1;
    while (/^(?:a|an|any|the)$/.test(this.#clause.tokens[lead]?.word ?? "")) lead--;
    const said = /^(?:without|no|lacking|missing)$/.test(this.#clause.tokens[lead]?.word ?? "");
    const ends = next >= this.#clause.length || /^(?:,|and|or|\?|but|yet|set)$/.test(this.#clause.word(next));
    if (!said || !ends || strength === 1 || fields.every((field) => field.kind === "boolean")) return null;
    this.#negative = false;
    return this.#addTest(at, next, fields, { type: "empty" });
  }

  /** `unassigned`, `unshipped`: without a handler or a date. Of a status it says too little: what is `unpaid` may be new or cancelled. */
  #undone(at: number, word: string): number | null {
    const bare = /^un(\p{L}{4,})$/u.exec(word)?.[1];
    const token = this.#clause.tokens[at];
    if (bare === undefined || token === undefined) return null;
    const { lexicon } = this.#context;
    if (lexicon.optionsAt(this.#clause.tokens, at) !== null) return null;
    const positive = [{ ...token, word: bare, stem: stemOf(bare) }];
    const fields = (lexicon.fieldsAt(positive, 0)?.fields ?? []).filter(
      (field) => field.kind === "date" || field.concepts.includes("handler"),
    );
    return fields.length === 0 ? null : this.#addTest(at, at + 1, fields, { type: "empty" });
  }

  /** `subject contains refund`, `names starting with M`, `called Ben`. */
  #texted(at: number): number | null {
    const said = textOpAt(this.#clause, at);
    if (said === null) return null;
    const end = textEnd(this.#clause, said.next);
    const text = this.#clause.raw(said.next, end);
    if (text === "") return null;
    const pending = this.#pendingOf("text", "option", "other");
    const { title } = this.#context.lexicon;
    const fields = pending.length > 0 ? pending : title === undefined ? [] : [title];
    const isPlain =
      pending.length === 0 || pending.every((field) => field.kind === "option" || field === title);
    if (!said.sure && (isPlain || this.#clause.word(at) === "with")) return null;
    return this.#addTest(at, end, fields, { type: "text", op: said.op, value: text });
  }

  /** A value of a filter, a yes-or-no column, or a column whose value comes next. */
  #named(at: number): number | null {
    const { tokens } = this.#clause;
    const { lexicon } = this.#context;
    const mention = lexicon.fieldsAt(tokens, at);
    const options = lexicon.optionsAt(tokens, at);
    const isDate =
      mention?.fields.some(({ kind }) => kind === "date") && dateFollows(this.#dates(), mention.next);
    if (mention !== null && (isDate || options === null || mention.next > options.next))
      return this.#nameField(at, mention.fields, mention.next);
    if (options === null) return null;
    const option = optionOf(
      this.#context,
      options.options,
      this.#pendingOf("option"),
      this.#around(at, options.next),
      this.#clause.raw(at, options.next),
    );
    const filler = this.#around(at, options.next).length > 0 ? this.#nextField(options.next) : options.next;
    return this.#addOption(at, filler, option);
  }

  #nameField(at: number, fields: Field[], next: number): number {
    const flags = fields.filter(({ kind }) => kind === "boolean");
    const [flag] = flags;
    if (flag !== undefined && flags.length === fields.length) {
      const said = pastLinks(this.#clause, next);
      const word = this.#clause.word(said);
      const no = /^(?:no|false|off|not)$/.test(word);
      const end = no || /^(?:yes|true|on)$/.test(word) ? said + 1 : next;
      return this.#addTest(at, end, flags, { type: "flag", value: !no });
    }
    this.#pending = { fields, start: at, end: next };
    const value = pastLinks(this.#clause, next);
    const unknown =
      fields.every((field) => field.kind === "option" && field.options.length > 0) &&
      /^(?:is|=|:|equals|==)$/.test(this.#clause.word(next));
    const [field] = fields;
    if (
      unknown &&
      field !== undefined &&
      this.#context.lexicon.optionsAt(this.#clause.tokens, value) === null &&
      !negations.has(this.#clause.word(value))
    ) {
      const end = textEnd(this.#clause, value);
      if (end > value)
        throw new Refusal(
          `${field.label} has no option "${this.#clause.raw(value, end)}"; it has ${listText(
            field.options.map(({ label }) => label),
            24,
          )}.`,
        );
    }
    return next;
  }

  #dates(): DateReading {
    return { clause: this.#clause, today: this.#context.today, expected: this.#pendingOf("date").length > 0 };
  }

  /** Fields named right before or after some tokens: `high priority`, `the Growth team`. */
  #around(start: number, end: number): Field[] {
    const after = this.#context.lexicon.fieldsAt(this.#clause.tokens, end);
    if (after !== null && after.strength > 1 && this.#clause.isFree(end, after.next)) return after.fields;
    return this.#pending !== null && pastLinks(this.#clause, this.#pending.end) >= start
      ? this.#pending.fields
      : [];
  }

  #nextField(end: number): number {
    const after = this.#context.lexicon.fieldsAt(this.#clause.tokens, end);
    return after !== null &&
      after.strength > 1 &&
      after.fields.some(({ kind }) => kind === "option") &&
      !dateFollows(this.#dates(), after.next)
      ? after.next
      : end;
  }

  #pendingOf(...kinds: Field["kind"][]): Field[] {
    return this.#pending?.fields.filter(({ kind }) => kinds.includes(kind)) ?? [];
  }

  #addDays(start: number, end: number, span: DaySpan): number {
    const field = dateField(
      this.#context,
      this.#pendingOf("date"),
      this.#purpose,
      this.#clause.raw(start, end),
    );
    return this.#addTest(start, end, [field], { type: "days", span });
  }

  #addNumber(start: number, end: number, number: SaidNumber, test: Test): number {
    const pending = this.#pendingOf("number");
    const after = this.#context.lexicon.fieldsAt(this.#clause.tokens, end);
    const named = after?.fields.filter(({ kind }) => kind === "number") ?? [];
    const fields = pending.length > 0 ? pending : named;
    // "orders over 1000" speaks of what they are worth.
    const isWorth = number.money === null && this.#context.lexicon.isRowNoun(this.#clause.word(start - 1));
    const said = isWorth ? { money: "likely" as const } : number;
    const field = numberField(this.#context, fields, said, this.#purpose, this.#clause.raw(start, end));
    return this.#addTest(
      start,
      pending.length === 0 && named.length > 0 && after !== null ? after.next : end,
      [field],
      test,
    );
  }

  #addOption(start: number, end: number, { field, value }: Option): number {
    return this.#addTest(start, end, [field], { type: "options", values: [value] });
  }

  #addTest(start: number, end: number, fields: readonly Field[], test: Test): number {
    const [field] = fields;
    if (field === undefined) return end;
    if (field.column?.readable === false)
      throw new Refusal(`${field.label} is not shown to me in this table.`);
    // "Berlin or not" wishes nothing.
    if (
      this.#clause.word(end) === "or" &&
      this.#clause.word(end + 1) === "not" &&
      end + 2 >= this.#clause.length
    ) {
      this.#clause.take(start, end + 2);
      return end + 2;
    }
    const plain: Condition = { field, test };
    const condition = this.#negative ? negated(plain) : plain;
    if (condition === null) throw new Refusal(`${field.label} cannot be filtered by what it is not.`);
    this.#found.push(condition);
    if (this.#pending?.fields.includes(field)) this.#clause.take(this.#pending.start, this.#pending.end);
    this.#pending = null;
    this.#clause.take(start, end);
    if (!/^(?:or|and|nor)$/.test(this.#clause.word(end))) this.#negative = false;
    return end;
  }
}
