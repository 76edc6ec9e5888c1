import { useEffect, useRef } from "react";
import { reasonText } from "../../../../src/sandtable/report/evidence.ts";
import { count, duration } from "../../../../src/sandtable/report/format.ts";
import type { Reason, Results, TaskResult, TrialResult } from "../../../../src/sandtable/report/results.ts";
import { safeText } from "../../../../src/sandtable/report/safe-text.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { Changes } from "../../ui/changes.tsx";
import { JsonView } from "../../ui/json-view.tsx";
import { Quote, trialHref } from "./overview-tab.tsx";
import { TranscriptLine } from "./transcript-line.tsx";
import { endedByWords, verdictLook } from "./words.ts";

/** One trial: its verdict and why, what was said and called, and what it changed in the world. */
export function TrialView({
  results,
  task,
  trial,
  line,
}: {
  results: Results;
  task: TaskResult;
  trial: TrialResult;
  /** Line of the transcript, from 1, that an address points at. */
  line: number | null;
}) {
  const top = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (line !== null) list.current?.children[line - 1]?.scrollIntoView({ block: "center" });
    else scrollTo(0, 0);
    // The link that led here may be gone with its tab, and the keyboard would start again at the top of the page.
    if (document.activeElement === document.body) top.current?.focus({ preventScroll: true });
  }, [line]);
  const rules = new Map(results.rules.map((rule) => [rule.id, rule]));
  const blamed = new Set(trial.why.flatMap(({ entry }) => (entry === undefined ? [] : [entry])));
  return (
    <div className="trial-columns" ref={top} tabIndex={-1}>
      <div className="stack">
        <Card
          title={
            <span className="row">
              <Badge {...verdictLook[trial.verdict]}>{trial.verdict}</Badge>
              <span className="wrap-anywhere">
                {task.id} <span className="soft">#{trial.trial}</span>
              </span>
            </span>
          }
        >
          <div className="stack stack-small">
            {task.description !== undefined && <p className="soft small">{safeText(task.description)}</p>}
            <p className="small">
              Ended because {endedByWords[trial.endedBy]}, after {count(trial.turns, "turn")} and{" "}
              {count(trial.steps, "step")}; the agent took {duration(trial.agentMs)}.
            </p>
            {trial.why.length > 0 && (
              <ol className="reasons" aria-label="Why">
                {trial.why.map((reason, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: reasons have no id and never change.
                  <ReasonItem key={index} reason={reason} runId={results.runId} trial={trial} />
                ))}
              </ol>
            )}
          </div>
        </Card>
        <Card title="Change of the world" note="From the start of the trial to its end.">
          <Changes operations={trial.stateChanges} none="The world is as it was." />
        </Card>
      </div>
      <Card title="Transcript" note={<code className="wrap-anywhere">{trial.sessionId}</code>}>
        <ol className="transcript" ref={list}>
          {trial.transcript.map((entry, index) => (
            <TranscriptLine
              // biome-ignore lint/suspicious/noArrayIndexKey: lines are known by their place.
              key={index}
              entry={entry}
              number={index + 1}
              blamed={blamed.has(index)}
              pointed={line === index + 1}
              known={rules}
            />
          ))}
        </ol>
      </Card>
    </div>
  );
}

function ReasonItem({ reason, runId, trial }: { reason: Reason; runId: string; trial: TrialResult }) {
  return (
    <li className={reason.kind === "note" ? "reason-note" : ""}>
      <p className="wrap-anywhere">{safeText(reasonText(reason))}</p>
      {reason.kind === "rule" && reason.quote !== undefined && <Quote text={reason.quote} />}
      {reason.kind === "runtime" && reason.body !== undefined && <JsonView value={reason.body} />}
      {reason.entry !== undefined && (
        <a className="small" href={trialHref(runId, trial.taskId, trial.trial, reason.entry)}>
          line {reason.entry + 1}
        </a>
      )}
    </li>
  );
}
