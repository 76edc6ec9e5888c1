import type { HostFilter } from "../../../../../src/table/index.ts";
import { conditionsOf } from "../../../../../src/table/session/filter-bag.ts";
import { completeFilter } from "../../../../../src/table/session/filters.ts";
import { LiveTable } from "../../../../../src/table/session/live-table.ts";
import { filterWords } from "../../../../../src/table/session/words.ts";
import type { TableRoom } from "../room/table-room.ts";

/** A filter in force, in words. */
export interface ConditionShown {
  key: string;
  label: string;
  words: string;
}

/** The filters in force, as receipts word them; those on columns an agent may not see too. */
export function conditionsShown({ host, session }: TableRoom): ConditionShown[] {
  const bag = host.view().filters ?? {};
  const live = new LiveTable(host, {}, session.policy());
  const told = conditionsOf(bag, live.filters).map(({ key }) => key);
  const words = filterWords(live, bag).map((one, at) => ({ key: told[at] ?? "", ...one }));
  const untold = conditionsOf(bag, host.filters().map(completeFilter)).filter(
    ({ key }) => !told.includes(key),
  );
  const labelOf = (key: string) => host.filters().find((filter) => filter.key === key)?.label ?? key;
  return [...words, ...untold.map(({ key }) => ({ key, label: labelOf(key), words: "is filtered" }))];
}

/** The bag without one filter. */
export function withoutFilter({ host }: TableRoom, key: string) {
  const filter: HostFilter | undefined = host.filters().find((one) => one.key === key);
  const own = new Set(filter === undefined ? [key] : completeFilter(filter).valueKeys);
  return Object.fromEntries(Object.entries(host.view().filters ?? {}).filter(([name]) => !own.has(name)));
}
