import type { ReactNode } from "react";
import type { RuleOutcome, RuleResult, TranscriptEntry } from "../../../../src/sandtable/report/results.ts";
import { safeText } from "../../../../src/sandtable/report/safe-text.ts";
import { Badge } from "../../ui/badge.tsx";
import { Changes } from "../../ui/changes.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Facts, JsonView } from "../../ui/json-view.tsx";
import { Quote } from "./overview-tab.tsx";

interface LineProps {
  entry: TranscriptEntry;
  /** From 1. */
  number: number;
  /** A reason of the verdict points here. */
  blamed: boolean;
  /** The address points here. */
  pointed: boolean;
  /** The domain's rules by their id. */
  known: Map<string, RuleResult>;
}

/** One line of a transcript: who, what, and which rules it kept or broke. */
export function TranscriptLine({ entry, number, blamed, pointed, known }: LineProps) {
  const marks = `${blamed ? "is-blamed" : ""} ${pointed ? "is-pointed" : ""}`;
  switch (entry.kind) {
    case "caller":
      return (
        <Line kind="caller" icon="user" who="Caller" number={number} marks={marks}>
          <p className="said">{safeText(entry.text)}</p>
        </Line>
      );
    case "agent":
      return (
        <Line
          kind="agent"
          icon="robot"
          who={entry.by === "runner" ? "Runner" : "Agent"}
          number={number}
          marks={marks}
        >
          <p className="said">
            {entry.text === "" ? <span className="soft">says nothing</span> : safeText(entry.text)}
          </p>
          <Outcomes rules={entry.rules} known={known} />
        </Line>
      );
    case "call":
      return (
        <Line
          kind="call"
          icon="tool"
          who={safeText(entry.tool)}
          number={number}
          marks={marks}
          state={<CallState ok={entry.ok} />}
        >
          <Facts of={entry.args} />
          {entry.error !== undefined && (
            <p className="small field-error wrap-anywhere">{safeText(entry.error)}</p>
          )}
          {entry.result !== undefined && (
            <details className="small">
              <summary>Result</summary>
              <JsonView value={entry.result} />
            </details>
          )}
          {entry.changes.length > 0 && <Changes operations={entry.changes} />}
          <Outcomes rules={entry.rules} known={known} />
        </Line>
      );
    case "note":
      return (
        <Line kind="note" icon="info" who="Runner" number={number} marks={marks}>
          <p className="soft">{safeText(entry.text)}</p>
        </Line>
      );
  }
}

function CallState({ ok }: { ok: boolean }) {
  return (
    <Badge tone={ok ? "ok" : "warn"} icon={ok ? "check" : "cross"}>
      {ok ? "ran" : "refused"}
    </Badge>
  );
}

function Line({
  kind,
  icon,
  who,
  number,
  marks,
  state,
  children,
}: {
  kind: TranscriptEntry["kind"];
  icon: IconName;
  who: string;
  number: number;
  marks: string;
  state?: ReactNode;
  children: ReactNode;
}) {
  return (
    <li className={`line line-${kind} ${marks}`}>
      <div className="line-head">
        <Icon name={icon} size={15} />
        <span className={kind === "call" ? "mono wrap-anywhere" : ""}>{who}</span>
        {state}
        <span className="line-number soft">{number}</span>
      </div>
      <div className="line-body">{children}</div>
    </li>
  );
}

/** Rules a line was measured by: broken ones with their evidence and quote, kept ones in a word. */
function Outcomes({ rules, known }: { rules: RuleOutcome[]; known: Map<string, RuleResult> }) {
  const kept = rules.filter(({ outcome }) => outcome === "kept");
  const told = rules.filter(({ outcome }) => outcome !== "kept");
  return (
    <>
      {told.map(({ rule, outcome, message, evidence }) => (
        <div
          key={rule}
          className={`outcome tone-${outcome === "broken" && known.get(rule)?.severity !== "soft" ? "bad" : "warn"}`}
        >
          <p>
            <Icon name={outcome === "broken" ? "cross" : "alert"} size={14} /> <strong>{rule}</strong>
            {known.get(rule)?.severity === "soft" && " (soft)"}{" "}
            {outcome === "broken" ? "is broken" : "could not be checked"}
            {message !== undefined && `: ${safeText(message)}`}
          </p>
          {known.get(rule)?.quote !== undefined && <Quote text={known.get(rule)?.quote ?? ""} />}
          {evidence !== undefined && (
            <details className="small">
              <summary>Evidence</summary>
              <Facts of={evidence} />
            </details>
          )}
        </div>
      ))}
      {kept.length > 0 && (
        <p className="kept small">
          <Icon name="check" size={13} /> keeps {kept.map(({ rule }) => rule).join(", ")}
        </p>
      )}
    </>
  );
}
