import { orderTasks, trialsByTask } from "../../../../src/sandtable/report/order.ts";
import type { Results } from "../../../../src/sandtable/report/results.ts";
import { go } from "../../app/router.ts";
import { SelectField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Empty } from "../../ui/states.tsx";
import { trialHref } from "./overview-tab.tsx";
import { TrialView } from "./trial-view.tsx";
import { verdictLook } from "./words.ts";

/** One trial at a time: pick a task, then one of its trials. Begins with the first one that needs a reader. */
export function TrialsTab({ results, query }: { results: Results; query: URLSearchParams }) {
  const byTask = trialsByTask(results);
  const tasks = orderTasks(results.tasks).filter(({ id }) => (byTask.get(id)?.length ?? 0) > 0);
  const task = tasks.find(({ id }) => id === query.get("task")) ?? tasks[0];
  const trials = task === undefined ? [] : (byTask.get(task.id) ?? []);
  const asked = query.get("trial");
  const trial =
    trials.find((one) => String(one.trial) === asked) ??
    trials.find(({ verdict }) => verdict !== "passed") ??
    trials[0];
  if (task === undefined || trial === undefined)
    return <Empty icon="rehearsal" title="No trial has finished" />;
  const line = query.get("line");
  return (
    <div className="stack">
      <div className="trial-picker">
        <SelectField
          label="Task"
          value={task.id}
          onChange={(id) =>
            go(trialHref(results.runId, id, firstToRead(byTask.get(id) ?? [])), { replace: true })
          }
          options={tasks.map(({ id, verdict }) => ({ value: id, label: `${id} (${verdict})` }))}
        />
        <nav aria-label={`Trials of ${task.id}`}>
          <ol className="grid-cells">
            {trials.map((one) => (
              <li key={one.trial}>
                <a
                  className={`cell cell-wide tone-${verdictLook[one.verdict].tone}`}
                  href={trialHref(results.runId, task.id, one.trial)}
                  aria-current={one === trial ? "true" : undefined}
                >
                  <Icon name={verdictLook[one.verdict].icon} size={14} />
                  {one.trial}
                  <span className="visually-hidden"> {one.verdict}</span>
                </a>
              </li>
            ))}
          </ol>
        </nav>
      </div>
      <TrialView
        key={`${task.id} ${trial.trial}`}
        results={results}
        task={task}
        trial={trial}
        line={line === null ? null : Number(line)}
      />
    </div>
  );
}

function firstToRead(trials: { trial: number; verdict: string }[]): number {
  return (trials.find(({ verdict }) => verdict !== "passed") ?? trials[0])?.trial ?? 0;
}
