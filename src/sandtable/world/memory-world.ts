import type { Json, JsonObject } from "../../turn/json.ts";
import type { WorldStore } from "./world.ts";

/**
 * A world in memory, for lint and tests. Rows are kept as given and handed out as kept, so whoever changes one makes a
 * new row. Reading or writing by key does not depend on the number of rows.
 */
export class MemoryWorld implements WorldStore {
  private readonly tables = new Map<string, Map<string, JsonObject>>();
  private readonly numbers = new Map<string, number>();

  get(table: string, key: string): JsonObject | undefined {
    return this.tables.get(table)?.get(key);
  }

  *scan(table: string): Iterable<JsonObject> {
    yield* this.tables.get(table)?.values() ?? [];
  }

  put(table: string, key: string, row: JsonObject): void {
    let rows = this.tables.get(table);
    if (rows === undefined) {
      rows = new Map();
      this.tables.set(table, rows);
    }
    rows.set(key, row);
  }

  remove(table: string, key: string): void {
    this.tables.get(table)?.delete(key);
  }

  peekNumber(table: string, start: number): number {
    return this.numbers.get(table) ?? start;
  }

  nextNumber(table: string, start: number): number {
    const number = this.peekNumber(table, start);
    this.numbers.set(table, number + 1);
    return number;
  }

  /** The whole world as JSON, table to key to row, in insertion order; a copy. */
  toJson(): JsonObject {
    const tables = [...this.tables].map(([table, rows]): [string, Json] => [table, Object.fromEntries(rows)]);
    return structuredClone(Object.fromEntries(tables));
  }
}
