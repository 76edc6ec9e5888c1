import { Button } from "../../../ui/button.tsx";
import type { TableRoom } from "../room/table-room.ts";
import { FilterField } from "./filter-field.tsx";
import { Popover } from "./popover.tsx";
import { conditionsShown } from "./view-words.ts";

/** Filters by hand. */
export function FiltersPanel({ room }: { room: TableRoom }) {
  const { host } = room;
  const bag = host.view().filters ?? {};
  return (
    <Popover label="Filters" count={conditionsShown(room).length} title="Filters">
      {(close) => (
        <div className="stack">
          <div className="filters">
            {host.filters().map((filter) => (
              <FilterField
                key={filter.key}
                filter={filter}
                bag={bag}
                onChange={(entries) => {
                  const kept = Object.entries({ ...host.view().filters, ...entries });
                  host.setFilters(Object.fromEntries(kept.filter(([, value]) => value !== null)));
                }}
              />
            ))}
          </div>
          <div className="row">
            <Button small onClick={() => host.setFilters({})}>
              Clear all
            </Button>
            <Button small look="primary" onClick={close}>
              Done
            </Button>
          </div>
        </div>
      )}
    </Popover>
  );
}
