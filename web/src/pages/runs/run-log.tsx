import type { ReactNode } from "react";
import { safeText } from "../../../../src/sandtable/report/safe-text.ts";
import type { RunEvent } from "../../../../src/workflows/runtime/types.ts";
import { JsonView } from "../../ui/json-view.tsx";
import { Markdown } from "../../ui/markdown.tsx";
import { Failed } from "../../ui/states.tsx";
import { Ago } from "../../ui/time.tsx";
import type { RunLogState } from "./use-run-events.ts";

/** What happened in a run, in order. What an agent says in a step is put together. */
export function RunLog({ log: { events, error } }: { log: RunLogState }) {
  const lines = linesOf(events);
  return (
    <>
      {error !== null && <Failed error={error} />}
      {lines.length === 0 && error === null ? (
        <p className="soft">Nothing yet.</p>
      ) : (
        <ol className="run-log">
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a log only grows at its end.
            <li key={index}>{line}</li>
          ))}
        </ol>
      )}
    </>
  );
}

function linesOf(events: RunEvent[]): ReactNode[] {
  const lines: ReactNode[] = [];
  let speech: { step: string; agent: string; text: string; at: number } | null = null;
  for (const event of events) {
    if (event.type === "agent") {
      const { step, agent, event: turn } = event;
      if (turn.type === "text-delta") {
        if (speech === null || speech.step !== step) {
          speech = { step, agent, text: "", at: lines.length };
          lines.push(null);
        }
        speech.text += turn.delta;
        lines[speech.at] = <Speech agent={speech.agent} text={speech.text} />;
      } else if (turn.type === "call-start") {
        lines.push(
          <>
            {agent} calls <code>{safeText(turn.name)}</code>
          </>,
        );
        speech = null;
      }
      continue;
    }
    speech = null;
    lines.push(textOf(event));
  }
  return lines;
}

function Speech({ agent, text }: { agent: string; text: string }) {
  return (
    <>
      {agent} says
      <Markdown text={text} />
    </>
  );
}

function textOf(event: Exclude<RunEvent, { type: "agent" }>): ReactNode {
  switch (event.type) {
    case "run":
      return `${event.workflowName} begins`;
    case "step-start":
      return `step ${event.step} begins${event.attempt > 1 ? `, attempt ${event.attempt}` : ""}`;
    case "step-end":
      return `step ${event.step} is done`;
    case "step-failed":
      return (
        <>
          step {event.step} fails: {safeText(event.failure.message)}
          {event.retryAt !== null && (
            <>
              ; again <Ago at={event.retryAt} />
            </>
          )}
        </>
      );
    case "progress":
      return (
        <>
          step {event.step} tells
          <JsonView value={event.data} />
        </>
      );
    case "wait-start":
      return (
        <>
          waits ({event.kind}){event.title !== null && `: ${safeText(event.title)}`}
          {event.until !== null && (
            <>
              , due <Ago at={event.until} />
            </>
          )}
        </>
      );
    case "wait-end":
      return `the wait is over (${event.kind})${event.timedOut ? ": nobody came in time" : ""}`;
    case "end":
      return event.status === "failed"
        ? `ends as failed: ${safeText(event.failure.message)}`
        : `ends as ${event.status === "done" ? "done" : "cancelled"}`;
  }
}
