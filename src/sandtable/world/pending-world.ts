import type { Operation } from "fast-json-patch";
import type { JsonObject } from "../../turn/json.ts";
import type { TableShape } from "../expr/context.ts";
import { rowChanges } from "./row-changes.ts";
import type { WorldReader, WorldStore } from "./world.ts";

interface Touched {
  before: JsonObject | undefined;
  after: JsonObject | undefined;
}

/**
 * The world as a call would leave it: reads see the call's own writes, and nothing reaches the store before `commit`.
 * Costs what the call touches, not what the world holds.
 */
export class PendingWorld implements WorldReader {
  private readonly store: WorldStore;
  private readonly touched = new Map<string, Map<string, Touched>>();
  private readonly taken = new Map<string, { start: number; count: number }>();
  private readonly keys: ReadonlyMap<string, string>;

  constructor(store: WorldStore, tables: TableShape[]) {
    this.store = store;
    this.keys = new Map(tables.map((table) => [table.name, table.key]));
  }

  get(table: string, key: string): JsonObject | undefined {
    const touched = this.touched.get(table)?.get(key);
    return touched === undefined ? this.store.get(table, key) : touched.after;
  }

  *scan(table: string): Iterable<JsonObject> {
    const touched = this.touched.get(table);
    const keyField = this.keys.get(table) ?? "";
    for (const row of this.store.scan(table)) {
      const change = touched?.get(String(row[keyField]));
      if (change === undefined) yield row;
      else if (change.after !== undefined) yield change.after;
    }
    for (const { before, after } of touched?.values() ?? []) {
      if (before === undefined && after !== undefined) yield after;
    }
  }

  /** Sets the row of a key, or takes it away. The row must be new: it is kept as it is. */
  set(table: string, key: string, row: JsonObject | undefined): void {
    let rows = this.touched.get(table);
    if (rows === undefined) {
      rows = new Map();
      this.touched.set(table, rows);
    }
    const known = rows.get(key);
    if (known === undefined) rows.set(key, { before: this.store.get(table, key), after: row });
    else known.after = row;
  }

  /** A key of a table's pattern that no row has; numbers whose key is taken are passed over. */
  newKey({ name, newKey: { pattern, start } }: TableShape): string {
    const taken = this.taken.get(name) ?? { start, count: 0 };
    this.taken.set(name, taken);
    const first = this.store.peekNumber(name, start);
    for (;;) {
      const key = pattern.replaceAll("{n}", String(first + taken.count));
      taken.count += 1;
      if (this.get(name, key) === undefined || !pattern.includes("{n}")) return key;
    }
  }

  /** Writes everything to the store and tells what changed, in the order rows were first touched. */
  commit(): Operation[] {
    const changes: Operation[] = [];
    for (const [table, rows] of this.touched) {
      for (const [key, { before, after }] of rows) {
        const differences = rowChanges(table, key, before, after);
        if (differences.length === 0) continue;
        changes.push(...differences);
        if (after === undefined) this.store.remove(table, key);
        else this.store.put(table, key, after);
      }
    }
    for (const [table, { start, count }] of this.taken) {
      for (let i = 0; i < count; i++) this.store.nextNumber(table, start);
    }
    return changes;
  }
}
