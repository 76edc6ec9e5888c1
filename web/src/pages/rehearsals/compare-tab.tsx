import { share } from "../../../../src/sandtable/report/format.ts";
import type { Results, TaskResult } from "../../../../src/sandtable/report/results.ts";
import { listRehearsals, readRehearsal } from "../../api/rehearsals.ts";
import { useResource } from "../../api/use-resource.ts";
import { go, href } from "../../app/router.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Empty, ResourceView } from "../../ui/states.tsx";
import { PassPlot, seriesOf } from "./pass-plot.tsx";
import { agentText, verdictLook } from "./words.ts";

/** How far back the list of others goes. */
const offered = 100;

/** This rehearsal beside another one of the same domain. */
export function CompareTab({ results, query }: { results: Results; query: URLSearchParams }) {
  const others = useResource(`others of ${results.runId}`, async (signal) => {
    const { items } = await listRehearsals({ limit: offered }, signal);
    return items.filter(
      (row) => row.runId !== results.runId && row.domain === results.domain.name && row.status !== "running",
    );
  });
  return (
    <ResourceView resource={others}>
      {(rows) => {
        const picked = rows.find(({ runId }) => runId === query.get("with")) ?? rows[0];
        if (picked === undefined) {
          return (
            <Empty icon="compare" title="Nothing to compare with">
              No other rehearsal of <strong>{results.domain.name}</strong> has ended. Run it again with
              another agent.
            </Empty>
          );
        }
        return (
          <div className="stack">
            <SelectField
              label="Compare with"
              value={picked.runId}
              onChange={(runId) =>
                go(href(["rehearsals", results.runId], { tab: "compare", with: runId }), { replace: true })
              }
              options={rows.map((row) => ({
                value: row.runId,
                label: `${agentText(row.agent)}, ${new Date(row.startedAt).toLocaleString("en")}`,
              }))}
            />
            <Comparison key={picked.runId} here={results} thereId={picked.runId} />
          </div>
        );
      }}
    </ResourceView>
  );
}

function Comparison({ here, thereId }: { here: Results; thereId: string }) {
  const other = useResource(`rehearsal ${thereId}`, (signal) => readRehearsal(thereId, signal));
  return (
    <ResourceView resource={other} lines={6}>
      {(there) => (
        <div className="stack">
          {there.domain.digest !== here.domain.digest && (
            <p className="notice tone-warn">
              <span>
                The domain was not the same in both: what differs may be the domain rather than the agent.
              </span>
            </p>
          )}
          <Card title="pass^k">
            <PassPlot
              series={[
                seriesOf(here, `this: ${agentText(here.agent)}`),
                seriesOf(there, `other: ${agentText(there.agent)}`),
              ]}
              doNothing={here.summary.doNothing.score}
            />
          </Card>
          <Card title="Tasks" flush>
            <TaskTable here={here} there={there} />
          </Card>
          <Card title="Rules" flush>
            <RuleTable here={here} there={there} />
          </Card>
        </div>
      )}
    </ResourceView>
  );
}

function TaskTable({ here, there }: { here: Results; there: Results }) {
  const byId = new Map(there.tasks.map((task) => [task.id, task]));
  const ids = [...new Set([...here.tasks, ...there.tasks].map(({ id }) => id))];
  const mine = new Map(here.tasks.map((task) => [task.id, task]));
  const rows = ids
    .map((id) => ({ id, a: mine.get(id), b: byId.get(id) }))
    .map((row) => ({ ...row, change: row.a && row.b ? rate(row.a) - rate(row.b) : 0 }))
    .sort((x, y) => Math.abs(y.change) - Math.abs(x.change));
  return (
    <table className="table stacked">
      <caption className="visually-hidden">Tasks of both rehearsals, the largest difference first</caption>
      <thead>
        <tr>
          <th scope="col">Task</th>
          <th scope="col">This</th>
          <th scope="col">Other</th>
          <th scope="col">Difference</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, a, b, change }) => (
          <tr key={id}>
            <td data-label="Task" className="wrap-anywhere">
              {id}
            </td>
            <td data-label="This">
              <TaskCell task={a} />
            </td>
            <td data-label="Other">
              <TaskCell task={b} />
            </td>
            <td data-label="Difference">
              <Difference value={change} text={`${change > 0 ? "+" : "−"}${share(Math.abs(change))}`} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function rate({ passed, graded }: TaskResult): number {
  return graded === 0 ? 0 : passed / graded;
}

function TaskCell({ task }: { task: TaskResult | undefined }) {
  if (task === undefined) return <span className="soft">not played</span>;
  return (
    <span className="row">
      <Badge {...verdictLook[task.verdict]}>{task.verdict}</Badge>
      <span className="soft small number">
        {task.passed}/{task.graded}
      </span>
    </span>
  );
}

function RuleTable({ here, there }: { here: Results; there: Results }) {
  const others = new Map(there.rules.map((rule) => [rule.id, rule]));
  const rows = here.rules
    .map((rule) => ({ rule, other: others.get(rule.id) }))
    .filter(({ rule, other }) => rule.broken > 0 || (other?.broken ?? 0) > 0);
  if (rows.length === 0) return <Empty icon="check" title="Neither broke a rule" />;
  return (
    <table className="table stacked">
      <caption className="visually-hidden">Rules that were broken in one of the two</caption>
      <thead>
        <tr>
          <th scope="col">Rule</th>
          <th scope="col">Broken in this</th>
          <th scope="col">In the other</th>
          <th scope="col">Difference</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ rule, other }) => {
          const change = rule.broken - (other?.broken ?? 0);
          return (
            <tr key={rule.id}>
              <td data-label="Rule" className="wrap-anywhere">
                {rule.id}
              </td>
              <td data-label="Broken in this" className="number">
                {rule.broken}
              </td>
              <td data-label="In the other" className="number">
                {other?.broken ?? "–"}
              </td>
              <td data-label="Difference">
                <Difference value={-change} text={`${change > 0 ? "+" : "−"}${Math.abs(change)}`} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** More than nothing is better, less is worse. */
function Difference({ value, text }: { value: number; text: string }) {
  if (value === 0) return <span className="soft">same</span>;
  return <Badge tone={value > 0 ? "ok" : "bad"}>{text}</Badge>;
}
