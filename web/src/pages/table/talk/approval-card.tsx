import { useEffect, useId, useRef, useState } from "react";
import { safeLine } from "../../../../../src/sandtable/report/safe-text.ts";
import type { Proposal } from "../../../../../src/table/index.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Facts } from "../../../ui/json-view.tsx";
import { cellText } from "../grid/cell-text.ts";
import { demoColumn } from "../grid/header-row.tsx";
import type { OpenApproval, TableRoom } from "../room/table-room.ts";

/** What an agent wants to write, row by row. Some may be approved; a rejection may say why. */
export function ApprovalCard({ room, approval }: { room: TableRoom; approval: OpenApproval }) {
  const { request, decide } = approval;
  const { subject } = request;
  const proposals = subject.type === "rows" ? subject.proposals : [];
  const [chosen, setChosen] = useState<ReadonlySet<number>>(() => new Set(proposals.keys()));
  const [rejecting, setRejecting] = useState(false);
  const [reason, setReason] = useState("");
  const card = useRef<HTMLElement>(null);
  const id = useId();
  useEffect(() => {
    card.current?.focus();
    card.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const approve = () => {
    const positions = [...chosen].sort((a, b) => a - b);
    decide(positions.length === proposals.length ? true : { approved: positions });
  };
  const reject = () =>
    decide({ approved: false, ...(reason.trim() === "" ? {} : { reason: reason.trim() }) });
  const some = proposals.length > 1;
  return (
    <section ref={card} className="ask-card" aria-labelledby={id} tabIndex={-1}>
      <h2 id={id}>{safeLine(request.title)}?</h2>
      {subject.type === "operation" ? (
        <Facts of={subject.arguments} />
      ) : (
        <ul className="proposals">
          {proposals.map((proposal, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
            <li key={at}>
              <ProposalLine
                room={room}
                proposal={proposal}
                checked={chosen.has(at)}
                onCheck={
                  some && subject.perItem
                    ? () => {
                        const next = new Set(chosen);
                        if (!next.delete(at)) next.add(at);
                        setChosen(next);
                      }
                    : null
                }
              />
            </li>
          ))}
        </ul>
      )}
      {rejecting ? (
        <form
          className="stack stack-small"
          onSubmit={(event) => {
            event.preventDefault();
            reject();
          }}
        >
          <TextField
            label="Why not?"
            optional
            autoFocus
            maxLength={500}
            value={reason}
            onChange={setReason}
            hint="The agent is told it."
          />
          <div className="row">
            <Button small look="danger" icon="cross" type="submit">
              Reject
            </Button>
            <Button small onClick={() => setRejecting(false)}>
              Back
            </Button>
          </div>
        </form>
      ) : (
        <div className="row">
          <Button
            small
            look="primary"
            icon="check"
            disabled={subject.type === "rows" && chosen.size === 0}
            onClick={subject.type === "rows" ? approve : () => decide(true)}
          >
            {some && chosen.size < proposals.length
              ? `Approve ${chosen.size} of ${proposals.length}`
              : "Approve"}
          </Button>
          <Button small look="danger" icon="cross" onClick={() => setRejecting(true)}>
            Reject
          </Button>
        </div>
      )}
    </section>
  );
}

function ProposalLine({
  room,
  proposal,
  checked,
  onCheck,
}: {
  room: TableRoom;
  proposal: Proposal;
  checked: boolean;
  /** Null when there is nothing to choose. */
  onCheck: (() => void) | null;
}) {
  const id = useId();
  const { rowKey, column, before, after } = proposal;
  const own = column === undefined ? undefined : demoColumn(room.demo, column);
  const name = rowTitle(room, rowKey, proposal);
  const words = (
    <>
      <strong>{name}</strong>
      {own !== undefined && (
        <>
          {" "}
          <span className="soft">{own.label}</span> <del>{cellText(own, before) || "empty"}</del>
          <span className="soft"> → </span>
          <ins>{cellText(own, after) || "empty"}</ins>
        </>
      )}
    </>
  );
  return (
    <div className="proposal">
      {onCheck !== null && <input id={id} type="checkbox" checked={checked} onChange={onCheck} />}
      {onCheck === null ? <span>{words}</span> : <label htmlFor={id}>{words}</label>}
      {room.host.findRow(rowKey) !== undefined && (
        <Button
          small
          look="quiet"
          aria-label={`Show ${name} in the table`}
          onClick={() => room.reveal(rowKey, column)}
        >
          Show
        </Button>
      )}
    </div>
  );
}

/** What a row is called: its first cell, as the table shows it. */
function rowTitle({ host, demo }: TableRoom, rowKey: string, { after, column }: Proposal): string {
  const first = demo.columns[0];
  if (first === undefined) return rowKey;
  const added = column === undefined && typeof after === "object" && after !== null && !Array.isArray(after);
  const cells = host.findRow(rowKey)?.cells ?? (added ? after : {});
  return cellText(first, cells[first.id]) || rowKey;
}
