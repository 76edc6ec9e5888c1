import { memo, useState } from "react";
import { safeText } from "../../../../../src/sandtable/report/safe-text.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import type { EndItem } from "../model/items.ts";
import { SnippetsDialog } from "./snippets-dialog.tsx";

/** How a turn ended: what it cost and whose words they were, or why it came to nothing. */
export const EndMark = memo(
  function EndMark({
    item,
    agent,
    threadId,
    said,
    retry,
  }: {
    item: EndItem;
    agent: string;
    threadId: string;
    said: string;
    retry: (() => void) | null;
  }) {
    const [open, setOpen] = useState(false);
    const { outcome, usage, model } = item;
    return (
      <div className="end">
        {outcome.type === "failed" && (
          <section className="end-failed" aria-label="The turn failed">
            <Icon name="alert" size={16} />
            <div>
              <p className="wrap-anywhere">{safeText(outcome.message)}</p>
              <p className="small mono">{safeText(outcome.code)}</p>
            </div>
            {retry !== null && (
              <Button small icon="refresh" onClick={retry}>
                Try again
              </Button>
            )}
          </section>
        )}
        <div className="end-line small soft">
          {outcome.type === "cancelled" && <span>Stopped.</span>}
          {model === "scripted" && (
            <span title="No model is configured: the agent’s own script answered.">scripted, no model</span>
          )}
          {model !== null && model !== "scripted" && <span>{safeText(model)}</span>}
          {usage !== null && usage.inputTokens + usage.outputTokens > 0 && (
            <span className="number" title="Tokens of the model’s calls in this turn">
              {usage.inputTokens.toLocaleString("en")} in, {usage.outputTokens.toLocaleString("en")} out
            </span>
          )}
          {said !== "" && (
            <Button small look="quiet" icon="copy" className="end-copy" onClick={() => setOpen(true)}>
              Copy as code
            </Button>
          )}
        </div>
        {open && (
          <SnippetsDialog agent={agent} threadId={threadId} said={said} onClose={() => setOpen(false)} />
        )}
      </div>
    );
  },
  (one, other) =>
    one.item === other.item && one.said === other.said && (one.retry === null) === (other.retry === null),
);
