import type { ReactNode } from "react";
import { safeText } from "../../../../src/sandtable/report/safe-text.ts";
import { useResource } from "../../api/use-resource.ts";
import { type ApprovalDetail, readApproval } from "../../api/work.ts";
import { href } from "../../app/router.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Facts, JsonView } from "../../ui/json-view.tsx";
import { Messages } from "../../ui/messages.tsx";
import { isObject } from "../../ui/schema.ts";
import { ResourceView } from "../../ui/states.tsx";
import { Ago } from "../../ui/time.tsx";
import { DecisionForm } from "./decision-form.tsx";
import { deciderWords, statusLook } from "./words.ts";

/** One approval: what will happen, the decision, and what led to it. */
export function ApprovalView({ id, onDecided }: { id: string; onDecided: () => void }) {
  const approval = useResource(`approval ${id}`, (signal) => readApproval(id, signal));
  const decided = () => {
    approval.reload();
    onDecided();
  };
  return (
    <div className="stack">
      <a className="inbox-back small" href={href(["inbox"])}>
        <Icon name="left" size={14} />
        Inbox
      </a>
      <ResourceView resource={approval} lines={6}>
        {(item) => (
          <>
            <Card
              title={<span className="wrap-anywhere">{safeText(item.title)}</span>}
              note={<Source item={item} />}
              actions={<Badge {...statusLook[item.status]}>{statusLook[item.status].word}</Badge>}
            >
              <div className="stack">
                <What item={item} />
                {item.status === "pending" ? (
                  <DecisionForm item={item} onDecided={decided} />
                ) : (
                  <Outcome item={item} />
                )}
              </div>
            </Card>
            <Context item={item} />
          </>
        )}
      </ResourceView>
    </div>
  );
}

function Source({ item }: { item: ApprovalDetail }) {
  if (item.kind === "workflow") {
    return (
      <>
        Workflow {item.workflowName}, <a href={href(["runs", item.runId])}>its run</a>, asked{" "}
        <Ago at={item.createdAt} />
      </>
    );
  }
  return (
    <>
      Agent {item.agent}
      {item.interrupt.subagent !== undefined && `, subagent ${item.interrupt.subagent}`}, session{" "}
      <span className="wrap-anywhere">{safeText(item.session)}</span>, asked <Ago at={item.createdAt} />
    </>
  );
}

/** What runs, or goes on, when it is approved: the stored values, never an agent's prose. */
function What({ item }: { item: ApprovalDetail }) {
  if (item.kind === "tool") {
    return (
      <section aria-label="What will happen" className="what">
        <h3>
          <code>{safeText(item.interrupt.tool)}</code>{" "}
          {item.status === "pending" ? "will run with" : "was asked with"}
        </h3>
        <Facts of={item.interrupt.args} />
      </section>
    );
  }
  return (
    <section aria-label="What will happen" className="what">
      <h3>{safeText(item.topic)}</h3>
      {isObject(item.payload) ? <Facts of={item.payload} /> : <JsonView value={item.payload} />}
      {item.status === "pending" && (
        <p className="small soft">
          {item.expiresAt === null ? (
            "It waits for as long as it takes."
          ) : (
            <>
              Without a decision it counts as {item.fallback === "approve" ? "approved" : "rejected"}{" "}
              <Ago at={item.expiresAt} />.
            </>
          )}
        </p>
      )}
    </section>
  );
}

function Outcome({ item }: { item: ApprovalDetail }) {
  const facts: [string, ReactNode][] = [];
  if (item.decidedAt !== null) facts.push(["When", <Ago key="when" at={item.decidedAt} />]);
  if (item.decidedBy !== null) facts.push(["How", deciderWords[item.decidedBy]]);
  const { decision } = item;
  if (decision !== null && "reason" in decision && decision.reason !== undefined)
    facts.push(["Reason", safeText(decision.reason)]);
  if (decision !== null && "comment" in decision && decision.comment !== undefined)
    facts.push(["Comment", safeText(decision.comment)]);
  if (decision !== null && "args" in decision)
    facts.push(["Ran with", <Facts key="args" of={decision.args} />]);
  if (decision !== null && "payload" in decision && decision.payload !== undefined)
    facts.push(["Went on with", <JsonView key="payload" value={decision.payload} />]);
  return (
    <section aria-label="Decision" className="what">
      <h3>{statusLook[item.status].word.replace(/^./, (letter) => letter.toUpperCase())}</h3>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Context({ item }: { item: ApprovalDetail }) {
  if (item.kind === "workflow") {
    if (item.run === null) return null;
    return (
      <Card title="Its run" note={<a href={href(["runs", item.runId])}>Steps and times</a>}>
        <h3>Input</h3>
        <JsonView value={item.run.input} />
      </Card>
    );
  }
  if (item.history.length === 0) return null;
  return (
    <Card title="What led to it" note="The newest messages of the session.">
      <Messages messages={item.history} />
    </Card>
  );
}
