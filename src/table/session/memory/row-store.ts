import type { Json, JsonObject } from "../../../turn/json.ts";
import { own } from "../../protocol/own.ts";
import type { HostRow } from "../table-host.ts";

/** Rows in their own order, found by key. Rows and cells that were handed out are never changed in place. */
export class RowStore {
  rows: readonly HostRow[];
  private readonly keyColumn: string;
  private readonly byKey: Map<string, HostRow>;
  private minted: number;

  constructor(rows: readonly JsonObject[], keyColumn: string) {
    this.keyColumn = keyColumn;
    this.rows = rows.map((cells, at) => ({ rowKey: keyOf(own(cells, keyColumn)) ?? String(at + 1), cells }));
    this.byKey = new Map(this.rows.map((row) => [row.rowKey, row]));
    if (this.byKey.size < this.rows.length) throw new Error(`two rows have the same "${keyColumn}"`);
    this.minted = rows.length;
  }

  find(rowKey: string): HostRow | undefined {
    return this.byKey.get(rowKey);
  }

  edit(rowKey: string, cells: JsonObject): void {
    const row = this.get(rowKey);
    this.replace(row, { rowKey, cells: { ...row.cells, ...cells } });
  }

  /** The key a new row gets: the one it brings, else the next free number. Throws when it brings one that is taken. */
  keyFor(cells: JsonObject): string {
    const brought = keyOf(own(cells, this.keyColumn));
    if (brought !== undefined) {
      if (this.byKey.has(brought)) throw new Error(`there is a row "${brought}" already`);
      return brought;
    }
    let next = this.minted;
    do next += 1;
    while (this.byKey.has(String(next)));
    return String(next);
  }

  add(rowKey: string, cells: JsonObject): void {
    const named =
      keyOf(own(cells, this.keyColumn)) === undefined
        ? { ...cells, [this.keyColumn]: this.typedKey(rowKey) }
        : cells;
    const row = { rowKey, cells: named };
    this.byKey.set(rowKey, row);
    this.rows = [...this.rows, row];
    // A key is never given twice, not even that of a row that is gone.
    this.minted = Math.max(this.minted + 1, Number(rowKey) || 0);
  }

  delete(rowKey: string): void {
    const row = this.get(rowKey);
    this.byKey.delete(rowKey);
    this.rows = this.rows.filter((other) => other !== row);
  }

  /** Moves a row to the place of another, which moves on. */
  move(fromKey: string, toKey: string): void {
    const [from, to] = [this.get(fromKey), this.get(toKey)];
    if (from === to) return;
    const [start, end] = [this.rows.indexOf(from), this.rows.indexOf(to)];
    const rest = this.rows.filter((row) => row !== from);
    const place = rest.indexOf(to) + (start < end ? 1 : 0);
    this.rows = [...rest.slice(0, place), from, ...rest.slice(place)];
  }

  private get(rowKey: string): HostRow {
    const row = this.byKey.get(rowKey);
    if (row === undefined) throw new Error(`there is no row "${rowKey}"`);
    return row;
  }

  private replace(old: HostRow, row: HostRow): void {
    this.byKey.set(row.rowKey, row);
    this.rows = this.rows.map((other) => (other === old ? row : other));
  }

  /** A minted key as the key's column holds it. */
  private typedKey(rowKey: string): Json {
    const sample = own(this.rows[0]?.cells ?? {}, this.keyColumn);
    return typeof sample === "number" ? Number(rowKey) : rowKey;
  }
}

function keyOf(value: Json | undefined): string | undefined {
  return typeof value === "number" || (typeof value === "string" && value !== "") ? String(value) : undefined;
}
