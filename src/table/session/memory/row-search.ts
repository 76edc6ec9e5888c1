import type { JsonObject } from "../../../turn/json.ts";
import { own } from "../../protocol/own.ts";
import type { CellTest } from "./row-filter.ts";

export interface SearchColumn {
  id: string;
  type: string;
}

/**
 * Looks for a text in cells, letter case aside. What a row says is put together once and remembered as long as its cells
 * are the same object, so that the second search of a long table is quick.
 */
export class RowSearch {
  private columns = "";
  private said = new WeakMap<JsonObject, string>();

  /** A test for a text in any of these columns; undefined for no text. Columns that cannot hold it are left out. */
  test(search: string, columns: SearchColumn[]): CellTest | undefined {
    const wanted = search.replaceAll("\0", "").trim().toLowerCase();
    if (wanted === "") return undefined;
    const ids = columns.filter(({ type }) => mayHold(type, wanted)).map((column) => column.id);
    const key = JSON.stringify(ids);
    if (key !== this.columns) {
      this.columns = key;
      this.said = new WeakMap();
    }
    return (cells) => this.textOf(cells, ids).includes(wanted);
  }

  private textOf(cells: JsonObject, ids: string[]): string {
    const known = this.said.get(cells);
    if (known !== undefined) return known;
    const texts: string[] = [];
    for (const id of ids) {
      const value = own(cells, id);
      if (value !== undefined && value !== null) texts.push(String(value));
    }
    // A search holds none of these, so nothing is found across two cells.
    const text = texts.join("\0").toLowerCase();
    this.said.set(cells, text);
    return text;
  }
}

function mayHold(type: string, wanted: string): boolean {
  switch (type) {
    case "number":
      return /^[\d.e+-]+$/.test(wanted);
    case "date":
      return /^[\d\s:.tz+-]+$/.test(wanted);
    case "boolean":
      return "true".includes(wanted) || "false".includes(wanted);
    default:
      return true;
  }
}
