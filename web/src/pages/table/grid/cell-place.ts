import type { CSSProperties } from "react";
import type { GridColumn } from "./use-grid-table.ts";

/** How wide a cell is and whether it stays when the others are scrolled; the last one takes the room that is left. */
export function cellPlace(column: GridColumn, last: boolean): { className: string; style: CSSProperties } {
  const pinned = column.getIsPinned();
  const style: CSSProperties = { flex: `${last ? 1 : 0} 0 ${column.getSize()}px` };
  if (pinned === "start") style.insetInlineStart = column.getStart("start");
  if (pinned === "end") style.insetInlineEnd = column.getAfter("end");
  return { className: `grid-cell ${pinned === false ? "" : "is-pinned"}`, style };
}
