import { useEffect, useRef, useState } from "react";
import type { Json, JsonObject } from "../../../../src/turn/json.ts";
import { ApiError, messageOf } from "../../api/errors.ts";
import { type Approval, approve, reject } from "../../api/work.ts";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/field.tsx";
import { checkValue, type FormIssue, isObject } from "../../ui/schema.ts";
import { SchemaForm } from "../../ui/schema-form.tsx";
import { toast } from "../../ui/toast.tsx";

/** Longest reason, characters. */
const maxReason = 2_000;

type Mode = "choose" | "edit" | "reject";

/** Approve, approve with changes, or reject with a reason: whichever of them are allowed. */
export function DecisionForm({ item, onDecided }: { item: Approval; onDecided: () => void }) {
  const allowed =
    item.kind === "tool" ? item.interrupt.allowedDecisions : (["approve", "edit", "reject"] as const);
  const schema: JsonObject = item.kind === "tool" ? item.interrupt.argsSchema : {};
  const stored: Json = item.kind === "tool" ? item.interrupt.args : item.payload;
  const [mode, setMode] = useState<Mode>("choose");
  const [edited, setEdited] = useState<Json>(stored);
  const [reason, setReason] = useState("");
  const [issues, setIssues] = useState<FormIssue[]>([]);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  const place = useRef<HTMLElement>(null);
  const opened = useRef(false);

  // Whoever chooses by keyboard goes on where the choice led.
  useEffect(() => {
    const first = mode === "choose" ? "button" : "input, textarea, select";
    if (opened.current || mode !== "choose") place.current?.querySelector<HTMLElement>(first)?.focus();
    opened.current = mode !== "choose";
  }, [mode]);

  const decide = async (what: "approve" | "edit" | "reject") => {
    setBusy(true);
    setError(null);
    try {
      if (what === "reject") await reject(item.id, reason.trim());
      else await approve(item.id, what === "approve" ? {} : changes(item, edited));
      toast({ tone: what === "reject" ? "info" : "ok", text: saidText(item, what) });
      onDecided();
    } catch (failure) {
      setError(failure);
      setBusy(false);
      // Somebody else was first: what holds is shown instead.
      if (failure instanceof ApiError && (failure.status === 409 || failure.status === 410)) onDecided();
    }
  };
  const submitEdit = () => {
    const found = checkValue(edited, schema, schema);
    setIssues(found);
    if (found.length === 0) void decide("edit");
  };

  return (
    <section aria-label="Decide" className="decide stack" ref={place}>
      {mode === "choose" && (
        <div className="row">
          {allowed.includes("approve") && (
            <Button look="primary" icon="check" busy={busy} onClick={() => decide("approve")}>
              Approve
            </Button>
          )}
          {allowed.includes("edit") && (
            <Button icon="edit" disabled={busy} onClick={() => setMode("edit")}>
              Edit first
            </Button>
          )}
          {allowed.includes("reject") && (
            <Button look="danger" icon="cross" disabled={busy} onClick={() => setMode("reject")}>
              Reject
            </Button>
          )}
        </div>
      )}
      {mode === "edit" && (
        <>
          <SchemaForm schema={schema} value={edited} onChange={setEdited} issues={issues} />
          <div className="row">
            <Button look="primary" icon="check" busy={busy} onClick={submitEdit}>
              Approve with these
            </Button>
            <Button
              disabled={busy}
              onClick={() => {
                setEdited(stored);
                setIssues([]);
                setMode("choose");
              }}
            >
              Back
            </Button>
          </div>
        </>
      )}
      {mode === "reject" && (
        <>
          <TextArea
            label="Reason"
            optional
            value={reason}
            onChange={setReason}
            maxLength={maxReason}
            hint={item.kind === "tool" ? "The agent is told it." : "The workflow is told it."}
          />
          <div className="row">
            <Button look="danger" icon="cross" busy={busy} onClick={() => decide("reject")}>
              Reject
            </Button>
            <Button disabled={busy} onClick={() => setMode("choose")}>
              Back
            </Button>
          </div>
        </>
      )}
      {error !== null && (
        <p className="field-error wrap-anywhere" role="alert">
          {messageOf(error)}
        </p>
      )}
    </section>
  );
}

function changes(item: Approval, edited: Json): { editedArgs?: JsonObject; editedPayload?: Json } {
  if (item.kind === "workflow") return { editedPayload: edited };
  return isObject(edited) ? { editedArgs: edited } : {};
}

function saidText(item: Approval, what: "approve" | "edit" | "reject"): string {
  const goesOn = item.kind === "tool" ? "the agent goes on by itself" : "the workflow goes on by itself";
  const said = { approve: "Approved", edit: "Approved with your changes", reject: "Rejected" }[what];
  return `${said}; ${goesOn}.`;
}
