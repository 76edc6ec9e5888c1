import { type ReactNode, useState } from "react";
import { safeText } from "../../../../../src/sandtable/report/safe-text.ts";
import { go, href } from "../../../app/router.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { CheckField } from "../../../ui/field.tsx";
import type { AgentDetail } from "../model/agent-detail.ts";
import { askUserTool } from "../model/ask-user.ts";

/** Which agent is talked to, what it can do and which model answers for it. */
export function AgentHead({
  agent,
  names,
  detail,
  model,
  offers,
  onOffers,
  children,
}: {
  agent: string;
  names: string[];
  detail: AgentDetail | null;
  model: string | null;
  /** Whether the agent may use this page's own tool. */
  offers: boolean;
  onOffers: (offers: boolean) => void;
  children: ReactNode;
}) {
  const [about, setAbout] = useState(false);
  return (
    <header className="chat-head">
      <h1 tabIndex={-1} className="visually-hidden">
        Chat with {agent}
      </h1>
      <div className="chat-agent">
        <label htmlFor="chat-agent" className="visually-hidden">
          Agent
        </label>
        <select
          id="chat-agent"
          className="input"
          value={agent}
          onChange={(event) => go(href(["chat", event.target.value]))}
        >
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <Button small look="quiet" icon="info" aria-label={`About ${agent}`} onClick={() => setAbout(true)} />
      </div>
      <ModelBadge model={model ?? detail?.model ?? null} />
      <div className="row chat-head-more">{children}</div>
      <Dialog open={about} onClose={() => setAbout(false)} title={agent}>
        {detail === null ? (
          <p className="soft">Nothing is known about it yet.</p>
        ) : (
          <div className="stack">
            <p className="wrap-anywhere">{safeText(detail.description)}</p>
            <ModelNote model={model ?? detail.model} />
            <ul className="about-tools">
              {detail.tools.map(({ name, description, gated }) => (
                <li key={name}>
                  <p className="row">
                    <code>{safeText(name)}</code>
                    {gated && <Badge tone="warn">asks a person first</Badge>}
                  </p>
                  <p className="wrap-anywhere soft">{safeText(description)}</p>
                </li>
              ))}
              {detail.subagents.map(({ name, description }) => (
                <li key={name}>
                  <p className="row">
                    <code>{safeText(name)}</code>
                    <Badge tone="info">subagent</Badge>
                  </p>
                  <p className="wrap-anywhere soft">{safeText(description)}</p>
                </li>
              ))}
            </ul>
            <CheckField
              label={
                <>
                  Let it ask me with <code>{askUserTool.name}</code>
                </>
              }
              hint="A tool that this page runs: the question opens here, and your answer is the result."
              checked={offers}
              onChange={onOffers}
            />
          </div>
        )}
      </Dialog>
    </header>
  );
}

function ModelBadge({ model }: { model: string | null }) {
  if (model === null) return null;
  if (model === "scripted")
    return (
      <span title="No model is configured: the agent’s own script answers.">
        <Badge tone="warn">scripted</Badge>
      </span>
    );
  return <Badge>{safeText(model)}</Badge>;
}

function ModelNote({ model }: { model: string | null }) {
  if (model === "scripted")
    return (
      <p className="notice tone-warn">
        <span>
          No model is configured here, so the agent’s own script answers: quick and always the same, and no
          model’s work. Set a provider’s key and the model answers instead.
        </span>
      </p>
    );
  return (
    <p className="soft small">
      {model === null ? "The model this deployment is set up with answers." : <>Model {safeText(model)}.</>}
    </p>
  );
}
