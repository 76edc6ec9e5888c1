import { useState } from "react";
import { reasonText } from "../../../../src/sandtable/report/evidence.ts";
import { share } from "../../../../src/sandtable/report/format.ts";
import { type GateStanding, gateStanding } from "../../../../src/sandtable/report/gate-standing.ts";
import { headline } from "../../../../src/sandtable/report/headline.ts";
import {
  type FindingGroup,
  groupFindings,
  orderTasks,
  trialNumbers,
  trialsByTask,
} from "../../../../src/sandtable/report/order.ts";
import type { Gate, Results, TaskResult } from "../../../../src/sandtable/report/results.ts";
import { safeText } from "../../../../src/sandtable/report/safe-text.ts";
import { href } from "../../app/router.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Grid } from "./grid.tsx";
import { PassPlot, seriesOf } from "./pass-plot.tsx";
import { verdictLook } from "./words.ts";

/** Gates and findings in view before a person asks for the rest. */
const shownGates = 4;
const shownFindings = 6;

const toneOf = { good: "ok", mixed: "warn", bad: "bad" } as const;
const iconOf = { good: "check", mixed: "info", bad: "cross" } as const;

/** What to take away first, then the numbers, each trial in its place, and what went wrong. */
export function OverviewTab({ results }: { results: Results }) {
  const { tone, verdict, sentence } = headline(results);
  const trials = trialsByTask(results);
  const cells = new Map(
    [...trials].map(([id, list]) => [id, list.map(({ trial, verdict: one }) => ({ trial, verdict: one }))]),
  );
  const { summary } = results;
  return (
    <div className="stack">
      <section className={`verdict tone-${toneOf[tone]}`} aria-label="Verdict">
        <span className="verdict-icon">
          <Icon name={iconOf[tone]} size={22} />
        </span>
        <div>
          <p className="verdict-word">{verdict}</p>
          <p>{safeText(sentence)}</p>
        </div>
      </section>
      <div className="overview-columns">
        <div className="stack">
          <Card title="pass^k">
            <PassPlot series={[seriesOf(results, "this agent")]} doNothing={summary.doNothing.score} />
          </Card>
          <Gates results={results} />
          <Findings results={results} />
        </div>
        <Card title="Task by trial" note="Each mark leads to its transcript.">
          <Grid
            tasks={orderTasks(results.tasks)}
            trials={results.options.trials}
            cells={cells}
            linkTo={(task, trial) => trialHref(results.runId, task, trial)}
            verdicts
          />
        </Card>
      </div>
    </div>
  );
}

export function trialHref(runId: string, task: string, trial: number, entry?: number): string {
  return href(["rehearsals", runId], {
    tab: "trials",
    task,
    trial: String(trial),
    ...(entry === undefined ? {} : { line: String(entry + 1) }),
  });
}

/** Gates that do not hold, and in a word those that do. */
function Gates({ results }: { results: Results }) {
  const standings = results.gates.map((gate) => ({ gate, standing: gateStanding(gate, results.status) }));
  const first = standings.filter(({ standing }) => standing !== "holds");
  const rest = standings.filter(({ standing }) => standing === "holds");
  if (standings.length === 0) return null;
  return (
    <Card title="Gates" note={`${rest.length} of ${standings.length} hold`}>
      <ul className="gates">
        {[...first, ...rest].slice(0, shownGates).map((one) => (
          <GateItem key={one.gate.name} {...one} />
        ))}
      </ul>
      {standings.length > shownGates && (
        <details className="more">
          <summary>The other {standings.length - shownGates}</summary>
          <ul className="gates">
            {[...first, ...rest].slice(shownGates).map((one) => (
              <GateItem key={one.gate.name} {...one} />
            ))}
          </ul>
        </details>
      )}
    </Card>
  );
}

const gateLook = {
  holds: { tone: "ok", icon: "check" },
  broken: { tone: "bad", icon: "cross" },
  open: { tone: "plain", icon: "dash" },
} as const;

function GateItem({ gate, standing }: { gate: Gate; standing: GateStanding }) {
  return (
    <li>
      <Badge {...gateLook[standing]}>{standing}</Badge> <code>{safeText(gate.name)}</code>{" "}
      <span className="soft small number">
        {gate.actual === null ? "not graded" : share(gate.actual)} of {share(gate.required)}
      </span>
    </li>
  );
}

/** Trials of each task with something to tell, those with the same reasons once; each opens. */
function Findings({ results }: { results: Results }) {
  const [all, setAll] = useState(false);
  const byTask = trialsByTask(results);
  const findings = orderTasks(results.tasks).flatMap((task) =>
    groupFindings(byTask.get(task.id) ?? []).map((group) => ({ task, ...group })),
  );
  if (findings.length === 0) return null;
  return (
    <Card title="What went wrong" note="The same reasons of a task’s trials are told once.">
      <ul className="findings">
        {(all ? findings : findings.slice(0, shownFindings)).map((finding) => (
          <FindingItem key={`${finding.task.id} ${finding.trial.trial}`} runId={results.runId} {...finding} />
        ))}
      </ul>
      {!all && findings.length > shownFindings && (
        <Button small onClick={() => setAll(true)}>
          Show all {findings.length}
        </Button>
      )}
    </Card>
  );
}

function FindingItem({ runId, task, trial, numbers }: FindingGroup & { runId: string; task: TaskResult }) {
  const [first] = trial.why;
  return (
    <li>
      <details>
        <summary>
          <Badge {...verdictLook[trial.verdict]}>{trial.verdict}</Badge>
          <span className="finding-head wrap-anywhere">
            {task.id}, {trialNumbers(numbers)}
          </span>
          {first && <span className="finding-first truncate soft small">{safeText(reasonText(first))}</span>}
        </summary>
        {trial.why.map((reason, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: reasons have no id and never change.
          <div key={index} className="finding">
            <p className="wrap-anywhere">{safeText(reasonText(reason))}</p>
            {reason.kind === "rule" && reason.quote !== undefined && <Quote text={reason.quote} />}
          </div>
        ))}
        <p className="finding">
          <a href={trialHref(runId, task.id, trial.trial)}>Read the transcript</a>
        </p>
      </details>
    </li>
  );
}

/** The sentence of the customer's document a rule comes from. */
export function Quote({ text }: { text: string }) {
  return <blockquote className="quote">{safeText(text)}</blockquote>;
}
