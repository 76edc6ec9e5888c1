import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { demoColumn } from "../grid/header-row.tsx";
import type { TableRoom } from "../room/table-room.ts";
import { Popover } from "./popover.tsx";

/** Which columns are shown, in which order, and which stay in place. */
export function ColumnsPanel({ room: { host, demo } }: { room: TableRoom }) {
  const { columnOrder = [], hiddenColumns = [], pinnedColumns = { start: [], end: [] } } = host.view();
  const visible = columnOrder.length - hiddenColumns.length;
  const hide = (id: string, hidden: boolean) =>
    host.setHiddenColumns(hidden ? [...hiddenColumns, id] : hiddenColumns.filter((one) => one !== id));
  const pin = (id: string, pinned: boolean) =>
    host.setPinnedColumns({
      start: pinned ? [...pinnedColumns.start, id] : pinnedColumns.start.filter((one) => one !== id),
      end: pinnedColumns.end.filter((one) => one !== id),
    });
  const move = (at: number, by: number) => {
    const order = [...columnOrder];
    const [id] = order.splice(at, 1);
    if (id === undefined) return;
    order.splice(at + by, 0, id);
    host.setColumnOrder(order);
  };
  return (
    <Popover label="Columns" count={hiddenColumns.length + pinnedColumns.start.length} title="Columns">
      {() => (
        <ul className="column-list">
          {columnOrder.map((id, at) => {
            const label = demoColumn(demo, id)?.label ?? id;
            const shown = !hiddenColumns.includes(id);
            const pinned = pinnedColumns.start.includes(id) || pinnedColumns.end.includes(id);
            return (
              <li key={id}>
                <label>
                  <input
                    type="checkbox"
                    checked={shown}
                    disabled={shown && visible === 1}
                    onChange={() => hide(id, shown)}
                  />
                  <span>{label}</span>
                </label>
                <button
                  type="button"
                  className="pin-button"
                  aria-pressed={pinned}
                  aria-label={`Pin ${label}`}
                  title={`Pin ${label}`}
                  onClick={() => pin(id, !pinned)}
                >
                  <PinMark />
                </button>
                <Button
                  small
                  look="quiet"
                  aria-label={`Move ${label} up`}
                  disabled={at === 0}
                  onClick={() => move(at, -1)}
                >
                  <span className="mark-up">
                    <Icon name="down" size={14} />
                  </span>
                </Button>
                <Button
                  small
                  look="quiet"
                  aria-label={`Move ${label} down`}
                  disabled={at === columnOrder.length - 1}
                  onClick={() => move(at, 1)}
                >
                  <Icon name="down" size={14} />
                </Button>
              </li>
            );
          })}
        </ul>
      )}
    </Popover>
  );
}

function PinMark() {
  return (
    <svg
      className="icon"
      width="14"
      height="14"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M9 4h6l-1 7 4 3H6l4-3-1-7Zm3 10v6" />
    </svg>
  );
}
