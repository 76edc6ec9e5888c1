import type { Results, RuleResult, TrialResult } from "../../../../src/sandtable/report/results.ts";
import { safeText } from "../../../../src/sandtable/report/safe-text.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { Empty } from "../../ui/states.tsx";
import { Quote, trialHref } from "./overview-tab.tsx";

/** Most tasks a rule leads to. */
const linked = 4;

/** The rules: in how many trials each was in play, in how many it was broken and caught, and where to look. */
export function RulesTab({ results }: { results: Results }) {
  if (results.rules.length === 0) return <Empty icon="info" title="This domain has no rules" />;
  const ordered = [...results.rules].sort((a, b) => b.broken - a.broken || b.inPlay - a.inPlay);
  const broken = breakers(results.trials);
  return (
    <Card flush>
      <table className="table stacked">
        <caption className="visually-hidden">Rules, the most broken first</caption>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">In play</th>
            <th scope="col">Broken</th>
            <th scope="col">Caught</th>
            <th scope="col">Where</th>
          </tr>
        </thead>
        <tbody>
          {ordered.map((rule) => (
            <tr key={rule.id}>
              <td data-label="Rule">
                <RuleName rule={rule} />
              </td>
              <td data-label="In play" className="number">
                {rule.inPlay === 0 ? <Badge tone="warn">never</Badge> : rule.inPlay}
              </td>
              <td data-label="Broken" className="number">
                {rule.broken === 0 ? (
                  <span className="soft">0</span>
                ) : (
                  <Badge tone={rule.severity === "hard" ? "bad" : "warn"}>{rule.broken}</Badge>
                )}
              </td>
              <td data-label="Caught" className="number">
                {rule.caught}
              </td>
              <td data-label="Where">
                <Where runId={results.runId} places={broken.get(rule.id) ?? []} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function RuleName({ rule }: { rule: RuleResult }) {
  return (
    <div className="rule-name">
      <div className="row">
        <strong className="wrap-anywhere">{rule.id}</strong>
        {rule.severity === "soft" && <Badge>soft</Badge>}
      </div>
      {rule.description !== undefined && <p className="small soft">{safeText(rule.description)}</p>}
      {rule.quote !== undefined && <Quote text={rule.quote} />}
    </div>
  );
}

/** A task in whose trials a rule was broken, and the first place where. */
interface Place {
  task: string;
  trials: number;
  trial: number;
  entry: number;
}

function Where({ runId, places }: { runId: string; places: Place[] }) {
  if (places.length === 0) return <span className="soft">–</span>;
  return (
    <ul className="where">
      {places.slice(0, linked).map(({ task, trial, entry, trials }) => (
        <li key={task}>
          <a href={trialHref(runId, task, trial, entry)}>{task}</a>{" "}
          <span className="soft number">×{trials}</span>
        </li>
      ))}
      {places.length > linked && <li className="soft">and {places.length - linked} more tasks</li>}
    </ul>
  );
}

/** For each rule the tasks whose trials broke it. */
function breakers(trials: TrialResult[]): Map<string, Place[]> {
  const places = new Map<string, Map<string, Place>>();
  for (const { taskId, trial, why } of trials) {
    const seen = new Set<string>();
    for (const reason of why) {
      if (reason.kind !== "rule" || seen.has(reason.rule)) continue;
      seen.add(reason.rule);
      const tasks = places.get(reason.rule) ?? new Map<string, Place>();
      const known = tasks.get(taskId);
      if (known === undefined) tasks.set(taskId, { task: taskId, trials: 1, trial, entry: reason.entry });
      else known.trials += 1;
      places.set(reason.rule, tasks);
    }
  }
  return new Map([...places].map(([rule, tasks]) => [rule, [...tasks.values()]]));
}
