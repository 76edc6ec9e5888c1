import { memo, useDeferredValue, useState } from "react";
import { safeText } from "../../../../../src/sandtable/report/safe-text.ts";
import { Icon } from "../../../ui/icon.tsx";
import { Markdown } from "../../../ui/markdown.tsx";
import type { ChatThread, ThreadView } from "../model/chat-thread.ts";
import type { Item, TextItem, ThoughtItem, UserItem } from "../model/items.ts";
import { CallCard } from "./call-card.tsx";
import { EndMark } from "./end-mark.tsx";

/** What was said and done, in order: the agent's own, or what a subagent did for one call. */
export function ItemList({
  thread,
  view,
  owner,
  onSettled,
}: {
  thread: ChatThread;
  view: ThreadView;
  owner: string | null;
  onSettled: () => void;
}) {
  const items = view.items.filter((item) => (item.kind === "user" ? owner === null : item.owner === owner));
  const lastEnd = items.findLastIndex((item) => item.kind === "end");
  return (
    <ol className={owner === null ? "chat-items" : "chat-items chat-nested"}>
      {items.map((item, at) => (
        <li key={item.key} className={`chat-item chat-item-${item.kind}`}>
          {item.kind === "call" ? (
            <CallCard item={item} thread={thread} view={view} onSettled={onSettled} />
          ) : item.kind === "end" ? (
            <EndMark
              item={item}
              agent={thread.agent}
              threadId={thread.id}
              said={saidBefore(items, at)}
              retry={
                at === lastEnd && at === items.length - 1 && !view.running ? () => void thread.retry() : null
              }
            />
          ) : item.kind === "user" ? (
            <UserMessage item={item} />
          ) : item.kind === "text" ? (
            <AgentText item={item} />
          ) : (
            <Thought item={item} />
          )}
        </li>
      ))}
    </ol>
  );
}

function saidBefore(items: readonly Item[], at: number): string {
  const said = items.slice(0, at).findLast((item) => item.kind === "user");
  return said?.kind === "user" ? said.text : "";
}

const UserMessage = memo(function UserMessage({ item }: { item: UserItem }) {
  return (
    <div className="chat-user">
      <span className="visually-hidden">You: </span>
      {item.text !== "" && <p className="pre-line wrap-anywhere">{safeText(item.text)}</p>}
      {item.media.map((name) => (
        <p key={name} className="small soft wrap-anywhere">
          [{safeText(name)}]
        </p>
      ))}
    </div>
  );
});

/** Markdown as it comes; while it streams, a long text is laid out when there is time for it. */
const AgentText = memo(function AgentText({ item }: { item: TextItem }) {
  const text = useDeferredValue(item.text);
  return (
    <div className={item.streaming ? "chat-text is-streaming" : "chat-text"}>
      <span className="visually-hidden">Agent: </span>
      <Markdown text={text} />
    </div>
  );
});

const Thought = memo(function Thought({ item }: { item: ThoughtItem }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="chat-thought" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="right" size={13} />
        {item.streaming ? "Thinking…" : "Reasoning"}
      </summary>
      <p className="pre-line wrap-anywhere">{safeText(item.text)}</p>
    </details>
  );
});
