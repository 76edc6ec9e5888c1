import { safeLine, safeText } from "../../../../../src/sandtable/report/safe-text.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Markdown } from "../../../ui/markdown.tsx";
import type { TableRoom } from "../room/table-room.ts";
import type { Turn } from "../room/turn.ts";
import { ReceiptChip } from "./receipt-chip.tsx";

/** What was said, what was done, and the answer. */
export function TurnView({ room, turn, waiting }: { room: TableRoom; turn: Turn; waiting: boolean }) {
  const { said, spoken, text, receipts, status, note } = turn;
  // A read of the agent changed nothing: it stands below, in a line.
  const reads = receipts.filter(({ kind }) => kind === "read");
  const done = receipts.filter(({ kind }) => kind !== "read");
  return (
    <li className="talk-turn">
      <p className="talk-said wrap-anywhere">
        {spoken && <Icon name="mic" size={14} />}
        {said === "" ? <em>A clip of your voice</em> : safeText(said)}
      </p>
      {done.length > 0 && (
        <ul className="receipts" aria-label="What was done">
          {done.map((receipt) => (
            <ReceiptChip key={receipt.id} room={room} receipt={receipt} />
          ))}
        </ul>
      )}
      {text !== "" && (
        <div className="talk-text">
          <Markdown text={text} />
        </div>
      )}
      {status === "running" && !waiting && (
        <p className="talk-note soft" role="status">
          <span className="spinner" aria-hidden="true" /> Working…
        </p>
      )}
      {reads.length > 0 && (
        <p className="talk-note soft">
          {[...new Set(reads.map(({ text: told }) => safeLine(told)))].join(" · ")}
        </p>
      )}
      {note !== null && (
        <p className={`talk-note tone-${status === "failed" ? "bad" : "warn"}`} role="status">
          <Icon name="alert" size={14} />
          <span>{note}</span>
        </p>
      )}
      {status === "stopped" && <p className="talk-note soft">Stopped.</p>}
      {(status === "failed" || status === "interrupted" || status === "stopped") && said !== "" && (
        <p>
          <Button small icon="refresh" onClick={() => void room.send(said)}>
            Ask again
          </Button>
        </p>
      )}
    </li>
  );
}
