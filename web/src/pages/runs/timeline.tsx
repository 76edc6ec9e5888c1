import { type CSSProperties, useEffect, useState } from "react";
import { duration } from "../../../../src/sandtable/report/format.ts";
import { safeText } from "../../../../src/sandtable/report/safe-text.ts";
import type { StepRecord, WaitRecord } from "../../../../src/workflows/runtime/types.ts";
import type { WorkflowRun } from "../../api/work.ts";
import { href } from "../../app/router.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { JsonView } from "../../ui/json-view.tsx";
import { Ago } from "../../ui/time.tsx";
import { isOpen } from "./words.ts";

/** A bar is at least this wide, percent, so that a quick step can be seen. */
const leastWidth = 0.6;

interface Row {
  key: string;
  name: string;
  icon: IconName;
  state: string;
  tone: Tone;
  from: number;
  to: number | null;
  /** A wait is drawn lighter than work. */
  wait: boolean;
  step: StepRecord | null;
  waitRecord: WaitRecord | null;
}

/** Steps and waits of a run as bars over its time; what is under way grows. */
export function Timeline({ run }: { run: WorkflowRun }) {
  const now = useNow(isOpen(run));
  const rows = [...run.steps.map(stepRow), ...run.waits.map(waitRow)].sort((a, b) => a.from - b.from);
  if (rows.length === 0) return <p className="soft">No step has begun.</p>;
  const start = Math.min(Date.parse(run.startedAt), ...rows.map(({ from }) => from));
  const end = run.endedAt === null ? Math.max(now, start + 1) : Math.max(Date.parse(run.endedAt), start + 1);
  return (
    <ol className="timeline">
      {rows.map((row) => (
        <TimelineRow key={row.key} row={row} start={start} end={end} />
      ))}
    </ol>
  );
}

function TimelineRow({ row, start, end }: { row: Row; start: number; end: number }) {
  const { name, icon, state, tone, from, to, wait, step, waitRecord } = row;
  const span = end - start;
  const left = Math.min(100 - leastWidth, ((from - start) / span) * 100);
  const width = Math.max(leastWidth, Math.min(100 - left, (((to ?? end) - from) / span) * 100));
  const style: CSSProperties = { left: `${left}%`, width: `${width}%` };
  return (
    <li className="timeline-row">
      <div className="timeline-name">
        <Icon name={icon} size={15} />
        <span className="wrap-anywhere">{safeText(name)}</span>
      </div>
      <div className="timeline-track" aria-hidden="true">
        <span className={`timeline-bar tone-${tone} ${wait ? "is-wait" : ""}`} style={style} />
      </div>
      <div className="timeline-state">
        <Badge tone={tone}>{state}</Badge>
        <span className="soft small number">{duration((to ?? end) - from)}</span>
      </div>
      {step !== null && <StepMore step={step} />}
      {waitRecord?.status === "open" && (
        <p className="timeline-more soft small">
          {waitRecord.kind === "approval" && <a href={href(["inbox"])}>Decide it in the inbox</a>}
          {waitRecord.kind === "approval" && waitRecord.until !== null && ", "}
          {waitRecord.until !== null && (
            <>
              due <Ago at={waitRecord.until} />
            </>
          )}
        </p>
      )}
    </li>
  );
}

function StepMore({ step }: { step: StepRecord }) {
  const { attempts, failure, output, retryAt, status } = step;
  if (attempts < 2 && failure === null && output === null) return null;
  return (
    <div className="timeline-more small">
      {attempts > 1 && <p className="soft">{attempts} attempts</p>}
      {retryAt !== null && status === "retrying" && (
        <p className="soft">
          tried again <Ago at={retryAt} />
        </p>
      )}
      {failure !== null && (
        <p className="field-error wrap-anywhere">
          <code>{safeText(failure.code)}</code> {safeText(failure.message)}
        </p>
      )}
      {output !== null && (
        <details>
          <summary>Result</summary>
          <JsonView value={output} />
        </details>
      )}
    </div>
  );
}

function stepRow(step: StepRecord): Row {
  const tones: Record<StepRecord["status"], Tone> = {
    running: "info",
    retrying: "warn",
    done: "ok",
    failed: "bad",
    interrupted: "warn",
  };
  return {
    key: `step ${step.id}`,
    name: step.id,
    icon: "play",
    state: step.status,
    tone: tones[step.status],
    from: Date.parse(step.startedAt),
    to: step.endedAt === null ? null : Date.parse(step.endedAt),
    wait: false,
    step,
    waitRecord: null,
  };
}

const waitWords: Record<WaitRecord["kind"], { word: string; icon: IconName }> = {
  sleep: { word: "sleep", icon: "clock" },
  hook: { word: "waits for a hook", icon: "inbox" },
  approval: { word: "waits for a person", icon: "user" },
  workflow: { word: "waits for a workflow", icon: "workflow" },
};

function waitRow(wait: WaitRecord): Row {
  const { word, icon } = waitWords[wait.kind];
  return {
    key: `wait ${wait.id}`,
    name: wait.token ?? word,
    icon,
    state: wait.status === "open" ? word : "over",
    tone: wait.status === "open" ? "info" : "plain",
    from: Date.parse(wait.openedAt),
    to: wait.settledAt === null ? null : Date.parse(wait.settledAt),
    wait: true,
    step: null,
    waitRecord: wait,
  };
}

/** The time, again every second while something is under way. */
function useNow(ticking: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!ticking) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [ticking]);
  return ticking ? now : Date.now();
}
