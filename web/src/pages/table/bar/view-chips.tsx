import { safeLine } from "../../../../../src/sandtable/report/safe-text.ts";
import { LiveTable } from "../../../../../src/table/session/live-table.ts";
import { sortWords } from "../../../../../src/table/session/words.ts";
import { Icon } from "../../../ui/icon.tsx";
import { demoColumn } from "../grid/header-row.tsx";
import type { TableRoom } from "../room/table-room.ts";
import { conditionsShown, withoutFilter } from "./view-words.ts";

/** What the view is narrowed to, whoever did it; each can be taken off. */
export function ViewChips({ room }: { room: TableRoom }) {
  const { host, session, demo } = room;
  const { sort = null, search = "", groupBy = null } = host.view();
  const chips: { key: string; text: string; off: () => void }[] = conditionsShown(room).map((one) => ({
    key: `filter ${one.key}`,
    text: `${one.label} ${one.words}`,
    off: () => host.setFilters(withoutFilter(room, one.key)),
  }));
  if (search !== "") chips.push({ key: "search", text: `Search “${search}”`, off: () => host.setSearch("") });
  if (sort !== null) {
    const words = sortWords(new LiveTable(host, {}, session.policy()), sort);
    chips.push({ key: "sort", text: `Sorted by ${words}`, off: () => host.setSort(null) });
  }
  if (groupBy !== null) {
    const label = demoColumn(demo, groupBy)?.label ?? groupBy;
    chips.push({ key: "group", text: `Grouped by ${label}`, off: () => host.setGroupBy(null) });
  }
  if (chips.length === 0) return null;
  return (
    <ul className="view-chips" aria-label="What the view is narrowed to">
      {chips.map(({ key, text, off }) => (
        <li key={key} className="view-chip">
          <span className="truncate">{safeLine(text)}</span>
          <button type="button" aria-label={`Take off: ${safeLine(text)}`} onClick={off}>
            <Icon name="cross" size={13} />
          </button>
        </li>
      ))}
    </ul>
  );
}
