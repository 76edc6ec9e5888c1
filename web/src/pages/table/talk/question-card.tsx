import { useEffect, useId, useRef, useState } from "react";
import { safeLine, safeText } from "../../../../../src/sandtable/report/safe-text.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import type { OpenQuestion } from "../room/table-room.ts";

/** A question back: an answer is a press, or one's own words. */
export function QuestionCard({ open: { question, answer } }: { open: OpenQuestion }) {
  const [text, setText] = useState("");
  const card = useRef<HTMLElement>(null);
  const id = useId();
  useEffect(() => {
    card.current?.focus();
    card.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <section ref={card} className="ask-card" aria-labelledby={id} tabIndex={-1}>
      <h2 id={id} className="wrap-anywhere">
        {safeText(question.question)}
      </h2>
      {question.options !== undefined && (
        <div className="row">
          {question.options.map((option) => (
            <Button key={option.id} small onClick={() => answer({ optionId: option.id })}>
              {safeLine(option.label)}
            </Button>
          ))}
        </div>
      )}
      {question.allowFreeText && (
        <form
          className="answer-form"
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim() !== "") answer({ text: text.trim() });
          }}
        >
          <TextField
            label={<span className="visually-hidden">Your own words</span>}
            placeholder="In your own words"
            maxLength={1_000}
            value={text}
            onChange={setText}
          />
          <Button small type="submit" disabled={text.trim() === ""}>
            Answer
          </Button>
        </form>
      )}
      <Button small look="quiet" onClick={() => answer(undefined)}>
        Leave it
      </Button>
    </section>
  );
}
