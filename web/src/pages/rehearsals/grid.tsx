import type { TaskResult, TrialVerdict } from "../../../../src/sandtable/report/results.ts";
import { Badge } from "../../ui/badge.tsx";
import { Icon } from "../../ui/icon.tsx";
import { verdictLook } from "./words.ts";

export interface GridCell {
  trial: number;
  verdict: TrialVerdict;
}

/** With more trials a task than this, only as many are drawn: those that did not pass first. */
const drawn = 120;

/** Task by trial: a mark for each trial, in its place. With `linkTo`, each leads to its transcript. */
export function Grid({
  tasks,
  trials,
  cells,
  linkTo,
  verdicts = false,
}: {
  tasks: Pick<TaskResult, "id" | "critical" | "verdict" | "passed" | "graded">[];
  trials: number;
  cells: Map<string, GridCell[]>;
  linkTo?: (task: string, trial: number) => string;
  /** Each task's verdict beside it. */
  verdicts?: boolean;
}) {
  return (
    <ul className="grid-tasks">
      {tasks.map((task) => (
        <li key={task.id} className="grid-task">
          <div className="grid-name">
            <span className="wrap-anywhere">{task.id}</span>
            {task.critical && <Badge tone="info">critical</Badge>}
          </div>
          <Cells id={task.id} trials={trials} cells={cells.get(task.id) ?? []} linkTo={linkTo} />
          {verdicts && (
            <div className="grid-verdict">
              <Badge {...verdictLook[task.verdict]}>{task.verdict}</Badge>
              <span className="soft small number">
                {task.passed}/{task.graded}
              </span>
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

function Cells({
  id,
  trials,
  cells,
  linkTo,
}: {
  id: string;
  trials: number;
  cells: GridCell[];
  linkTo: ((task: string, trial: number) => string) | undefined;
}) {
  const byTrial = new Map(cells.map((cell) => [cell.trial, cell]));
  let shown: (GridCell | { trial: number; verdict: null })[] = Array.from(
    { length: trials },
    (_, trial) => byTrial.get(trial) ?? { trial, verdict: null },
  );
  const left = Math.max(0, shown.length - drawn);
  if (left > 0) {
    const bad = shown.filter(({ verdict }) => verdict !== null && verdict !== "passed");
    const rest = shown.filter(({ verdict }) => verdict === null || verdict === "passed");
    shown = [...bad, ...rest].slice(0, drawn).sort((a, b) => a.trial - b.trial);
  }
  return (
    <ol className="grid-cells" aria-label={`Trials of ${id}`}>
      {shown.map(({ trial, verdict }) => {
        const text = `trial ${trial}: ${verdict ?? "waiting"}`;
        const mark = verdict === null ? null : <Icon name={verdictLook[verdict].icon} size={14} />;
        return (
          <li key={trial}>
            {linkTo && verdict !== null ? (
              <a className={`cell tone-${verdictLook[verdict].tone}`} href={linkTo(id, trial)} title={text}>
                {mark}
                <span className="visually-hidden">{text}</span>
              </a>
            ) : (
              <span
                className={`cell ${verdict === null ? "cell-waiting" : `tone-${verdictLook[verdict].tone}`}`}
                title={text}
              >
                {mark}
                <span className="visually-hidden">{text}</span>
              </span>
            )}
          </li>
        );
      })}
      {left > 0 && <li className="soft small">and {left} more</li>}
    </ol>
  );
}
