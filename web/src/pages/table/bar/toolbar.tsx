import { useEffect, useId, useState } from "react";
import { allRows, type RoomState, type TableRoom } from "../room/table-room.ts";
import { ColumnsPanel } from "./columns-panel.tsx";
import { FiltersPanel } from "./filters-panel.tsx";
import { RulesPanel } from "./rules-panel.tsx";

/** Pause in typing after which the table is searched, milliseconds. */
const searchAfterMs = 120;

/** What a person can do with the view; an agent does the same to the same state. */
export function Toolbar({ room, state }: { room: TableRoom; state: RoomState }) {
  const { host, demo } = room;
  const { groupBy = null, limit = allRows } = host.view();
  const ids = useId();
  const groupable = host.columns().filter(({ groupable: may = true }) => may);
  return (
    <div className="table-tools">
      <Search room={room} />
      <FiltersPanel room={room} />
      <label htmlFor={`${ids}-group`} className="visually-hidden">
        Group by
      </label>
      <select
        id={`${ids}-group`}
        className="input tool-select"
        value={groupBy ?? ""}
        onChange={(event) => host.setGroupBy(event.target.value === "" ? null : event.target.value)}
      >
        <option value="">No groups</option>
        {groupable.map(({ id, label }) => (
          <option key={id} value={id}>
            By {label.toLowerCase()}
          </option>
        ))}
      </select>
      <label htmlFor={`${ids}-size`} className="visually-hidden">
        Rows on a page
      </label>
      <select
        id={`${ids}-size`}
        className="input tool-select"
        value={limit}
        onChange={(event) => host.setPage({ page: 1, limit: Number(event.target.value) })}
      >
        {(host.view().pageSizes ?? []).map((size) => (
          <option key={size} value={size}>
            {size === allRows ? `All ${demo.noun.many}` : `${size} a page`}
          </option>
        ))}
      </select>
      <ColumnsPanel room={room} />
      <RulesPanel room={room} state={state} />
    </div>
  );
}

function Search({ room: { host, demo } }: { room: TableRoom }) {
  const search = host.view().search ?? "";
  const [text, setText] = useState(search);
  const id = useId();
  // An agent may have searched for something else.
  useEffect(() => setText(search), [search]);
  useEffect(() => {
    if (text === search) return;
    const timer = setTimeout(() => host.setSearch(text), searchAfterMs);
    return () => clearTimeout(timer);
  }, [text, search, host]);
  return (
    <div className="tool-search">
      <label htmlFor={id} className="visually-hidden">
        Search {demo.noun.many}
      </label>
      <input
        id={id}
        className="input"
        type="search"
        placeholder={`Search ${demo.noun.many}`}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  );
}
