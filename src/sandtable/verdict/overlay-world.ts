import type { JsonObject } from "../../turn/json.ts";
import type { Table, Task } from "../domain/types.ts";
import { MemoryWorld } from "../world/memory-world.ts";
import { plantWorld } from "../world/plant-world.ts";
import type { WorldReader, WorldStore } from "../world/world.ts";

/** A domain's base rows, read where they are; a table is indexed by key once, when a row is first looked for. */
export class BaseRows implements WorldReader {
  readonly tables: Table[];
  private readonly indexes = new Map<string, Map<string, JsonObject>>();

  constructor(tables: Table[]) {
    this.tables = tables;
  }

  get(table: string, key: string): JsonObject | undefined {
    let index = this.indexes.get(table);
    if (index === undefined) {
      const keyField = this.tables.find(({ name }) => name === table)?.key ?? "";
      index = new Map(this.rowsOf(table).map((row) => [String(row[keyField]), row]));
      this.indexes.set(table, index);
    }
    return index.get(key);
  }

  scan(table: string): JsonObject[] {
    return this.rowsOf(table);
  }

  /** The field that holds a row's key. */
  keyField(table: string): string {
    return this.tables.find(({ name }) => name === table)?.key ?? "";
  }

  private rowsOf(table: string): JsonObject[] {
    return this.tables.find(({ name }) => name === table)?.rows ?? [];
  }
}

/** What a trial changed of one table. */
interface Overlay {
  /** New rows for keys of the base; they keep their place. */
  changed: Map<string, JsonObject>;
  removed: Set<string>;
  added: Map<string, JsonObject>;
}

/**
 * A trial's world that keeps only its difference from the base rows, so that many short trials over large tables cost
 * what they change. Behaves as a world into which all base rows were put in order.
 */
export class OverlayWorld implements WorldStore {
  private readonly base: BaseRows;
  private readonly overlays = new Map<string, Overlay>();
  private readonly counters = new Map<string, number>();

  constructor(base: BaseRows) {
    this.base = base;
  }

  get(table: string, key: string): JsonObject | undefined {
    const overlay = this.overlays.get(table);
    const own = overlay?.added.get(key) ?? overlay?.changed.get(key);
    if (own !== undefined || overlay?.removed.has(key)) return own;
    return this.base.get(table, key);
  }

  *scan(table: string): Generator<JsonObject> {
    const overlay = this.overlays.get(table);
    if (overlay === undefined) return yield* this.base.scan(table);
    const keyField = this.base.keyField(table);
    for (const row of this.base.scan(table)) {
      const key = String(row[keyField]);
      if (!overlay.removed.has(key)) yield overlay.changed.get(key) ?? row;
    }
    yield* overlay.added.values();
  }

  put(table: string, key: string, row: JsonObject): void {
    const { changed, removed, added } = this.overlayOf(table);
    const inPlace = this.base.get(table, key) !== undefined && !removed.has(key);
    (inPlace ? changed : added).set(key, row);
  }

  remove(table: string, key: string): void {
    const { changed, removed, added } = this.overlayOf(table);
    added.delete(key);
    changed.delete(key);
    if (this.base.get(table, key) !== undefined) removed.add(key);
  }

  nextNumber(table: string, start: number): number {
    const next = this.counters.get(table) ?? start;
    this.counters.set(table, next + 1);
    return next;
  }

  private overlayOf(table: string): Overlay {
    let overlay = this.overlays.get(table);
    if (overlay === undefined) {
      overlay = { changed: new Map(), removed: new Set(), added: new Map() };
      this.overlays.set(table, overlay);
    }
    return overlay;
  }
}

/** The world a trial of the task starts in: the base rows with the task's `given` over them. */
export function taskWorld(base: BaseRows, task: Pick<Task, "given">): OverlayWorld {
  const world = new OverlayWorld(base);
  if (task.given.length === 0) return world;
  // Only the given rows are planted, so that merging stays in one place and nothing is copied for the rest.
  const small = new MemoryWorld();
  const given = new Set(task.given.map(({ table, key }) => JSON.stringify([table, key])));
  const rows = (table: Table) =>
    task.given.filter((g) => g.table === table.name).flatMap(({ key }) => base.get(table.name, key) ?? []);
  plantWorld(
    small,
    base.tables.map((table) => ({ ...table, rows: [...new Set(rows(table))] })),
    task.given,
  );
  for (const pair of given) {
    const [table, key] = JSON.parse(pair) as [string, string];
    const row = small.get(table, key);
    if (row === undefined) world.remove(table, key);
    else world.put(table, key, row);
  }
  return world;
}
