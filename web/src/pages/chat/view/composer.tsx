import { type KeyboardEvent, type Ref, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import type { ChatThread, ThreadView } from "../model/chat-thread.ts";
import { useOnline } from "./use-online.ts";

/** Longest message, characters. */
const maxMessage = 100_000;

/** Where the next message is written. Enter sends it, with Shift it begins a new line. */
export function Composer({
  ref,
  thread,
  view,
  onSend,
}: {
  ref: Ref<HTMLTextAreaElement>;
  thread: ChatThread;
  view: ThreadView;
  onSend: (text: string) => void;
}) {
  const [text, setText] = useState("");
  const online = useOnline();
  const { running, stopping, broken, approvals, status } = view;
  const ready = status === "ready" && !running && approvals.length === 0 && text.trim() !== "";
  const send = () => {
    if (!ready) return;
    setText("");
    onSend(text.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <div className="chat-foot">
      {(broken || !online) && (
        <p className="notice tone-warn chat-notice" role="status">
          <Icon name="offline" size={16} />
          <span>
            {running
              ? "The connection is gone. The agent goes on without it; what you miss is fetched as soon as the Worker answers."
              : "No connection. What you send now has to wait until it is back."}
          </span>
        </p>
      )}
      <form
        className="composer"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <label className="visually-hidden" htmlFor="chat-input">
          Message to {thread.agent}
        </label>
        <textarea
          id="chat-input"
          ref={ref}
          rows={1}
          maxLength={maxMessage}
          placeholder={approvals.length > 0 ? "Decide above first" : `Message ${thread.agent}`}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {running ? (
          <Button icon="stop" busy={stopping} onClick={() => void thread.stop()}>
            Stop
          </Button>
        ) : (
          <Button look="primary" icon="send" type="submit" disabled={!ready}>
            Send
          </Button>
        )}
      </form>
    </div>
  );
}
