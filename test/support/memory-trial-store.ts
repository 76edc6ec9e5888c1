import type { Operation } from "fast-json-patch";
import type { TranscriptEntry } from "../../src/sandtable/report/results.ts";
import type { TrialState, TrialStore } from "../../src/sandtable/trial/trial-store.ts";
import { MemoryWorld } from "../../src/sandtable/world/memory-world.ts";
import { rowChanges } from "../../src/sandtable/world/row-changes.ts";
import type { JsonObject } from "../../src/turn/json.ts";

/** A trial's store in memory. What a test reads back has gone through JSON, as with the real one. */
export class MemoryTrialStore implements TrialStore {
  readonly world = new TrackedWorld();
  private state: string | null = null;
  private entries: string[] = [];

  loadState(): TrialState | null {
    return this.state === null ? null : (JSON.parse(this.state) as TrialState);
  }

  saveState(state: TrialState): void {
    this.state = JSON.stringify(state);
  }

  loadTranscript(): TranscriptEntry[] {
    return this.entries.map((entry) => JSON.parse(entry) as TranscriptEntry);
  }

  appendEntry(entry: TranscriptEntry): number {
    const text = JSON.stringify(entry);
    this.entries.push(text);
    return text.length;
  }

  /** Everything stored, as it would be found by a later life. */
  snapshot(): MemoryTrialStore {
    const copy = new MemoryTrialStore();
    copy.state = this.state;
    copy.entries = [...this.entries];
    this.world.copyTo(copy.world);
    return copy;
  }
}

class TrackedWorld extends MemoryWorld {
  private base: JsonObject | null = null;

  /** Changes count from here. */
  begin(): void {
    this.base = this.toJson();
  }

  changesSinceStart(): Operation[] {
    const before = this.base ?? {};
    const after = this.toJson();
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((table) => {
      const rows = (tables: JsonObject) => (tables[table] ?? {}) as { [key: string]: JsonObject };
      const keys = new Set([...Object.keys(rows(before)), ...Object.keys(rows(after))]);
      return [...keys].flatMap((key) => rowChanges(table, key, rows(before)[key], rows(after)[key]));
    });
  }

  copyTo(other: TrackedWorld): void {
    for (const [table, rows] of Object.entries(this.toJson())) {
      for (const [key, row] of Object.entries(rows as JsonObject)) other.put(table, key, row as JsonObject);
    }
    other.base = this.base;
  }
}
