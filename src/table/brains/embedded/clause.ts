import type { Token } from "./tokenise.ts";

/** Where a pattern was found: tokens from `start` up to `end`, and the pattern's groups. */
export interface Found {
  start: number;
  end: number;
  groups: (string | undefined)[];
}

/** Stands for a token that was understood: no pattern matches across it. */
const taken = "\u0001";

/**
 * One wish of a message: its tokens, of which more and more are taken by what understands them. Patterns are matched
 * against the words with one space between; `#` is any number and `"` any quoted text.
 */
export class Clause {
  readonly tokens: readonly Token[];
  readonly message: string;
  readonly #taken: boolean[];
  #text: string | null = null;
  #starts: number[] = [];

  constructor(tokens: readonly Token[], message: string) {
    this.tokens = tokens;
    this.message = message;
    this.#taken = tokens.map(() => false);
  }

  get length(): number {
    return this.tokens.length;
  }

  /** The folded word at a token; empty when it was taken or is none. */
  word(at: number): string {
    const token = this.tokens[at];
    return token === undefined || this.isTaken(at) ? "" : token.word;
  }

  isTaken(at: number): boolean {
    return this.#taken[at] ?? true;
  }

  /** Whether no token between two was taken. */
  isFree(start: number, end: number): boolean {
    for (let at = start; at < end; at++) if (this.isTaken(at)) return false;
    return true;
  }

  take(start: number, end = start + 1): void {
    for (let at = start; at < end && at < this.#taken.length; at++) this.#taken[at] = true;
    this.#text = null;
  }

  /** The first place whose words match; null when none does. Whole words only. */
  find(pattern: RegExp): Found | null {
    const text = this.#joined();
    const match = new RegExp(`(?<![^ ])(?:${pattern.source})(?![^ ])`, "u").exec(text);
    if (match === null) return null;
    const start = this.#starts.indexOf(match.index);
    const last = match.index + match[0].trimEnd().length;
    let end = start;
    while (end < this.#starts.length && (this.#starts[end] ?? last) < last) end++;
    return start < 0 ? null : { start, end, groups: match.slice(1) };
  }

  /** As `find`, and takes what it found. */
  pull(pattern: RegExp): Found | null {
    const found = this.find(pattern);
    if (found !== null) this.take(found.start, found.end);
    return found;
  }

  has(pattern: RegExp): boolean {
    return this.find(pattern) !== null;
  }

  /** What the message says between two tokens, as it was written. */
  raw(start: number, end: number): string {
    const [first, last] = [this.tokens[start], this.tokens[end - 1]];
    if (first === undefined || last === undefined || end <= start) return "";
    if (end - start === 1) return first.kind === "quoted" ? first.word : first.raw;
    return this.message.slice(first.start, last.possessive ? last.start + last.raw.length : last.end);
  }

  /** A clause of some of the tokens, with what was taken of them still taken. */
  part(start: number, end: number): Clause {
    const part = new Clause(this.tokens.slice(start, end), this.message);
    for (let at = start; at < end; at++) if (this.isTaken(at)) part.take(at - start);
    return part;
  }

  #joined(): string {
    if (this.#text !== null) return this.#text;
    this.#starts = [];
    let text = "";
    this.tokens.forEach((token, at) => {
      if (at > 0) text += " ";
      this.#starts.push(text.length);
      text += this.isTaken(at)
        ? taken
        : token.kind === "number"
          ? "#"
          : token.kind === "quoted"
            ? '"'
            : token.word;
    });
    this.#text = text;
    return text;
  }
}
