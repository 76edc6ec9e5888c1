import { offsetOf, type Place, type SourceDocument } from "./place.ts";
import type { DomainProblem } from "./problem.ts";
import { meantWord } from "./usual-words.ts";

/** Collects the problems of a domain folder. Nothing stops at the first one. */
export class ProblemList {
  readonly #found: DomainProblem[] = [];

  /** Reports at the value of a place. */
  at(place: Place, message: string, suggestion?: string): void {
    this.atOffset(place.document, offsetOf(place, "value"), message, suggestion);
  }

  /** Reports at the key that names a place. */
  atKey(place: Place, message: string, suggestion?: string): void {
    this.atOffset(place.document, offsetOf(place, "key"), message, suggestion);
  }

  atOffset(document: SourceDocument, offset: number, message: string, suggestion?: string): void {
    const { line, col } = document.lines.linePos(offset);
    // An empty file has no first line to the counter.
    this.inFile(document.file, Math.max(line, 1), Math.max(col, 1), message, suggestion);
  }

  inFile(file: string, line: number, column: number, message: string, suggestion?: string): void {
    this.#found.push({ file, line, column, message, ...(suggestion !== undefined && { suggestion }) });
  }

  /** Reports a name that is none of the known ones, with the nearest of them. */
  unknown(place: Place, part: "key" | "value", unknown: Unknown): void {
    this.unknownAt(place.document, offsetOf(place, part), unknown);
  }

  unknownAt(document: SourceDocument, offset: number, { what, name, of, known }: Unknown): void {
    const names = [...known];
    const owner = of === undefined ? "" : ` of ${of}`;
    const message = `unknown ${what} "${name}"${owner}; ${oneOf(names)}`;
    this.atOffset(document, offset, message, meantWord(name.slice(0, longestWord), names));
  }

  /** How many were reported so far. */
  get count(): number {
    return this.#found.length;
  }

  /** All problems, each once, by file, then line, then column. */
  sorted(): DomainProblem[] {
    const seen = new Set<string>();
    const once = this.#found.filter((problem) => {
      const identity = JSON.stringify([problem.file, problem.line, problem.column, problem.message]);
      return seen.size < seen.add(identity).size;
    });
    return once.sort(
      (a, b) =>
        compareText(a.file, b.file) ||
        a.line - b.line ||
        a.column - b.column ||
        compareText(a.message, b.message),
    );
  }
}

/** A name that means nothing: `unknown argument "rat" of book_load`. */
export interface Unknown {
  what: string;
  name: string;
  of?: string;
  known: Iterable<string>;
}

/** Names of a domain are shorter; comparing costs the product of two lengths. */
const longestWord = 100;

/** How many right words a message lists; the suggestion covers the rest. */
const listedWords = 14;

/** `expected one of a, b, c`, shortened when there are many; says so when there is none. */
export function oneOf(words: readonly string[]): string {
  if (words.length === 0) return "there is none";
  if (words.length === 1) return `expected ${words[0]}`;
  const shown = words.slice(0, listedWords).join(", ");
  const more = words.length - listedWords;
  return `expected one of ${shown}${more > 0 ? ` and ${more} more` : ""}`;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
