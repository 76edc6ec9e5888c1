import { memo } from "react";
import type { Json } from "../../../../../src/turn/json.ts";
import { Icon } from "../../../ui/icon.tsx";
import type { TableRoom } from "../room/table-room.ts";
import { CellEditor } from "./cell-editor.tsx";
import { cellPlace } from "./cell-place.ts";
import { cellText, totalText } from "./cell-text.ts";
import { demoColumn } from "./header-row.tsx";
import type { Line } from "./lines.ts";
import type { Mark, Marks } from "./marks.ts";
import { type GridColumn, selectColumn } from "./use-grid-table.ts";

/** What happens in a row. */
export interface RowEvents {
  point(index: number, column: number): void;
  edit(line: RowLine, column: number): void;
  done(value: Json | undefined, by: "key" | "blur"): void;
  choose(rowKey: string): void;
}

type RowLine = Extract<Line, { kind: "row" }>;

interface RowProps {
  room: TableRoom;
  columns: GridColumn[];
  /** Names the columns, their order, widths and pins. */
  layout: string;
  marks: Marks;
  base: string;
  line: RowLine;
  /** Among the lines, from 0. */
  index: number;
  top: number;
  selected: boolean;
  /** Column the keyboard is at, or null. */
  active: number | null;
  editing: boolean;
  /** The same object as long as the grid is there. */
  events: RowEvents;
}

/** One row. Cells that are staged or proposed show both values. While it is scrolled, only new rows are drawn. */
export const DataRow = memo(function DataRow(props: RowProps) {
  const { room, columns, marks, base, line, index, top, selected, active, editing, events } = props;
  const { row } = line;
  const cells = room.host.findRow(row.rowKey)?.cells ?? {};
  const leaving = marks.leaving.has(row.rowKey);
  return (
    <tr
      aria-rowindex={index + 2}
      aria-selected={selected}
      className={`grid-row ${selected ? "is-selected" : ""} ${leaving ? "is-leaving" : ""} ${line.pinned ? "is-pinned-row" : ""}`}
      style={{ transform: `translateY(${top}px)` }}
    >
      {columns.map((column, at) => {
        const place = cellPlace(column, at === columns.length - 1);
        const isActive = active === at;
        const common = {
          id: `${base}-${row.rowKey}-${column.id}`,
          "aria-colindex": at + 1,
          onMouseDown: () => events.point(index, at),
        };
        if (column.id === selectColumn) {
          return (
            <td
              key={column.id}
              {...common}
              {...place}
              className={`${place.className} ${isActive ? "is-active" : ""}`}
            >
              <input
                type="checkbox"
                tabIndex={-1}
                aria-label="Select this row"
                checked={selected}
                onChange={() => events.choose(row.rowKey)}
              />
              {line.pinned && <span className="visually-hidden">pinned</span>}
            </td>
          );
        }
        const own = demoColumn(room.demo, column.id);
        const value = cells[column.id] ?? null;
        const mark = marks.cells.get(row.rowKey)?.get(column.id);
        const writable = own?.writable === true;
        return (
          // biome-ignore lint/a11y/useAriaPropsSupportedByRole: cells of a grid are grid cells.
          <td
            key={column.id}
            {...common}
            {...place}
            className={`${place.className} ${isActive ? "is-active" : ""} ${own?.type === "number" ? "is-number" : ""} ${mark === undefined ? "" : `is-${mark.kind}`}`}
            aria-readonly={!writable}
            onDoubleClick={() => events.edit(line, at)}
          >
            {isActive && editing && own !== undefined ? (
              <CellEditor column={own} value={value} onDone={events.done} />
            ) : mark === undefined ? (
              <span className="truncate">{cellText(own, value)}</span>
            ) : (
              <Marked mark={mark} text={(one) => cellText(own, one)} />
            )}
          </td>
        );
      })}
    </tr>
  );
}, isSameRow);

/** The columns are other objects each time; `layout` says whether they differ. Of the marks only this row's matter. */
function isSameRow(before: RowProps, after: RowProps): boolean {
  const { columns: _before, marks: marksBefore, ...rest } = before;
  const { columns: _after, marks: marksAfter, ...others } = after;
  const key = after.line.row.rowKey;
  return (
    marksBefore.cells.get(key) === marksAfter.cells.get(key) &&
    marksBefore.leaving.has(key) === marksAfter.leaving.has(key) &&
    (Object.keys(rest) as (keyof typeof rest)[]).every((name) => rest[name] === others[name])
  );
}

function Marked({ mark, text }: { mark: Mark; text: (value: Json) => string }) {
  return (
    <span
      className="marked"
      title={`${mark.kind === "staged" ? "Not saved yet" : "Asks for approval"}: was ${text(mark.before) || "empty"}`}
    >
      <span className="visually-hidden">{mark.kind === "staged" ? "Not saved, was " : "Proposed, is "}</span>
      <del>{text(mark.before) || "empty"}</del>
      <span className="visually-hidden">, becomes </span>
      <ins>{text(mark.after) || "empty"}</ins>
    </span>
  );
}

/** The head of a group: opens and closes it. */
export function GroupRow({
  room,
  line,
  base,
  rowIndex,
  top,
  span,
  active,
  onPoint,
  onToggle,
}: {
  room: TableRoom;
  line: Extract<Line, { kind: "group" }>;
  base: string;
  rowIndex: number;
  top: number;
  span: number;
  active: boolean;
  onPoint: () => void;
  onToggle: () => void;
}) {
  const { host, demo } = room;
  const { groupBy, aggregations = {} } = host.view();
  const { group, id, open } = line;
  const label = cellText(demoColumn(demo, groupBy ?? ""), group.value);
  return (
    <tr
      aria-rowindex={rowIndex}
      className="grid-row grid-group"
      style={{ transform: `translateY(${top}px)` }}
    >
      <td
        id={`${base}-g-${id}`}
        aria-colindex={1}
        colSpan={span}
        className={`grid-cell grid-group-cell ${active ? "is-active" : ""}`}
        onMouseDown={onPoint}
      >
        <button
          type="button"
          className="grid-group-button"
          tabIndex={-1}
          aria-expanded={open}
          onClick={onToggle}
        >
          <span className={open ? "group-mark is-open" : "group-mark"} aria-hidden="true">
            <Icon name="right" size={14} />
          </span>
          <strong>{label === "" ? "Empty" : label}</strong>
          <span className="soft">{group.count.toLocaleString("en-US")}</span>
        </button>
        {Object.entries(aggregations).map(([column, operation]) => (
          <span key={column} className="group-total">
            <span className="soft">
              {operationWord(operation)} {demoColumn(demo, column)?.label}
            </span>{" "}
            {totalText(demoColumn(demo, column), group.aggregates[column])}
          </span>
        ))}
      </td>
    </tr>
  );
}

/** How an aggregate is called before a column's name. */
export function operationWord(operation: string): string {
  const words: Record<string, string> = {
    avg: "Average",
    sum: "Sum of",
    min: "Lowest",
    max: "Highest",
    median: "Median",
    count: "Count of",
    unique: "Distinct",
  };
  return words[operation] ?? operation;
}
