import { Button } from "../../../ui/button.tsx";
import { Failed, Loading } from "../../../ui/states.tsx";
import type { AgentDetail } from "../model/agent-detail.ts";
import type { ChatThread, ThreadView } from "../model/chat-thread.ts";
import { AnswersBar } from "./answers-bar.tsx";
import { ApprovalCard } from "./approval-card.tsx";
import { ItemList } from "./item-list.tsx";
import { useStickyScroll } from "./use-sticky-scroll.ts";
import { Welcome } from "./welcome.tsx";

/** The conversation, which stays at its newest line until the reader scrolls away. */
export function ConversationPane({
  thread,
  view,
  detail,
  onSend,
  onSettled,
}: {
  thread: ChatThread;
  view: ThreadView;
  detail: AgentDetail | null;
  onSend: (text: string) => void;
  onSettled: () => void;
}) {
  const { items, approvals, status, running } = view;
  const { pane, content, away, toEnd } = useStickyScroll(view, running, items.length > 0);
  const calls = new Set(items.flatMap((item) => (item.kind === "call" ? [item.callId] : [])));
  // A call that is too old for the replay is not among the items, but somebody has to decide about it.
  const loose = approvals.filter(({ callId }) => !calls.has(callId));
  const last = items.at(-1);
  const silent = running && (last === undefined || last.kind === "user" || last.kind === "end");

  return (
    <div className="chat-pane-wrap">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard. */}
      <section className="chat-pane" ref={pane} tabIndex={0} aria-label="Conversation">
        <div className="chat-content" ref={content}>
          {status === "loading" && <Loading lines={5} label="Reading the conversation" />}
          {status === "failed" && <Failed error={view.loadError} retry={() => void thread.load()} />}
          {status === "ready" && items.length === 0 && !running && (
            <Welcome agent={thread.agent} detail={detail} gone={view.gone} onSend={onSend} />
          )}
          {status === "ready" && (items.length > 0 || running) && (
            <>
              <ItemList thread={thread} view={view} owner={null} onSettled={onSettled} />
              {silent && (
                <p className="chat-thinking" aria-hidden="true">
                  <span />
                  <span />
                  <span />
                </p>
              )}
              {loose.map((approval) => (
                <ApprovalCard
                  key={approval.id}
                  approval={approval}
                  thread={thread}
                  view={view}
                  onSettled={onSettled}
                />
              ))}
              <AnswersBar thread={thread} view={view} onSettled={onSettled} />
            </>
          )}
        </div>
      </section>
      {away && items.length > 0 && (
        <Button small icon="down" className="chat-to-end" onClick={toEnd}>
          Newest
        </Button>
      )}
    </div>
  );
}
