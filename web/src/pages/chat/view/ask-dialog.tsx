import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { safeText } from "../../../../../src/sandtable/report/safe-text.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { ChoiceField, TextArea } from "../../../ui/field.tsx";
import { JsonView } from "../../../ui/json-view.tsx";
import { declined, questionOf } from "../model/ask-user.ts";
import type { ChatThread, ThreadView } from "../model/chat-thread.ts";
import type { CallItem } from "../model/items.ts";

/** Longest answer, characters. */
const maxAnswer = 20_000;

/** Questions that were put aside; their cards can bring them back. */
let aside: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

function setAside(next: ReadonlySet<string>): void {
  aside = next;
  for (const listener of listeners) listener();
}

/** Opens a question again that was put aside. */
export function askAgain(callId: string): void {
  setAside(new Set([...aside].filter((one) => one !== callId)));
}

/** The page's own tool at work: a question of the agent over the page, and the answer as the call's result. */
export function AskDialog({
  thread,
  view,
  onSettled,
}: {
  thread: ChatThread;
  view: ThreadView;
  onSettled: () => void;
}) {
  const later = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => aside,
  );
  const { clientCalls, answers, items, running, status } = view;
  const callId =
    running || status !== "ready" ? undefined : clientCalls.find((id) => !answers.has(id) && !later.has(id));
  const call = items.find((item) => item.kind === "call" && item.callId === callId);
  if (call?.kind !== "call") return null;
  return (
    <Question
      key={call.callId}
      call={call}
      onAnswer={(text) => {
        thread.answer(call.callId, text);
        onSettled();
      }}
      onLater={() => setAside(new Set([...aside, call.callId]))}
    />
  );
}

function Question({
  call,
  onAnswer,
  onLater,
}: {
  call: CallItem;
  onAnswer: (text: string) => void;
  onLater: () => void;
}) {
  const { question, options, own } = questionOf(call.name, call.args);
  const [choice, setChoice] = useState("");
  const [text, setText] = useState("");
  const form = useRef<HTMLFormElement>(null);
  const answered = useRef(false);
  const answer = text.trim() !== "" ? text.trim() : choice;

  useEffect(() => {
    // After the dialog has opened, which focuses its first button.
    const frame = requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>("input, textarea")?.focus(),
    );
    return () => cancelAnimationFrame(frame);
  }, []);
  const settle = (result: string) => {
    answered.current = true;
    onAnswer(result);
  };

  return (
    <Dialog
      open
      onClose={() => {
        if (!answered.current) onLater();
      }}
      title="The agent asks you"
      footer={
        <>
          <Button onClick={() => settle(declined)}>I’d rather not say</Button>
          <Button look="primary" icon="send" disabled={answer === ""} onClick={() => settle(answer)}>
            Answer
          </Button>
        </>
      }
    >
      <form
        ref={form}
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (answer !== "") settle(answer);
        }}
      >
        {options.length > 0 ? (
          <ChoiceField
            label={<span className="ask-question pre-line wrap-anywhere">{safeText(question)}</span>}
            value={choice}
            onChange={setChoice}
            options={options.map((option) => ({ value: option, label: safeText(option) }))}
          />
        ) : (
          <p className="ask-question pre-line wrap-anywhere">{safeText(question)}</p>
        )}
        {!own && <JsonView value={call.args ?? call.argsText} />}
        <TextArea
          label={options.length > 0 ? "Or in your own words" : "Your answer"}
          optional={options.length > 0}
          value={text}
          onChange={setText}
          rows={2}
          maxLength={maxAnswer}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            if (answer !== "") settle(answer);
          }}
        />
      </form>
    </Dialog>
  );
}
