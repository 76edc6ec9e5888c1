import { Icon } from "../../../ui/icon.tsx";
import type { DemoTable } from "../data/demo-table.ts";
import type { TableRoom } from "../room/table-room.ts";
import { cellPlace } from "./cell-place.ts";
import { type GridTable, selectColumn } from "./use-grid-table.ts";

/** The heads of the columns: a press sorts, a mark says what an agent may not do here. */
export function HeaderRow({
  room,
  table,
  base,
  active,
  onFocusColumn,
}: {
  room: TableRoom;
  table: GridTable;
  base: string;
  /** Column the keyboard is at in this row, or null. */
  active: number | null;
  onFocusColumn: (at: number) => void;
}) {
  const columns = table.getVisibleLeafColumns();
  const permissions = new Map(room.host.columns().map((column) => [column.id, column]));
  return (
    <tr className="grid-row grid-head" aria-rowindex={1}>
      {columns.map((column, at) => {
        const place = cellPlace(column, at === columns.length - 1);
        const own = demoColumn(room.demo, column.id);
        const common = {
          id: `${base}-h-${column.id}`,
          "aria-colindex": at + 1,
          ...place,
          className: `${place.className} ${active === at ? "is-active" : ""} ${own?.type === "number" ? "is-number" : ""}`,
          onMouseDown: () => onFocusColumn(at),
        };
        if (column.id === selectColumn) {
          const chosen = table.getIsAllRowsSelected();
          return (
            <th key={column.id} scope="col" {...common}>
              <input
                type="checkbox"
                tabIndex={-1}
                aria-label="Select all rows"
                checked={chosen}
                onChange={() => table.toggleAllRowsSelected(!chosen)}
              />
            </th>
          );
        }
        const sorted = column.getIsSorted();
        const readable = permissions.get(column.id)?.readable ?? true;
        const writable = permissions.get(column.id)?.writable ?? false;
        return (
          <th
            key={column.id}
            scope="col"
            aria-sort={sorted === false ? "none" : sorted === "asc" ? "ascending" : "descending"}
            {...common}
          >
            <button
              type="button"
              className="grid-sort"
              tabIndex={-1}
              disabled={!column.getCanSort()}
              onClick={() => nextSort(room, column.id)}
            >
              <span className="truncate">{own?.label}</span>
              {sorted !== false && <SortMark down={sorted === "desc"} />}
            </button>
            {!readable ? (
              <span className="grid-permit" title="Hidden from the agent: it never sees these values">
                <HiddenMark />
                <span className="visually-hidden">, hidden from the agent</span>
              </span>
            ) : (
              !writable && (
                <span className="grid-permit" title="Read-only for the agent">
                  <LockMark />
                  <span className="visually-hidden">, read-only for the agent</span>
                </span>
              )
            )}
          </th>
        );
      })}
    </tr>
  );
}

/** Unsorted, up, down, unsorted. */
export function nextSort({ host }: TableRoom, column: string): void {
  const sort = host.view().sort ?? null;
  if (sort?.key !== column) host.setSort({ key: column, dir: "asc" });
  else host.setSort(sort.dir === "asc" ? { key: column, dir: "desc" } : null);
}

export function demoColumn(demo: DemoTable, id: string) {
  return demo.columns.find((column) => column.id === id);
}

function SortMark({ down }: { down: boolean }) {
  return (
    <span className={down ? "sort-mark" : "sort-mark is-up"} aria-hidden="true">
      <Icon name="down" size={12} />
    </span>
  );
}

function mark(path: string) {
  return (
    <svg
      className="icon"
      width="12"
      height="12"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}

/** A lock: an agent may read, not write. */
function LockMark() {
  return mark("M6 11h12v9H6v-9Zm2.5 0V8a3.5 3.5 0 0 1 7 0v3");
}

/** A struck eye: an agent may not even read. */
function HiddenMark() {
  return mark(
    "M4 4l16 16M9.5 6.3A9 9 0 0 1 21 12a12 12 0 0 1-2.3 3M6 8a12 12 0 0 0-3 4 9.5 9.5 0 0 0 12 5.3",
  );
}
