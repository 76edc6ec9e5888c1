import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useAgents } from "../../api/agents.ts";
import { callJson } from "../../api/client.ts";
import { useResource } from "../../api/use-resource.ts";
import { go, href } from "../../app/router.ts";
import type { PageProps } from "../../app/routes.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Empty, Failed, Loading } from "../../ui/states.tsx";
import { type AgentDetail, agentPath } from "./model/agent-detail.ts";
import { ChatThread } from "./model/chat-thread.ts";
import { lastAgent, newThreadId, setLastAgent, threadsOf } from "./model/threads.ts";
import { AgentHead } from "./view/agent-head.tsx";
import { Announcer } from "./view/announcer.tsx";
import { AskDialog } from "./view/ask-dialog.tsx";
import { Composer } from "./view/composer.tsx";
import { ConversationPane } from "./view/conversation-pane.tsx";
import { StatePanel } from "./view/state-panel.tsx";
import { ThreadList } from "./view/thread-list.tsx";
import "./chat.css";

/** A chat with any agent over AG-UI. `#/chat/<agent>/<thread>`; without a thread a new one is begun. */
export function ChatPage({ path }: PageProps) {
  const agents = useAgents();
  useEffect(fetchAhead, []);
  const [wanted, threadId] = path;
  if (agents.data === null) {
    if (agents.error !== null && !agents.loading)
      return <Failed error={agents.error} retry={agents.reload} />;
    return <Loading lines={6} />;
  }
  const names = agents.data.map(({ name }) => name);
  const agent =
    wanted ?? [lastAgent() ?? "support", "support"].find((name) => names.includes(name)) ?? names[0];
  if (agent === undefined || !names.includes(agent)) {
    return (
      <Empty icon="robot" title="There is no such agent" action={<a href={href(["chat"])}>Choose another</a>}>
        This Worker serves {names.join(", ") || "none yet"}.
      </Empty>
    );
  }
  return <Chat key={agent} agent={agent} names={names} threadId={threadId} />;
}

/** What the first message needs comes while it is being written. What does not come now is asked for again then. */
function fetchAhead(): void {
  for (const load of [() => import("./wire/protocol-client.ts"), () => import("../../ui/markdown-view.tsx")])
    load().catch(() => undefined);
}

function Chat({ agent, names, threadId }: { agent: string; names: string[]; threadId: string | undefined }) {
  const [draftId, setDraftId] = useState(newThreadId);
  const id = threadId ?? draftId;
  // Once a conversation has begun under it, the next one needs another.
  const used = useRef(false);
  if (threadId === draftId) used.current = true;
  else if (threadId === undefined && used.current) {
    used.current = false;
    setDraftId(newThreadId());
  }
  const detail = useResource(`agent ${agent}`, (signal) =>
    callJson<AgentDetail>(agentPath(agent), { signal }),
  );
  const thread = useThread(agent, id, threadId !== undefined);
  // An agent whose tools come with a request would take this page's own for all it has.
  const [offers, setOffers] = useState<boolean | null>(null);
  const [drawer, setDrawer] = useState<"threads" | "state" | null>(null);
  const input = useRef<HTMLTextAreaElement>(null);

  const focusInput = useCallback(() => {
    if (!matchMedia("(pointer: fine)").matches) return;
    // After the shell, which gives the focus to the page when the address changes.
    requestAnimationFrame(() => input.current?.focus({ preventScroll: true }));
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another thread is the reason, not an input.
  useEffect(focusInput, [id, threadId]);
  useEffect(() => setLastAgent(agent), [agent]);

  const begin = () => {
    setDrawer(null);
    setDraftId(newThreadId());
    go(href(["chat", agent]));
    focusInput();
  };
  const send = (text: string) => {
    void thread?.send(text);
    if (threadId === undefined) go(href(["chat", agent, id]), { replace: true });
  };
  const list = (
    <ThreadList agent={agent} selected={threadId} onNew={begin} onChosen={() => setDrawer(null)} />
  );

  return (
    <div className="chat">
      <aside className="chat-threads" aria-label="Threads">
        {list}
      </aside>
      {thread === null ? (
        <div className="chat-main">
          <Loading lines={6} />
        </div>
      ) : (
        <Talk
          thread={thread}
          names={names}
          detail={detail.data}
          input={input}
          onSend={send}
          onDrawer={setDrawer}
          onSettled={focusInput}
          offers={offers ?? (detail.data === null || detail.data.tools.length > 0)}
          onOffers={setOffers}
          stateDrawer={drawer === "state"}
        />
      )}
      <Dialog open={drawer === "threads"} onClose={() => setDrawer(null)} title="Threads">
        {list}
      </Dialog>
    </div>
  );
}

/** The conversation and the state beside it. */
function Talk({
  thread,
  names,
  detail,
  input,
  onSend,
  onDrawer,
  onSettled,
  offers,
  onOffers,
  stateDrawer,
}: {
  thread: ChatThread;
  names: string[];
  detail: AgentDetail | null;
  input: React.RefObject<HTMLTextAreaElement | null>;
  onSend: (text: string) => void;
  onDrawer: (drawer: "threads" | "state" | null) => void;
  onSettled: () => void;
  offers: boolean;
  onOffers: (offers: boolean) => void;
  stateDrawer: boolean;
}) {
  const view = useSyncExternalStore(thread.subscribe, thread.view);
  useEffect(() => {
    thread.offersTool = offers;
  }, [thread, offers]);
  const editable = detail?.editableState ?? {};
  const hasState = Object.keys(view.state).length + Object.keys(editable).length > 0;
  const panel = (
    <StatePanel
      state={view.state}
      editable={editable}
      edits={view.edits}
      running={view.running}
      onEdit={(key, value) => thread.edit(key, value)}
    />
  );
  return (
    <>
      <section className="chat-main" aria-label="Chat">
        <AgentHead
          agent={thread.agent}
          names={names}
          detail={detail}
          model={view.model}
          offers={offers}
          onOffers={onOffers}
        >
          <Button
            small
            look="quiet"
            icon="chat"
            className="chat-open-threads"
            aria-label="Threads"
            onClick={() => onDrawer("threads")}
          />
          {hasState && (
            <Button small className="chat-open-state" onClick={() => onDrawer("state")}>
              State
            </Button>
          )}
        </AgentHead>
        <ConversationPane thread={thread} view={view} detail={detail} onSend={onSend} onSettled={onSettled} />
        <Composer ref={input} thread={thread} view={view} onSend={onSend} />
        <Announcer view={view} />
        <AskDialog thread={thread} view={view} onSettled={onSettled} />
      </section>
      {hasState && (
        <aside className="chat-side" aria-label="Shared state">
          {panel}
        </aside>
      )}
      <Dialog open={stateDrawer} onClose={() => onDrawer(null)} title="Shared state">
        {panel}
      </Dialog>
    </>
  );
}

/** The thread of this id while the page is open. One that this browser has never had and no address names is new. */
function useThread(agent: string, id: string, named: boolean): ChatThread | null {
  const [thread, setThread] = useState<ChatThread | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new thread gets its address while it is open.
  useEffect(() => {
    const opened = new ChatThread(agent, id);
    setThread(opened);
    if (named || threadsOf(agent).some((one) => one.id === id)) void opened.load();
    return () => opened.close();
  }, [agent, id]);
  return thread?.id === id ? thread : null;
}
