import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import type { Json } from "../../../../../src/turn/json.ts";
import { Button } from "../../../ui/button.tsx";
import { Empty } from "../../../ui/states.tsx";
import { toast } from "../../../ui/toast.tsx";
import type { RoomState, TableRoom } from "../room/table-room.ts";
import { DataRow, GroupRow, type RowEvents } from "./data-row.tsx";
import { demoColumn, HeaderRow, nextSort } from "./header-row.tsx";
import { type Line, linesOf, rowsShown } from "./lines.ts";
import { marksOf } from "./marks.ts";
import { moved, type Spot } from "./moves.ts";
import { selectColumn, useGridTable } from "./use-grid-table.ts";

/** Height of a line, the header's too, pixels. */
const lineHeight = 36;

/**
 * The table as a grid: only the lines in view are in the page. The keyboard is at one cell (`aria-activedescendant`), so
 * it keeps its place however far the rows are scrolled.
 */
export function Grid({ room, state }: { room: TableRoom; state: RoomState }) {
  const { host } = room;
  const base = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLTableElement>(null);
  /** A cell was asked to be shown and is not in the page yet. */
  const sought = useRef(false);
  const lastActive = useRef<string | undefined>(undefined);
  const [spot, setSpot] = useState<Spot>({ line: 0, column: 1 });
  const [editing, setEditing] = useState(false);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());

  const view = host.view();
  const { selection = [], totalRows: _, ...where } = view;
  const rowsKey = JSON.stringify([where, host.rowsVersion()]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key names all that the rows depend on.
  const shown = useMemo(() => rowsShown(host), [host, rowsKey]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: groups depend on the same.
  const groups = useMemo(() => host.groups(), [host, rowsKey]);
  const firstRow = ((view.page ?? 1) - 1) * (view.limit ?? 1);
  const lines = useMemo(() => linesOf(shown, groups, firstRow, opened), [shown, groups, firstRow, opened]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: staged edits change with the rows' version.
  const marks = useMemo(() => marksOf(host, state.approval), [host, rowsKey, state.approval]);
  const selected = useMemo(() => new Set(selection), [selection]);
  const table = useGridTable(room, shown.rows);
  const columns = table.getVisibleLeafColumns();
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 10,
    paddingStart: lineHeight,
    scrollPaddingStart: lineHeight,
    useFlushSync: false,
  });

  const at: Spot = {
    line: Math.min(spot.line, lines.length - 1),
    column: Math.min(spot.column, columns.length - 1),
  };
  const activeLine = lines[at.line];
  const activeId = idOf(base, activeLine, columns[at.column]?.id);

  const goTo = (next: Spot) => {
    setSpot(next);
    setEditing(false);
    if (next.line >= 0) virtual.scrollToIndex(next.line);
  };
  // The column comes into view once its cell is there.
  useEffect(() => {
    const hasMoved = lastActive.current !== activeId && document.activeElement === grid.current;
    if (activeId === undefined || (!hasMoved && !sought.current)) return;
    const cell = document.getElementById(activeId);
    if (cell === null) return;
    lastActive.current = activeId;
    sought.current = false;
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  });

  // A narrowed or reordered table is read from its top.
  const { page, limit, search, sort, groupBy, filters } = view;
  const order = JSON.stringify([page, limit, search, sort, groupBy, filters]);
  const lastOrder = useRef(order);
  useEffect(() => {
    if (lastOrder.current === order) return;
    lastOrder.current = order;
    scroller.current?.scrollTo({ top: 0 });
    setSpot((before) => ({ ...before, line: Math.min(before.line, 0) }));
    setEditing(false);
  }, [order]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other groups are other heads.
  useEffect(() => setOpened(new Set()), [groupBy]);

  useReveal(
    room,
    state,
    { lines, rows: shown.rows, groups, firstRow, open: (id) => setOpened(new Set([...opened, id])) },
    (line, column) => {
      const wanted = columns.findIndex(({ id }) => id === column);
      setSpot({ line, column: wanted < 0 ? at.column : wanted });
      virtual.scrollToIndex(line, { align: "center" });
      sought.current = true;
      scroller.current?.scrollIntoView({ block: "nearest" });
    },
  );

  const toggle = (id: string) => {
    const next = new Set(opened);
    if (!next.delete(id)) next.add(id);
    setOpened(next);
  };
  const edit = (line: Line | undefined, column: number) => {
    const own = demoColumn(room.demo, columns[column]?.id ?? "");
    if (line?.kind !== "row" || own?.writable !== true) return;
    if (own.type === "boolean") {
      const fault = room.stage(
        line.row.rowKey,
        own.id,
        host.findRow(line.row.rowKey)?.cells[own.id] !== true,
      );
      if (fault !== null) toast({ tone: "bad", text: fault });
    } else setEditing(true);
  };
  const done = (value: Json | undefined, by: "key" | "blur") => {
    setEditing(false);
    const column = columns[at.column]?.id;
    if (value !== undefined && activeLine?.kind === "row" && column !== undefined) {
      const fault = room.stage(activeLine.row.rowKey, column, value);
      if (fault !== null) toast({ tone: "bad", text: fault });
    }
    if (by === "key") grid.current?.focus();
  };
  const keys = (event: KeyboardEvent) => {
    if (event.target !== grid.current) return;
    const next = moved(at, event, {
      lines: lines.length,
      columns: columns.length,
      page: Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / lineHeight) - 2),
    });
    if (next !== null) goTo(next);
    else if (event.key === "Enter" || event.key === "F2") act();
    else if (event.key === " ") choose();
    else return;
    event.preventDefault();
  };
  const select = (rowKey: string) =>
    host.setSelection(
      selected.has(rowKey) ? selection.filter((key) => key !== rowKey) : [...selection, rowKey],
    );
  const act = () => {
    const column = columns[at.column];
    if (at.line < 0) {
      if (column?.getCanSort() === true) nextSort(room, column.id);
      else if (column?.id === selectColumn) table.toggleAllRowsSelected();
    } else if (activeLine?.kind === "group") toggle(activeLine.id);
    else if (column?.id === selectColumn) choose();
    else edit(activeLine, at.column);
  };
  const choose = () => {
    if (at.line < 0) table.toggleAllRowsSelected();
    else if (activeLine?.kind === "group") toggle(activeLine.id);
    else if (activeLine !== undefined) select(activeLine.row.rowKey);
  };
  const newest = useRef<RowEvents | null>(null);
  newest.current = {
    point: (line, column) => {
      if (line !== at.line || column !== at.column) goTo({ line, column });
    },
    edit,
    done,
    choose: select,
  };
  const [events] = useState<RowEvents>(() => ({
    point: (line, column) => newest.current?.point(line, column),
    edit: (line, column) => newest.current?.edit(line, column),
    done: (value, by) => newest.current?.done(value, by),
    choose: (rowKey) => newest.current?.choose(rowKey),
  }));
  const layout = JSON.stringify(columns.map((column) => [column.id, column.getSize(), column.getIsPinned()]));

  return (
    <div className="grid-frame">
      <div
        ref={scroller}
        className="grid-scroll"
        style={{ scrollPaddingInlineStart: table.getStartTotalSize() }}
      >
        <table
          ref={grid}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells the keyboard moves among.
          role="grid"
          tabIndex={0}
          className="grid"
          aria-label={room.demo.label}
          aria-rowcount={lines.length + 1}
          aria-colcount={columns.length}
          aria-multiselectable="true"
          aria-activedescendant={activeId}
          style={{ minWidth: table.getTotalSize() }}
          onKeyDown={keys}
        >
          <thead className="grid-head-group">
            <HeaderRow
              room={room}
              table={table}
              base={base}
              active={at.line < 0 ? at.column : null}
              onFocusColumn={(column) => setSpot({ line: -1, column })}
            />
          </thead>
          <tbody className="grid-body" style={{ height: virtual.getTotalSize() - lineHeight }}>
            {virtual.getVirtualItems().map(({ index, start }) => {
              const line = lines[index];
              if (line === undefined) return null;
              const isActive = index === at.line;
              if (line.kind === "group") {
                return (
                  <GroupRow
                    key={`g ${line.id}`}
                    room={room}
                    line={line}
                    base={base}
                    rowIndex={index + 2}
                    top={start - lineHeight}
                    span={columns.length}
                    active={isActive}
                    onPoint={() => setSpot({ line: index, column: at.column })}
                    onToggle={() => toggle(line.id)}
                  />
                );
              }
              return (
                <DataRow
                  key={line.row.rowKey}
                  room={room}
                  columns={columns}
                  layout={layout}
                  marks={marks}
                  base={base}
                  line={line}
                  index={index}
                  top={start - lineHeight}
                  selected={selected.has(line.row.rowKey)}
                  active={isActive ? at.column : null}
                  editing={isActive && editing}
                  events={events}
                />
              );
            })}
          </tbody>
        </table>
      </div>
      {lines.length === 0 && <NothingLeft room={room} />}
    </div>
  );
}

