import { useEffect, useRef, useState } from "react";
import { safeLine } from "../../../../../src/sandtable/report/safe-text.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import type { RoomState, TableRoom } from "../room/table-room.ts";
import { ApprovalCard } from "./approval-card.tsx";
import { Composer } from "./composer.tsx";
import { ConnectDialog } from "./connect-dialog.tsx";
import { QuestionCard } from "./question-card.tsx";
import { TurnView } from "./turn-view.tsx";

/** The conversation about the table, and who answers. */
export function TalkPanel({ room, state }: { room: TableRoom; state: RoomState }) {
  const { turns, running, approval, question } = state;
  const waiting = approval !== null || question !== null;
  const end = useRef<HTMLDivElement>(null);
  const newest = turns.at(-1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is new is a reason to scroll.
  useEffect(() => {
    const list = end.current?.parentElement;
    list?.scrollTo({ top: list.scrollHeight });
  }, [turns.length, newest?.text, newest?.receipts.length, running, waiting]);
  return (
    <section className="talk card" aria-label="Conversation">
      <Head room={room} state={state} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard. */}
      <div className="talk-list" tabIndex={0} role="log" aria-label="What was said and done">
        {turns.length === 0 && (
          <p className="talk-hello soft">
            Ask in your own words. What the agent does to the table shows here, with a way back.
            {state.backend.kind === "simulated" &&
              " Simulated: an interpreter in this page answers, and no model is called."}
          </p>
        )}
        <ol className="talk-turns">
          {turns.map((turn) => (
            <TurnView key={turn.id} room={room} turn={turn} waiting={waiting} />
          ))}
        </ol>
        {question !== null && <QuestionCard key={question.question.id} open={question} />}
        {approval !== null && <ApprovalCard key={approval.request.id} room={room} approval={approval} />}
        <div ref={end} />
      </div>
      <Suggestions room={room} state={state} />
      <Composer room={room} state={state} />
    </section>
  );
}

function Head({ room, state }: { room: TableRoom; state: RoomState }) {
  const [open, setOpen] = useState(false);
  const { backend, connecting, running, turns } = state;
  const connected = backend.kind === "connected";
  return (
    <header className="talk-head">
      <div className="talk-who">
        {connected ? (
          <>
            <Badge tone="ok" icon="check">
              Connected
            </Badge>
            <span className="soft small truncate" title={backend.endpoint}>
              {safeLine(backend.endpoint.replace(/^https?:\/\//, ""))}
            </span>
          </>
        ) : (
          <Badge tone="info">Simulated</Badge>
        )}
      </div>
      <div className="row">
        {turns.length > 0 && !running && (
          <Button
            small
            look="quiet"
            icon="trash"
            aria-label="Clear the conversation"
            onClick={() => room.clearTalk()}
          />
        )}
        {connected ? (
          <Button small disabled={running} onClick={() => room.disconnect()}>
            Disconnect
          </Button>
        ) : (
          <Button small busy={connecting && !open} disabled={running} onClick={() => setOpen(true)}>
            Connect backend
          </Button>
        )}
      </div>
      {open && <ConnectDialog room={room} state={state} open={open} onClose={() => setOpen(false)} />}
    </header>
  );
}

const clearAll = "clear all filters, sorting and groups";

/** Whether all rows stand in their own order. An agent reads the first few hundred, so only then is a name found. */
function isWhole({ host }: TableRoom): boolean {
  const { sort = null, groupBy = null, search = "", filters = {} } = host.view();
  return sort === null && groupBy === null && search === "" && Object.keys(filters).length === 0;
}

function Suggestions({ room, state }: { room: TableRoom; state: RoomState }) {
  const said = new Set(state.turns.map((turn) => turn.said));
  if (state.running) return null;
  const whole = isWhole(room);
  const left = room.demo.suggestions
    .filter(({ say, namesRows }) => !said.has(say) && (whole || namesRows === undefined))
    .map(({ say }) => say);
  const most = state.turns.length === 0 ? 6 : 3;
  const shown = whole ? left.slice(0, most) : [clearAll, ...left.slice(0, most - 1)];
  if (shown.length === 0) return null;
  return (
    <ul className="suggestions" aria-label="Suggestions">
      {shown.map((one) => (
        <li key={one}>
          <button type="button" onClick={() => void room.send(one)}>
            {one}
          </button>
        </li>
      ))}
    </ul>
  );
}
