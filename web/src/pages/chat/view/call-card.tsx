import { type ReactNode, useState } from "react";
import { safeLine, safeText } from "../../../../../src/sandtable/report/safe-text.ts";
import type { Json, JsonObject } from "../../../../../src/turn/index.ts";
import { Badge, LiveBadge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Facts, JsonView } from "../../../ui/json-view.tsx";
import { declined } from "../model/ask-user.ts";
import type { ChatThread, ThreadView } from "../model/chat-thread.ts";
import type { CallItem } from "../model/items.ts";
import { ApprovalCard } from "./approval-card.tsx";
import { askAgain } from "./ask-dialog.tsx";
import { callLook, callState } from "./call-state.ts";
import { ItemList } from "./item-list.tsx";

/** Longest summary of arguments, characters. */
const maxSummary = 90;
/** Longest arguments that are laid out as a list rather than as text, characters. */
const maxListed = 20_000;

/** One call of a tool: what it was called with, where it stands, what came of it, and whoever worked on it. */
export function CallCard({
  item,
  thread,
  view,
  onSettled,
}: {
  item: CallItem;
  thread: ChatThread;
  view: ThreadView;
  onSettled: () => void;
}) {
  const state = callState(item, view);
  const approval = view.approvals.find(({ callId }) => callId === item.callId);
  const helper = view.helpers.get(item.callId);
  const nested = view.items.some((one) => one.kind !== "user" && one.owner === item.callId);
  const live = state === "running" || state === "waiting";
  // What works or waits is open to look at; a reader's own choice counts from then on.
  const [chosen, setChosen] = useState<boolean | null>(null);
  const [began] = useState(live && nested);
  const open = chosen ?? (began || (nested && live));
  const look = callLook[state];
  return (
    <div className={`call call-${state}`}>
      <details
        open={open}
        onToggle={(event) => {
          if (event.currentTarget.open !== open) setChosen(event.currentTarget.open);
        }}
      >
        <summary>
          <Icon name={nested || helper !== undefined ? "robot" : "tool"} size={15} />
          <code className="call-name">{safeLine(helper?.name ?? item.name)}</code>
          <span className="call-summary">{summaryOf(item, helper !== undefined)}</span>
          {look.icon === null ? (
            <LiveBadge>{look.word}</LiveBadge>
          ) : (
            <Badge tone={look.tone} icon={look.icon}>
              {look.word}
            </Badge>
          )}
          <Icon name="down" size={14} />
        </summary>
        <div className="call-body">
          <Part title={item.edited === null ? "Called with" : "The agent wanted"}>
            <Args item={item} />
          </Part>
          {item.edited !== null && (
            <Part title="Ran with your changes">
              <Facts of={item.edited} />
            </Part>
          )}
          {nested && (
            <Part
              title={helper === undefined ? "What the subagent did" : `What ${safeLine(helper.name)} did`}
            >
              <ItemList thread={thread} view={view} owner={item.callId} onSettled={onSettled} />
            </Part>
          )}
          {item.result !== null && !(nested && !item.result.isError) && (
            <Part title={item.result.isError ? "What went wrong" : "Result"}>
              <Result content={item.result.content} />
            </Part>
          )}
        </div>
      </details>
      {item.progress !== null && state === "running" && <Progress {...item.progress} />}
      {approval !== undefined && (
        <ApprovalCard approval={approval} thread={thread} view={view} onSettled={onSettled} />
      )}
      {state === "yours" && (
        <div className="row call-actions">
          {view.answers.has(item.callId) ? (
            <span className="soft small">Answered; sent with your decisions.</span>
          ) : (
            <>
              <Button small look="primary" onClick={() => askAgain(item.callId)}>
                Answer
              </Button>
              <Button small onClick={() => thread.answer(item.callId, declined)}>
                Skip
              </Button>
            </>
          )}
        </div>
      )}
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="call-part">
      <p className="call-part-title">{title}</p>
      {children}
    </div>
  );
}

function Args({ item: { args, argsText } }: { item: CallItem }) {
  if (args !== null && argsText.length <= maxListed) return <Facts of={args} />;
  return argsText === "" ? <p className="soft small">Nothing yet.</p> : <JsonView value={argsText} />;
}

/** JSON laid out, anything else as it came. */
function Result({ content }: { content: string }) {
  if (content === "") return <p className="soft small">An empty text.</p>;
  const value = content.length <= maxListed ? parsed(content) : undefined;
  if (value === undefined) return <JsonView value={content} />;
  return isObject(value) ? <Facts of={value} /> : <JsonView value={value} />;
}

function Progress({ name, value }: { name: string; value: unknown }) {
  const { done, of } =
    typeof value === "object" && value !== null ? (value as { done?: unknown; of?: unknown }) : {};
  if (typeof done === "number" && typeof of === "number" && of > 0)
    return <progress className="progress call-progress" max={of} value={done} aria-label={safeLine(name)} />;
  return (
    <p className="small soft wrap-anywhere call-actions">
      {safeLine(name)}: {safeText(JSON.stringify(value) ?? "")}
    </p>
  );
}

/** The values of the arguments in a line, as far as there is room. */
function summaryOf({ args, argsText, edited }: CallItem, isTask: boolean): string {
  const shown = edited ?? args;
  if (shown === null) return safeLine(argsText.slice(0, maxSummary));
  const line = Object.entries(shown)
    .filter(([name]) => !(isTask && name === "subagent"))
    .map(([name, value]) =>
      typeof value === "string" || typeof value === "number"
        ? String(value)
        : `${name}: ${JSON.stringify(value)}`,
    )
    .join(" · ");
  const short = safeLine(line.slice(0, maxSummary * 2));
  return short.length > maxSummary ? `${short.slice(0, maxSummary)}…` : short;
}

function parsed(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    // Words that begin like JSON.
    return undefined;
  }
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
