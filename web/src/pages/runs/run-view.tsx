import { useState } from "react";
import { safeText } from "../../../../src/sandtable/report/safe-text.ts";
import { messageOf } from "../../api/errors.ts";
import { useResource } from "../../api/use-resource.ts";
import {
  type AgentTurn,
  cancelRun,
  type Run,
  readRun,
  readSession,
  retryRun,
  type WorkflowRun,
} from "../../api/work.ts";
import { go, href } from "../../app/router.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Card, PageHead } from "../../ui/card.tsx";
import { Icon } from "../../ui/icon.tsx";
import { JsonView } from "../../ui/json-view.tsx";
import { Messages } from "../../ui/messages.tsx";
import { Empty, Failed, Loading, ResourceView, StaleNote } from "../../ui/states.tsx";
import { Ago, Took } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { RunBadge } from "./run-list-view.tsx";
import { RunLog } from "./run-log.tsx";
import { Timeline } from "./timeline.tsx";
import { useRunEvents } from "./use-run-events.ts";
import { isOpen } from "./words.ts";

/** Pause between two looks at a turn that may go on, milliseconds. */
const everyMs = 3_000;

/** One run: of a workflow with its steps on a time line, live; of an agent with its conversation. */
export function RunView({ runId }: { runId: string }) {
  const [open, setOpen] = useState(false);
  const run = useResource(
    `run ${runId}`,
    async (signal) => {
      const found = await readRun(runId, signal);
      setOpen(isOpen(found));
      return found;
    },
    open ? { everyMs } : {},
  );
  const { data, error, loading, reload } = run;
  if (data === null) {
    return (
      <>
        <PageHead title="Run" above={<BackLink />} lead={<code className="wrap-anywhere">{runId}</code>} />
        {error !== null && !loading ? <Failed error={error} retry={reload} /> : <Loading lines={6} />}
      </>
    );
  }
  return (
    <>
      <PageHead
        title={data.kind === "agent" ? data.agent : data.workflowName}
        above={<BackLink />}
        lead={<Lead run={data} />}
        actions={<Actions run={data} reload={reload} />}
      />
      {error !== null && <StaleNote error={error} retry={reload} />}
      {data.failure !== null && (
        <p className="notice tone-bad">
          <Icon name="alert" size={16} />
          <span className="wrap-anywhere">
            <code>{safeText(data.failure.code)}</code> {safeText(data.failure.message)}
          </span>
        </p>
      )}
      {data.kind === "agent" ? <TurnDetail run={data} /> : <WorkflowDetail run={data} reload={reload} />}
    </>
  );
}

function BackLink() {
  return (
    <a href={href(["runs"])}>
      <Icon name="left" size={14} />
      Runs
    </a>
  );
}

function Lead({ run }: { run: Run }) {
  return (
    <div className="run-facts">
      <RunBadge run={run} />
      <span>
        {run.kind === "agent"
          ? `turn of an agent, ${run.wire} wire`
          : `workflow, started by ${byWords[run.trigger]}`}
      </span>
      <span>
        <Ago at={run.startedAt} />, {run.endedAt === null ? "for" : "took"}{" "}
        <Took from={run.startedAt} to={run.endedAt} />
      </span>
      <code className="wrap-anywhere">{run.runId}</code>
      {run.kind === "workflow" && run.retryOf !== null && (
        <a href={href(["runs", run.retryOf])}>again after another run</a>
      )}
      {run.kind === "workflow" && run.parentRunId !== null && (
        <a href={href(["runs", run.parentRunId])}>the run that started it</a>
      )}
    </div>
  );
}

const byWords = {
  manual: "hand",
  schedule: "a schedule",
  webhook: "a webhook",
  workflow: "another workflow",
  agent: "an agent",
} as const;

function Actions({ run, reload }: { run: Run; reload: () => void }) {
  const [busy, setBusy] = useState(false);
  const act = async (work: () => Promise<void>) => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      toast({ tone: "bad", text: messageOf(error) });
    }
    setBusy(false);
  };
  const cancellable = isOpen(run) && (run.kind === "workflow" || run.session !== null);
  return (
    <>
      {run.status === "interrupted" && run.kind === "agent" && (
        <LinkButton href={href(["inbox"])} icon="inbox">
          Inbox
        </LinkButton>
      )}
      {cancellable && (
        <Button
          icon="stop"
          busy={busy}
          onClick={() =>
            act(async () => {
              await cancelRun(run.runId);
              reload();
            })
          }
        >
          Cancel
        </Button>
      )}
      {run.kind === "workflow" && !isOpen(run) && (
        <Button
          icon="refresh"
          busy={busy}
          onClick={() => act(async () => go(href(["runs", await retryRun(run.runId)])))}
        >
          Run again
        </Button>
      )}
    </>
  );
}

function TurnDetail({ run }: { run: AgentTurn }) {
  const { usage } = run;
  const facts: [string, string][] = [
    ["Model", run.model],
    ["Tokens in", String(usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens)],
    ["Tokens out", String(usage.outputTokens)],
    ...(run.session === null ? [] : ([["Session", run.session]] as [string, string][])),
    ...(run.conversation === null ? [] : ([["Conversation", run.conversation]] as [string, string][])),
  ];
  return (
    <div className="stack">
      <Card title="Turn">
        <dl className="facts">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="wrap-anywhere">{safeText(value)}</dd>
            </div>
          ))}
        </dl>
      </Card>
      {run.session === null ? (
        <Card title="Conversation">
          <Empty icon="chat" title="Nothing of it is kept">
            A stateless turn leaves only its record. With <code>x-stackbone-session</code> the conversation
            stays.
          </Empty>
        </Card>
      ) : (
        <Conversation agent={run.agent} session={run.session} at={run.endedAt ?? ""} />
      )}
    </div>
  );
}

function Conversation({ agent, session, at }: { agent: string; session: string; at: string }) {
  const messages = useResource(`session ${agent} ${session} ${at}`, (signal) =>
    readSession(agent, session, signal),
  );
  return (
    <Card title="Conversation" note="The session as it stands, this turn and all others.">
      <ResourceView resource={messages}>
        {(list) =>
          list.length === 0 ? (
            <p className="soft">Nothing has been said yet.</p>
          ) : (
            <Messages messages={list} />
          )
        }
      </ResourceView>
    </Card>
  );
}

function WorkflowDetail({ run, reload }: { run: WorkflowRun; reload: () => void }) {
  const log = useRunEvents(run.runId, reload);
  return (
    <div className="stack">
      {run.position !== null && run.position > 0 && (
        <p className="notice tone-info">
          <span>In line at place {run.position}: this workflow goes one run at a time.</span>
        </p>
      )}
      <Card title="Steps and waits">
        <Timeline run={run} />
      </Card>
      <div className="columns">
        <Card title="Input">
          <JsonView value={run.input} />
        </Card>
        <Card title="Output">
          {run.status === "done" ? <JsonView value={run.output} /> : <p className="soft">None yet.</p>}
        </Card>
      </div>
      <Card title="What happened">
        <RunLog log={log} />
      </Card>
    </div>
  );
}
