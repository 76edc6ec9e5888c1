import { safeText } from "../../../../../src/sandtable/report/safe-text.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import type { ChatThread, ThreadView } from "../model/chat-thread.ts";

/** Several things wait: how many have their answer, and the one button that sends them all. */
export function AnswersBar({
  thread,
  view,
  onSettled,
}: {
  thread: ChatThread;
  view: ThreadView;
  onSettled: () => void;
}) {
  const { approvals, clientCalls, decisions, answers, refusal, running } = view;
  const open = approvals.length + clientCalls.length;
  const ready =
    approvals.filter(({ id }) => decisions.has(id)).length +
    clientCalls.filter((id) => answers.has(id)).length;
  return (
    <>
      {refusal !== null && (
        <p className="notice tone-bad chat-notice" role="alert">
          <Icon name="alert" size={16} />
          <span className="wrap-anywhere">{safeText(refusal)}</span>
        </p>
      )}
      {open > 1 && approvals.length > 0 && !running && (
        <div className="answers-bar">
          <span>
            {ready} of {open} decided
          </span>
          <Button
            look="primary"
            icon="send"
            disabled={ready < open}
            onClick={() => {
              void thread.sendAnswers();
              onSettled();
            }}
          >
            {`Send ${open} decisions`}
          </Button>
        </div>
      )}
    </>
  );
}
