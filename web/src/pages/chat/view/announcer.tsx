import { useEffect, useRef, useState } from "react";
import { safeLine } from "../../../../../src/sandtable/report/safe-text.ts";
import type { ThreadView } from "../model/chat-thread.ts";

/** Longest answer that is read out, characters. */
const maxRead = 600;

/** Says to a screen reader what happens, once per turn: that it works, and then what came of it. Never token by token. */
export function Announcer({ view }: { view: ThreadView }) {
  const [text, setText] = useState("");
  const was = useRef<boolean | null>(null);
  const newest = useRef(view);
  newest.current = view;
  const { running, status } = view;
  useEffect(() => {
    if (status !== "ready") return;
    const before = was.current;
    was.current = running;
    if (before === null && !running) return;
    if (running !== before) setText(running ? "The agent is answering." : outcomeOf(newest.current));
  }, [running, status]);
  return (
    <p className="visually-hidden" role="status" aria-live="polite">
      {text}
    </p>
  );
}

function outcomeOf({ items, approvals, clientCalls }: ThreadView): string {
  const [first] = approvals;
  if (first !== undefined) {
    const count =
      approvals.length === 1 ? "An approval is needed" : `${approvals.length} approvals are needed`;
    return `${count}: ${safeLine(first.message)}`;
  }
  if (clientCalls.length > 0) return "The agent asks you something.";
  const end = items.findLast((item) => item.kind === "end");
  if (end?.kind === "end" && end.outcome.type === "failed")
    return `The turn failed: ${safeLine(end.outcome.message)}`;
  if (end?.kind === "end" && end.outcome.type === "cancelled") return "The turn was stopped.";
  const last = items.findLast((item) => item.kind === "text" && item.owner === null);
  const said = last?.kind === "text" ? safeLine(last.text) : "";
  return `The agent answered. ${said.length > maxRead ? `${said.slice(0, maxRead)}…` : said}`;
}
