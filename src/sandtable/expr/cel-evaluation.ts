import { amounts } from "../text/amounts.ts";
import { says } from "../text/says.ts";
import { type Token, tokenize } from "../text/tokens.ts";
import { asCelError, type CelHost, type EngineError, isEngineError } from "./cel-environment.ts";
import { CelError } from "./cel-error.ts";
import type { CelMeter } from "./cel-meter.ts";
import { toCel } from "./cel-values.ts";
import type { EvalContext } from "./context.ts";

/** Steps one evaluation may take; a step is about one node of an expression, or some 50 ns. */
const budget = 20_000_000;

/** What the functions of an expression cost, in steps. */
const costs = { row: 100, scannedRow: 20, character: 8 } as const;

/** Whether the engine failed to read a field directly off a `row` call. */
function readsRow({ node }: EngineError): boolean {
  const of: unknown = Array.isArray(node?.args) ? node.args[0] : undefined;
  if (typeof of !== "object" || of === null || !("args" in of) || !Array.isArray(of.args)) return false;
  return "op" in of && of.op === "call" && of.args[0] === "row";
}

/** One evaluation: its variables, made when an expression asks for them, and what its functions saw. */
export class Evaluation implements CelHost, CelMeter {
  readonly variables: object;
  private readonly ctx: EvalContext;
  private stepsLeft = budget;
  /** The rows of tables, and the words of texts, that were read before: neither changes during an evaluation. */
  private readonly tables = new Map<string, unknown[]>();
  private readonly texts = new Map<string, readonly Token[]>();
  private absent: { table: string; key: string } | null = null;
  /** What a read of the world or the context threw: no fault of the expression, and not the engine's to swallow. */
  private outside: { error: unknown } | null = null;

  constructor(ctx: EvalContext) {
    this.ctx = ctx;
    this.variables = this.lazy({
      args: () => toCel(ctx.args),
      tool: () => ctx.tool ?? "",
      calls: () =>
        ctx.conversation.calls.map(({ tool, args, ok, result, error, turn }) =>
          toCel({ tool, args, ok, result: result ?? null, error: error ?? null, turn }),
        ),
      messages: () =>
        ctx.conversation.messages.map(({ role, text, turn, act }) => ({
          role,
          text,
          turn,
          act: act ?? null,
        })),
      said: () => ctx.conversation.messages.findLast((message) => message.role === "caller")?.text ?? "",
      now: () => new Date(ctx.clock),
      reply: () => ctx.reply ?? "",
      turn: () => BigInt(ctx.conversation.messages.at(-1)?.turn ?? 0),
    });
  }

  row(table: string, key: string): unknown {
    this.spend(costs.row);
    const row = this.reading(() => this.ctx.world.get(table, key));
    if (row !== undefined) return toCel(row);
    this.absent = { table, key };
    return null;
  }

  rows(table: string): unknown[] {
    const known = this.tables.get(table);
    if (known !== undefined) return known;
    const rows = this.reading(() => {
      const found: unknown[] = [];
      for (const row of this.ctx.world.scan(table)) {
        this.spend(costs.scannedRow);
        found.push(toCel(row));
      }
      return found;
    });
    this.tables.set(table, rows);
    return rows;
  }

  says(text: string, phrase: string): boolean {
    this.spend(phrase.length * costs.character);
    const tokens = this.tokens(text);
    this.spend(tokens.length);
    // A phrase of marks only, such as an emoji, is no token and is looked for in the text.
    return says(/[\p{L}\p{N}]/u.test(phrase) ? tokens : text, phrase);
  }

  amounts(text: string): number[] {
    const tokens = this.tokens(text);
    this.spend(tokens.length);
    return amounts(tokens);
  }

  spend(steps: number): void {
    this.stepsLeft -= steps;
    if (this.stepsLeft >= 0) return;
    // Kept like an error of the world, and thrown from now on: `exists` and `all` would pass over it.
    this.stepsLeft = Number.NEGATIVE_INFINITY;
    this.outside ??= { error: new CelError(`takes more than ${budget} steps`) };
    throw this.outside.error;
  }

  private tokens(text: string): readonly Token[] {
    const known = this.texts.get(text);
    if (known !== undefined) return known;
    this.spend(text.length * costs.character);
    const tokens = tokenize(text);
    this.texts.set(text, tokens);
    return tokens;
  }

  /** Throws what a read threw, if one did. */
  rethrow(): void {
    if (this.outside !== null) throw this.outside.error;
  }

  private reading<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      this.outside ??= { error };
      throw error;
    }
  }

  /** An error of the engine in words for whoever wrote the expression; without its place, which is not the author's. */
  explain(error: unknown): unknown {
    if (isEngineError(error) && error.code === "no_such_key") {
      if (this.absent !== null && readsRow(error)) {
        return new CelError(`${this.absent.table} has no row ${this.absent.key}`);
      }
      return new CelError(error.summary.replace(/^No such key: (.*)$/, 'there is no "$1"'));
    }
    return new CelError(asCelError(error).message);
  }

  /** An object whose properties are computed at most once, when read. */
  private lazy(makers: Record<string, () => unknown>): object {
    const made = new Map<string, unknown>();
    const object = {};
    for (const [name, make] of Object.entries(makers)) {
      Object.defineProperty(object, name, {
        get: () => {
          if (!made.has(name)) made.set(name, this.reading(make));
          return made.get(name);
        },
      });
    }
    return object;
  }
}
