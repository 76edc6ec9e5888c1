import { useRef, useState } from "react";
import { safeLine } from "../../../../../src/sandtable/report/safe-text.ts";
import { Button } from "../../../ui/button.tsx";
import { toast } from "../../../ui/toast.tsx";
import type { TableRoom } from "../room/table-room.ts";

/** Edits that wait, an agent's and one's own: all are saved or discarded here. */
export function StagedBar({ room }: { room: TableRoom }) {
  const { host } = room;
  const staged = host.staged();
  const [refused, setRefused] = useState<string[]>([]);
  const shown = useRef(-1);
  if (staged.length === 0) return null;
  const save = () => {
    const outcomes = host.saveStaged();
    const failed = outcomes.flatMap(({ ok, error }) => (ok ? [] : [error ?? "It was refused."]));
    setRefused([...new Set(failed)]);
    const saved = outcomes.length - failed.length;
    if (saved > 0) toast({ tone: "ok", text: `Saved ${saved} ${saved === 1 ? "row" : "rows"}.` });
  };
  const show = () => {
    shown.current = (shown.current + 1) % staged.length;
    const edit = staged[shown.current];
    if (edit !== undefined) room.reveal(edit.rowKey, edit.column);
  };
  return (
    <section className="staged-bar" aria-label="Edits that are not saved">
      <p role="status">
        <strong>{staged.length}</strong> {staged.length === 1 ? "edit is" : "edits are"} not saved.
        {refused.length > 0 && <span className="staged-why"> {refused.map(safeLine).join(" ")}</span>}
      </p>
      <div className="row">
        <Button small look="quiet" onClick={show}>
          Show
        </Button>
        <Button
          small
          onClick={() => {
            setRefused([]);
            host.discardStaged();
          }}
        >
          Discard
        </Button>
        <Button small look="primary" icon="check" onClick={save}>
          Save
        </Button>
      </div>
    </section>
  );
}
