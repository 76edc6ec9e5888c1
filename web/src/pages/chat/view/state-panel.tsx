import { safeLine, safeText } from "../../../../../src/sandtable/report/safe-text.ts";
import type { Json, JsonObject } from "../../../../../src/turn/index.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { TextArea } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { JsonView, Value } from "../../../ui/json-view.tsx";
import { SchemaForm } from "../../../ui/schema-form.tsx";

/** The shared state of the conversation, as the agent changes it, with what the user may change. */
export function StatePanel({
  state,
  editable,
  edits,
  running,
  onEdit,
}: {
  state: JsonObject;
  editable: { [key: string]: JsonObject };
  edits: JsonObject;
  running: boolean;
  onEdit: (key: string, value: Json | undefined) => void;
}) {
  const keys = [...new Set([...Object.keys(state), ...Object.keys(editable)])];
  return (
    <div className="state-panel">
      <h2 className="state-panel-title">Shared state</h2>
      {keys.map((key) => {
        const schema = Object.hasOwn(editable, key) ? editable[key] : undefined;
        return schema === undefined ? (
          <section key={key} className="state-part" aria-label={safeLine(key)}>
            <h3>{spoken(key)}</h3>
            <Shown value={state[key]} />
          </section>
        ) : (
          <Edited
            key={key}
            name={key}
            schema={schema}
            stored={state[key]}
            edit={Object.hasOwn(edits, key) ? edits[key] : undefined}
            running={running}
            onEdit={(value) => onEdit(key, value)}
          />
        );
      })}
      <details className="state-raw">
        <summary>As JSON</summary>
        <JsonView value={state} />
      </details>
    </div>
  );
}

function Edited({
  name,
  schema,
  stored,
  edit,
  running,
  onEdit,
}: {
  name: string;
  schema: JsonObject;
  stored: Json | undefined;
  edit: Json | undefined;
  running: boolean;
  onEdit: (value: Json | undefined) => void;
}) {
  const value = edit ?? stored ?? (schema.type === "string" ? "" : null);
  const change = (next: Json) =>
    onEdit(JSON.stringify(next) === JSON.stringify(stored ?? "") ? undefined : next);
  return (
    <div className="state-part">
      {schema.type === "string" ? (
        <TextArea
          label={spoken(name)}
          rows={6}
          value={String(value ?? "")}
          onChange={change}
          readOnly={running}
          hint={edit === undefined ? "You may change it; the agent sees what stands here." : undefined}
        />
      ) : (
        <>
          <h3>{spoken(name)}</h3>
          <SchemaForm schema={schema} value={value} onChange={change} />
        </>
      )}
      {edit !== undefined && (
        <div className="row">
          <Badge tone="info" icon="edit">
            goes along with your next message
          </Badge>
          <Button small look="quiet" icon="undo" onClick={() => onEdit(undefined)}>
            Undo
          </Button>
        </div>
      )}
    </div>
  );
}

/** Things to do as a list that is ticked; texts as texts; the rest as JSON. */
function Shown({ value }: { value: Json | undefined }) {
  const todos = todosIn(value);
  if (todos !== null) {
    const done = todos.filter((todo) => todo.done).length;
    return (
      <>
        <progress
          className="progress"
          max={todos.length}
          value={done}
          aria-label={`${done} of ${todos.length} done`}
        />
        <ul className="todos">
          {todos.map((todo, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a thing to do has nothing else to be known by.
            <li key={index} className={todo.done ? "todo is-done" : "todo"}>
              <span className="todo-box">{todo.done && <Icon name="check" size={12} />}</span>
              <span className="wrap-anywhere">
                <span className="visually-hidden">{todo.done ? "Done: " : "To do: "}</span>
                {safeText(todo.text)}
              </span>
            </li>
          ))}
        </ul>
      </>
    );
  }
  if (Array.isArray(value) && value.length === 0) return <p className="small soft">Nothing yet.</p>;
  if (Array.isArray(value) && value.every((one) => typeof one !== "object" || one === null))
    return (
      <ul className="state-values">
        {value.map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: values may repeat.
          <li key={index}>
            <Value value={one} />
          </li>
        ))}
      </ul>
    );
  if (typeof value === "object" && value !== null) return <JsonView value={value} />;
  return <Value value={value} />;
}

function todosIn(value: Json | undefined): { text: string; done: boolean }[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const todos = value.flatMap((one) =>
    typeof one === "object" &&
    one !== null &&
    !Array.isArray(one) &&
    typeof one.text === "string" &&
    typeof one.done === "boolean"
      ? [{ text: one.text, done: one.done }]
      : [],
  );
  return todos.length === value.length ? todos : null;
}

function spoken(name: string): string {
  const words = safeLine(name).replaceAll(/[_-]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
