import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { Json } from "../../../../../src/turn/json.ts";
import type { DemoColumn } from "../data/demo-table.ts";

/** An input in the place of a cell. Enter and leaving it take the value, Escape does not. */
export function CellEditor({
  column,
  value,
  onDone,
}: {
  column: DemoColumn;
  value: Json;
  /** Undefined: given up. `by` says whether the keyboard goes back to the grid. */
  onDone: (value: Json | undefined, by: "key" | "blur") => void;
}) {
  const [text, setText] = useState(value === null ? "" : String(value));
  const [wrong, setWrong] = useState(false);
  const input = useRef<HTMLInputElement & HTMLSelectElement>(null);
  const done = useRef(false);
  useEffect(() => {
    input.current?.focus();
    if (input.current instanceof HTMLInputElement) input.current.select();
  }, []);

  const finish = (given: string | undefined, by: "key" | "blur") => {
    if (done.current) return;
    const parsed = given === undefined || given === String(value ?? "") ? undefined : parse(column, given);
    if (parsed === invalid) {
      if (by === "key") return setWrong(true);
      done.current = true;
      return onDone(undefined, by);
    }
    done.current = true;
    onDone(parsed, by);
  };
  const keys = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === "Enter" || event.key === "Tab") {
      event.preventDefault();
      finish(text, "key");
    } else if (event.key === "Escape") {
      event.preventDefault();
      finish(undefined, "key");
    }
  };
  const common = {
    ref: input,
    className: "cell-input",
    "aria-label": column.label,
    "aria-invalid": wrong || undefined,
    value: text,
    onKeyDown: keys,
    onBlur: () => finish(text, "blur"),
  };
  if (column.choices !== undefined) {
    return (
      <select {...common} onChange={(event) => setText(event.target.value)}>
        {column.choices.map((choice) => (
          <option key={String(choice.value)} value={String(choice.value)}>
            {choice.label}
          </option>
        ))}
      </select>
    );
  }
  return (
    <input
      {...common}
      type={column.type === "date" ? "date" : "text"}
      inputMode={column.type === "number" ? "decimal" : undefined}
      onChange={(event) => {
        setWrong(false);
        setText(event.target.value);
      }}
    />
  );
}

const invalid = Symbol("not a value of this column");

function parse(column: DemoColumn, text: string): Json | typeof invalid {
  const choice = column.choices?.find((one) => String(one.value) === text);
  if (choice !== undefined) return choice.value;
  if (column.type === "number") {
    const number = Number(text.replace(/[,\s]/g, ""));
    return text.trim() === "" || !Number.isFinite(number) ? invalid : number;
  }
  if (column.type === "date") return /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : invalid;
  return text.trim();
}
