import { safeText } from "../../../../../src/sandtable/report/safe-text.ts";
import { href } from "../../../app/router.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Icon } from "../../../ui/icon.tsx";
import type { AgentDetail } from "../model/agent-detail.ts";
import { allPrompts, type ExamplePrompt, examplePrompts } from "../model/prompts.ts";

/** An empty conversation: who this is, what it can do, and something to begin with. */
export function Welcome({
  agent,
  detail,
  gone,
  onSend,
}: {
  agent: string;
  detail: AgentDetail | null;
  gone: boolean;
  onSend: (text: string) => void;
}) {
  const all = allPrompts(agent);
  return (
    <div className="welcome">
      {gone && (
        <p className="notice tone-warn" role="status">
          <Icon name="info" size={16} />
          <span>
            The Worker keeps nothing of this conversation: it was deleted, has expired, or belongs to another
            token. What you say now begins it anew.
          </span>
        </p>
      )}
      <div className="welcome-who">
        <h2>{agent}</h2>
        <p className="soft wrap-anywhere">{safeText(detail?.description ?? " ")}</p>
        <p className="row">
          {detail?.tools.map(({ name, gated }) => (
            <Badge key={name} icon={gated ? "clock" : "tool"} tone={gated ? "warn" : "plain"}>
              {safeText(name)}
            </Badge>
          ))}
          {detail?.subagents.map(({ name }) => (
            <Badge key={name} icon="robot" tone="info">
              {safeText(name)}
            </Badge>
          ))}
        </p>
      </div>
      <Prompts prompts={examplePrompts(agent)} onSend={onSend} />
      {all.length > 0 && (
        <details className="welcome-all">
          <summary>Everything it understands</summary>
          <Prompts prompts={all} onSend={onSend} />
        </details>
      )}
      {detail !== null && detail.tools.length === 0 && (
        <p className="small soft">
          Its tools come with a request, as a rehearsal brings them:{" "}
          <a href={href(["rehearsals", "new"])}>rehearse it</a>.
        </p>
      )}
    </div>
  );
}

function Prompts({ prompts, onSend }: { prompts: readonly ExamplePrompt[]; onSend: (text: string) => void }) {
  return (
    <ul className="prompts">
      {prompts.map(({ say, shows }) => (
        <li key={say}>
          <button type="button" className="prompt" onClick={() => onSend(say)}>
            <span>{say}</span>
            <span className="small soft">{shows}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
