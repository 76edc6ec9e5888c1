import { useState } from "react";
import { useAgents } from "../../api/agents.ts";
import { readPages } from "../../api/read-pages.ts";
import { useResource } from "../../api/use-resource.ts";
import { listRuns, listWorkflows, type RunFilter, type RunRow } from "../../api/work.ts";
import { go, href } from "../../app/router.ts";
import { useContract } from "../../app/use-contract.ts";
import { Badge, LiveBadge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card, PageHead } from "../../ui/card.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Empty, ResourceView } from "../../ui/states.tsx";
import { Ago, Took } from "../../ui/time.tsx";
import { runLook, statusWord } from "./words.ts";

const pageSize = 25;
/** Pause between two looks while the page is in view, milliseconds. */
const everyMs = 5_000;

const statuses = ["running", "waiting", "done", "failed", "interrupted", "cancelled"];

/** Turns of agents and runs of workflows, newest first. */
export function RunListView({ query }: { query: URLSearchParams }) {
  const [pages, setPages] = useState(1);
  const filter: RunFilter = {
    kind: query.get("kind") ?? undefined,
    status: query.get("status") ?? undefined,
    agent: query.get("agent") ?? undefined,
    workflow: query.get("workflow") ?? undefined,
  };
  const list = useResource(
    `runs ${query.toString()} ${pages}`,
    (signal) => readPages(pages, (cursor) => listRuns({ ...filter, limit: pageSize, cursor }, signal)),
    { everyMs },
  );
  const filtered = Object.values(filter).some((value) => value !== undefined);
  return (
    <>
      <PageHead title="Runs" lead="Every turn of an agent on any wire, and every run of a workflow." />
      <Filters filter={filter} />
      <Card flush>
        <ResourceView resource={list} lines={6}>
          {({ items, more }) =>
            items.length === 0 ? (
              <Empty
                icon="runs"
                title={filtered ? "No run fits these filters" : "Nothing has run with this token"}
              >
                {filtered ? (
                  <a href={href(["runs"])}>Show all</a>
                ) : (
                  "The snippets at home make the first one."
                )}
              </Empty>
            ) : (
              <>
                <Rows items={items} />
                {more && (
                  <p className="list-more">
                    <Button onClick={() => setPages(pages + 1)} busy={list.loading}>
                      Show older ones
                    </Button>
                  </p>
                )}
              </>
            )
          }
        </ResourceView>
      </Card>
    </>
  );
}

function Filters({ filter }: { filter: RunFilter }) {
  const agents = useAgents();
  const contract = useContract();
  const hasWorkflows = contract?.capabilities.includes("workflows.list") === true;
  const workflows = useResource(hasWorkflows ? "workflow names" : null, listWorkflows);
  const change = (part: RunFilter) => go(href(["runs"], { ...filter, ...part }), { replace: true });
  const all = { value: "", label: "all" };
  return (
    <div className="run-filters">
      {hasWorkflows && (
        <SelectField
          label="Kind"
          value={filter.kind ?? ""}
          onChange={(kind) => change({ kind, agent: "", workflow: "" })}
          options={[
            all,
            { value: "agent", label: "turns of agents" },
            { value: "workflow", label: "workflows" },
          ]}
        />
      )}
      <SelectField
        label="Status"
        value={filter.status ?? ""}
        onChange={(status) => change({ status })}
        options={[all, ...statuses]}
      />
      {filter.kind !== "workflow" && (
        <SelectField
          label="Agent"
          value={filter.agent ?? ""}
          onChange={(agent) => change({ agent, workflow: "" })}
          options={[all, ...(agents.data?.map(({ name }) => name) ?? [])]}
        />
      )}
      {hasWorkflows && filter.kind !== "agent" && (
        <SelectField
          label="Workflow"
          value={filter.workflow ?? ""}
          onChange={(workflow) => change({ workflow, agent: "" })}
          options={[all, ...(workflows.data?.map(({ name }) => name) ?? [])]}
        />
      )}
    </div>
  );
}

function Rows({ items }: { items: RunRow[] }) {
  return (
    <table className="table stacked">
      <caption className="visually-hidden">Runs, newest first</caption>
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">Status</th>
          <th scope="col">By</th>
          <th scope="col">Took</th>
          <th scope="col">Started</th>
        </tr>
      </thead>
      <tbody>
        {items.map((run) => (
          <tr key={run.runId}>
            <td data-label="What">
              <a className="run-link" href={href(["runs", run.runId])}>
                <Icon name={run.kind === "agent" ? "robot" : "workflow"} size={15} />
                {run.kind === "agent" ? run.agent : run.workflowName}
              </a>
              <div className="soft small mono wrap-anywhere">{run.runId}</div>
            </td>
            <td data-label="Status">
              <RunBadge run={run} />
            </td>
            <td data-label="By" className="soft">
              {run.kind === "agent" ? run.wire : run.trigger}
            </td>
            <td data-label="Took">
              <Took from={run.startedAt} to={run.endedAt} />
            </td>
            <td data-label="Started">
              <Ago at={run.startedAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function RunBadge({ run }: { run: Pick<RunRow, "kind" | "status"> }) {
  if (run.status === "running") return <LiveBadge>running</LiveBadge>;
  return <Badge {...runLook[run.status]}>{statusWord(run)}</Badge>;
}
