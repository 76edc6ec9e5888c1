import { Button } from "../../../ui/button.tsx";
import { totalText } from "../grid/cell-text.ts";
import { operationWord } from "../grid/data-row.tsx";
import { demoColumn } from "../grid/header-row.tsx";
import { allRows, type TableRoom } from "../room/table-room.ts";

/** How many rows there are, what they come to, what is selected, and the pages. */
export function StatusLine({ room }: { room: TableRoom }) {
  const { host, demo } = room;
  const { page = 1, limit = allRows, totalRows = 0, selection = [], aggregations = {} } = host.view();
  const all = host.allRows().length;
  const pages = Math.max(1, Math.ceil(totalRows / limit));
  const totals = host.totals();
  const count = (number: number) => number.toLocaleString("en-US");
  return (
    <div className="status-line">
      <p role="status">
        {totalRows === all ? count(all) : `${count(totalRows)} of ${count(all)}`}{" "}
        {all === 1 ? demo.noun.one : demo.noun.many}
      </p>
      {Object.entries(aggregations).map(([column, operation]) => (
        <p key={column} className="soft">
          {operationWord(operation)} {demoColumn(demo, column)?.label.toLowerCase()}{" "}
          <strong>{totalText(demoColumn(demo, column), totals[column])}</strong>
        </p>
      ))}
      {selection.length > 0 && <Selection room={room} selection={selection} />}
      {pages > 1 && (
        <nav className="row status-pages" aria-label="Pages">
          <Button
            small
            look="quiet"
            icon="left"
            aria-label="Page before"
            disabled={page <= 1}
            onClick={() => host.setPage({ page: page - 1, limit })}
          />
          <span>
            {page} of {count(pages)}
          </span>
          <Button
            small
            look="quiet"
            icon="right"
            aria-label="Next page"
            disabled={page >= pages}
            onClick={() => host.setPage({ page: page + 1, limit })}
          />
        </nav>
      )}
    </div>
  );
}

function Selection({ room: { host }, selection }: { room: TableRoom; selection: string[] }) {
  const run = async (action: ReturnType<typeof host.actions>[number]) => {
    await action.run(selection, { signal: new AbortController().signal });
    host.setSelection([]);
  };
  return (
    <div className="row">
      <span>{selection.length.toLocaleString("en-US")} selected</span>
      {host
        .actions()
        .filter(({ scope }) => scope === "bulk")
        .map((action) => (
          <Button key={action.key} small onClick={() => void run(action)}>
            {action.label}
          </Button>
        ))}
      <Button small look="quiet" onClick={() => host.setSelection([])}>
        Clear
      </Button>
    </div>
  );
}
