import { useEffect, useId, useRef, useState } from "react";
import { safeText } from "../../../../../src/sandtable/report/safe-text.ts";
import type { Decision, Json } from "../../../../../src/turn/index.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { TextArea } from "../../../ui/field.tsx";
import { Facts } from "../../../ui/json-view.tsx";
import { checkValue, type FormIssue, isObject } from "../../../ui/schema.ts";
import { SchemaForm } from "../../../ui/schema-form.tsx";
import type { ChatThread, ThreadView } from "../model/chat-thread.ts";
import type { Approval } from "../model/items.ts";

/** Longest reason, characters. */
const maxReason = 2_000;

const decidedWords = { approve: "approved", edit: "approved with changes", reject: "rejected" } as const;

/** A call that waits for a person: what would run, and the decision about it. */
export function ApprovalCard({
  approval,
  thread,
  view,
  onSettled,
}: {
  approval: Approval;
  thread: ChatThread;
  view: ThreadView;
  onSettled: () => void;
}) {
  const [mode, setMode] = useState<"choose" | "edit" | "reject">("choose");
  const [edited, setEdited] = useState<Json>(approval.args);
  const [reason, setReason] = useState("");
  const [issues, setIssues] = useState<FormIssue[]>([]);
  const title = useId();
  const { allowed, schema, id } = approval;
  const decision = view.decisions.get(id) ?? null;
  const alone = view.approvals.length + view.clientCalls.length === 1;

  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (mode !== "choose") form.current?.querySelector<HTMLElement>("input, textarea, select")?.focus();
  }, [mode]);

  const decide = (next: Decision) => {
    setMode("choose");
    thread.decide(id, next);
    if (alone) onSettled();
    else focusNextChoice();
  };
  const submitEdit = () => {
    const found = checkValue(edited, schema, schema);
    setIssues(found);
    if (found.length === 0 && isObject(edited)) decide({ kind: "edit", args: edited });
  };

  return (
    <section className="approval" aria-labelledby={title}>
      <p id={title} className="approval-title wrap-anywhere">
        {safeText(approval.message)}
      </p>
      {mode !== "edit" && (
        <div className="approval-what">
          <p className="small soft">
            <code>{safeText(approval.tool)}</code> will run with
          </p>
          <Facts of={decision?.kind === "edit" ? decision.args : approval.args} />
        </div>
      )}
      {decision !== null ? (
        <div className="row">
          <Badge
            tone={decision.kind === "reject" ? "bad" : "ok"}
            icon={decision.kind === "reject" ? "cross" : "check"}
          >
            {decidedWords[decision.kind]}
          </Badge>
          {!alone && (
            <Button small look="quiet" icon="undo" onClick={() => thread.decide(id, null)}>
              Change
            </Button>
          )}
        </div>
      ) : mode === "choose" ? (
        <div className="row approval-choices">
          {allowed.includes("approve") && (
            <Button look="primary" icon="check" onClick={() => decide({ kind: "approve" })}>
              Approve
            </Button>
          )}
          {allowed.includes("edit") && (
            <Button icon="edit" onClick={() => setMode("edit")}>
              Edit first
            </Button>
          )}
          {allowed.includes("reject") && (
            <Button look="danger" icon="cross" onClick={() => setMode("reject")}>
              Reject
            </Button>
          )}
        </div>
      ) : mode === "edit" ? (
        <form
          ref={form}
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            submitEdit();
          }}
        >
          <SchemaForm schema={schema} value={edited} onChange={setEdited} issues={issues} />
          <div className="row">
            <Button look="primary" icon="check" type="submit">
              Approve with these
            </Button>
            <Button
              onClick={() => {
                setEdited(approval.args);
                setIssues([]);
                setMode("choose");
              }}
            >
              Back
            </Button>
          </div>
        </form>
      ) : (
        <form
          ref={form}
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            const why = reason.trim();
            decide(why === "" ? { kind: "reject" } : { kind: "reject", reason: why });
          }}
        >
          <TextArea
            label="Reason"
            optional
            value={reason}
            onChange={setReason}
            maxLength={maxReason}
            hint="The agent is told it."
          />
          <div className="row">
            <Button look="danger" icon="cross" type="submit">
              Reject
            </Button>
            <Button onClick={() => setMode("choose")}>Back</Button>
          </div>
        </form>
      )}
    </section>
  );
}

/** The keyboard goes on to what is still to be decided, or to the button that sends it all. */
function focusNextChoice(): void {
  // Once a frame has told the decision, and another has drawn it.
  requestAnimationFrame(() =>
    requestAnimationFrame(() =>
      document
        .querySelector<HTMLElement>(".approval-choices button, .answers-bar button:not(:disabled)")
        ?.focus(),
    ),
  );
}