function NothingLeft({ room: { host, demo } }: { room: TableRoom }) {
  return (
    <div className="grid-empty">
      <Empty
        icon="table"
        title={`No ${demo.noun.one} matches`}
        action={
          <Button
            onClick={() => {
              host.setFilters({});
              host.setSearch("");
            }}
          >
            Clear filters and search
          </Button>
        }
      />
    </div>
  );
}

/** The element of a cell, which may not be in the page. */
function idOf(base: string, line: Line | undefined, column: string | undefined): string | undefined {
  if (line === undefined) return column === undefined ? undefined : `${base}-h-${column}`;
  if (line.kind === "group") return `${base}-g-${line.id}`;
  return column === undefined ? undefined : `${base}-${line.row.rowKey}-${column}`;
}

/** Scrolls to a row that was asked for, opening its group first. */
function useReveal(
  room: TableRoom,
  { revealed }: RoomState,
  where: {
    lines: Line[];
    rows: { rowKey: string }[];
    groups: { value: Json; count: number }[];
    firstRow: number;
    open: (group: string) => void;
  },
  show: (line: number, column: string | null) => void,
): void {
  const answered = useRef(revealed?.time ?? 0);
  useEffect(() => {
    if (revealed === null || revealed.time === answered.current) return;
    const line = where.lines.findIndex((one) => one.kind === "row" && one.row.rowKey === revealed.rowKey);
    if (line >= 0) {
      answered.current = revealed.time;
      return show(line, revealed.column);
    }
    const place = where.rows.findIndex(({ rowKey }) => rowKey === revealed.rowKey);
    let end = -where.firstRow;
    const group = where.groups.find(({ count }) => {
      end += count;
      return place >= 0 && place < end;
    });
    if (group !== undefined) return where.open(JSON.stringify(group.value));
    answered.current = revealed.time;
    toast({ tone: "info", text: `This ${room.demo.noun.one} is not in the view as it is filtered now.` });
  });
}
