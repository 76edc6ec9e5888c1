import type { JsonObject } from "../../turn/json.ts";
import type { Table, Task } from "../domain/types.ts";
import { applyGiven } from "../world/apply-given.ts";
import type { WorldReader, WorldStore } from "../world/world.ts";

/** A domain's base rows, read where they are; a table is indexed by key once, when a row is first looked for. */
export class BaseRows implements WorldReader {
  readonly tables: Table[];
  private readonly byName: Map<string, Table>;
  private readonly indexes = new Map<string, Map<string, JsonObject>>();

  constructor(tables: Table[]) {
    this.tables = tables;
    this.byName = new Map(tables.map((table) => [table.name, table]));
  }

  get(table: string, key: string): JsonObject | undefined {
    let index = this.indexes.get(table);
    if (index === undefined) {
      index = new Map(this.scan(table).map((row) => [this.keyOf(table, row), row]));
      this.indexes.set(table, index);
    }
    return index.get(key);
  }

  scan(table: string): JsonObject[] {
    return this.byName.get(table)?.rows ?? [];
  }

  /** Key of one of a table's rows. */
  keyOf(table: string, row: JsonObject): string {
    return String(row[this.byName.get(table)?.key ?? ""]);
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
    if (overlay === undefined) {
      yield* this.base.scan(table);
      return;
    }
    for (const row of this.base.scan(table)) {
      const key = this.base.keyOf(table, row);
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

  peekNumber(table: string, start: number): number {
    return this.counters.get(table) ?? start;
  }

  nextNumber(table: string, start: number): number {
    const next = this.peekNumber(table, start);
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

/** The world a trial of the task starts in: what `plantWorld` makes of the base rows and the task's `given`. */
export function taskWorld(base: BaseRows, { given }: Pick<Task, "given">): OverlayWorld {
  const world = new OverlayWorld(base);
  applyGiven(world, base.tables, given);
  return world;
}
