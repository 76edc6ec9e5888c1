import { useState } from "react";
import { safeLine } from "../../../../../src/sandtable/report/safe-text.ts";
import type { Tone } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Icon, type IconName } from "../../../ui/icon.tsx";
import { toast } from "../../../ui/toast.tsx";
import type { TableRoom } from "../room/table-room.ts";
import type { ShownReceipt } from "../room/turn.ts";

const looks: Record<ShownReceipt["status"], { tone: Tone; icon: IconName }> = {
  executed: { tone: "ok", icon: "check" },
  staged: { tone: "warn", icon: "edit" },
  partial: { tone: "warn", icon: "check" },
  rejected: { tone: "plain", icon: "cross" },
  "awaiting-approval": { tone: "info", icon: "clock" },
  cancelled: { tone: "plain", icon: "stop" },
  stale: { tone: "bad", icon: "alert" },
  failed: { tone: "bad", icon: "alert" },
};
/** Changes shown before "and … more". */
const firstChanges = 4;

/** What one call came to: in words, before and after, and a way back where there is one. */
export function ReceiptChip({ room, receipt }: { room: TableRoom; receipt: ShownReceipt }) {
  const [all, setAll] = useState(false);
  const { tone, icon } = looks[receipt.status];
  // What the line says already is not said twice.
  const changes = receipt.changes.filter(
    ({ before, after }) =>
      (before !== undefined || after !== undefined) && !receipt.text.includes(`${before} → ${after}`),
  );
  const shown = all ? changes : changes.slice(0, firstChanges);
  const undoable = !receipt.undone && room.mayUndo(receipt.id);
  const undo = async () => {
    const fault = await room.undo(receipt.id);
    if (fault !== null) toast({ tone: "warn", text: fault });
  };
  return (
    <li className={`receipt tone-${receipt.undone ? "plain" : tone} ${receipt.undone ? "is-undone" : ""}`}>
      <div className="receipt-line">
        <Icon name={receipt.undone ? "undo" : icon} size={14} />
        <span className="receipt-text wrap-anywhere">
          {safeLine(receipt.text)}
          {receipt.undone && <span className="soft"> (taken back)</span>}
        </span>
        {undoable && (
          <Button
            small
            look="quiet"
            icon="undo"
            onClick={undo}
            aria-label={`Undo: ${safeLine(receipt.text)}`}
          >
            Undo
          </Button>
        )}
      </div>
      {changes.length > 0 && (
        <ul className="receipt-changes">
          {shown.map(({ label, before, after }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes its order.
            <li key={at}>
              <span className="soft">{safeLine(label)}</span>{" "}
              {before !== undefined && <del>{safeLine(before)}</del>}
              {before !== undefined && after !== undefined && <span className="soft"> → </span>}
              {after !== undefined && <ins>{safeLine(after)}</ins>}
            </li>
          ))}
          {changes.length > shown.length && (
            <li>
              <Button small look="quiet" onClick={() => setAll(true)}>
                {`and ${changes.length - shown.length} more`}
              </Button>
            </li>
          )}
        </ul>
      )}
    </li>
  );
}
