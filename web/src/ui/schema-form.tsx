import { useId, useState } from "react";
import type { Json, JsonObject } from "../../../src/turn/json.ts";
import { Button } from "./button.tsx";
import { CheckField, Field, SelectField, TextArea, TextField } from "./field.tsx";
import { choicesOf, type FormIssue, isObject, kindOf, resolveSchema, startingValue } from "./schema.ts";

interface FormProps {
  /** JSON Schema of the value. */
  schema: JsonObject;
  value: Json;
  onChange: (value: Json) => void;
  /** What is wrong, shown beside the field it is about: from `checkValue`, or from the Worker. */
  issues?: FormIssue[];
}

/**
 * A form made from a JSON Schema: objects as groups, lists with add and remove, texts, numbers, choices and switches;
 * anything else as JSON text. What a person is still typing that is not yet a number stays a text, so `checkValue` finds
 * it.
 */
export function SchemaForm({ schema, value, onChange, issues = [] }: FormProps) {
  const rest = issues.filter(({ path }) => path === "");
  return (
    <div className="schema-form">
      {rest.map(({ message }) => (
        <p key={message} className="field-error" role="alert">
          {message}
        </p>
      ))}
      <Part
        name=""
        path=""
        given={schema}
        root={schema}
        value={value}
        required
        issues={issues}
        onChange={(next) => onChange(next ?? null)}
      />
    </div>
  );
}

interface PartProps {
  name: string;
  path: string;
  given: Json | undefined;
  root: JsonObject;
  value: Json | undefined;
  required: boolean;
  issues: FormIssue[];
  /** `undefined` leaves the member out. */
  onChange: (value: Json | undefined) => void;
}

function Part(props: PartProps) {
  const { name, path, given, root, value, required, issues, onChange } = props;
  const { schema, nullable } = resolveSchema(given, root);
  const label = typeof schema.title === "string" ? schema.title : name === "" ? "Value" : spoken(name);
  const hint = typeof schema.description === "string" ? schema.description : undefined;
  const error = issues.find((issue) => issue.path === path && path !== "")?.message ?? null;
  const field = { label, hint, error, optional: !required || nullable };
  /** What an emptied field becomes. */
  const empty = nullable ? null : required ? "" : undefined;

  switch (kindOf(schema)) {
    case "object":
      return <ObjectPart {...props} schema={schema} label={label} hint={hint} />;
    case "array":
      return <ListPart {...props} schema={schema} label={label} hint={hint} error={error} />;
    case "boolean":
      return <CheckField label={label} hint={hint} checked={value === true} onChange={onChange} />;
    case "choice": {
      const choices = choicesOf(schema) ?? [];
      const texts = choices.map((choice) => (typeof choice === "string" ? choice : JSON.stringify(choice)));
      const at = choices.findIndex((choice) => JSON.stringify(choice) === JSON.stringify(value));
      const blank = field.optional || at < 0 ? [{ value: "", label: "—" }] : [];
      return (
        <SelectField
          {...field}
          value={at < 0 ? "" : String(at)}
          onChange={(picked) =>
            onChange(picked === "" ? (nullable ? null : undefined) : choices[Number(picked)])
          }
          options={[...blank, ...texts.map((text, index) => ({ value: String(index), label: text }))]}
        />
      );
    }
    case "number":
    case "integer":
      return (
        <TextField
          {...field}
          inputMode={schema.type === "integer" ? "numeric" : "decimal"}
          value={value === undefined || value === null ? "" : String(value)}
          onChange={(text) => onChange(text.trim() === "" ? empty : (asNumber(text) ?? text))}
        />
      );
    case "text": {
      const text = value === undefined || value === null ? "" : String(value);
      const change = (next: string) => onChange(next === "" ? empty : next);
      const long = text.length > 80 || text.includes("\n") || Number(schema.maxLength ?? 0) > 200;
      return long ? (
        <TextArea {...field} rows={4} value={text} onChange={change} />
      ) : (
        <TextField {...field} value={text} onChange={change} />
      );
    }
    case "json":
      return <JsonPart {...field} value={value} onChange={onChange} />;
  }
}

function ObjectPart({
  name,
  path,
  root,
  value,
  issues,
  onChange,
  schema,
  label,
  hint,
}: PartProps & { schema: JsonObject; label: string; hint: string | undefined }) {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const held = isObject(value) ? value : {};
  const change = (member: string, next: Json | undefined) => {
    const { [member]: _, ...rest } = held;
    // The order of the schema, so that an edit does not shuffle what a person reads.
    const merged = next === undefined ? rest : { ...held, [member]: next };
    onChange(merged);
  };
  const members = Object.entries(properties).map(([member, given]) => (
    <Part
      key={member}
      name={member}
      path={path === "" ? member : `${path}.${member}`}
      given={given}
      root={root}
      value={held[member]}
      required={required.has(member)}
      issues={issues}
      onChange={(next) => change(member, next)}
    />
  ));
  if (name === "") return <div className="form-group">{members}</div>;
  return (
    <fieldset className="form-nested">
      <legend>{label}</legend>
      {hint && <p className="field-hint">{hint}</p>}
      <div className="form-group">{members}</div>
    </fieldset>
  );
}

function ListPart({
  path,
  root,
  value,
  issues,
  onChange,
  schema,
  label,
  hint,
  error,
}: PartProps & { schema: JsonObject; label: string; hint: string | undefined; error: string | null }) {
  const items = Array.isArray(value) ? value : [];
  return (
    <fieldset className="form-nested">
      <legend>{label}</legend>
      {hint && <p className="field-hint">{hint}</p>}
      {error && <p className="field-error">{error}</p>}
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an item of a list has nothing else to be known by.
        <div key={index} className="form-item">
          <Part
            name={`${label} ${index + 1}`}
            path={`${path}.${index}`}
            given={schema.items}
            root={root}
            value={item}
            required
            issues={issues}
            onChange={(next) => onChange(items.map((one, at) => (at === index ? (next ?? null) : one)))}
          />
          <Button
            small
            look="quiet"
            icon="trash"
            aria-label={`Remove ${label} ${index + 1}`}
            onClick={() => onChange(items.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <Button small icon="plus" onClick={() => onChange([...items, startingValue(schema.items, root)])}>
        Add
      </Button>
    </fieldset>
  );
}

function JsonPart({
  value,
  onChange,
  ...field
}: {
  label: string;
  hint: string | undefined;
  error: string | null;
  optional: boolean;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
}) {
  const [text, setText] = useState(() => (value === undefined ? "" : JSON.stringify(value, null, 2)));
  const [broken, setBroken] = useState<string | null>(null);
  const id = useId();
  const change = (next: string) => {
    setText(next);
    if (next.trim() === "") {
      setBroken(null);
      onChange(field.optional ? undefined : null);
      return;
    }
    try {
      onChange(JSON.parse(next) as Json);
      setBroken(null);
    } catch (error) {
      setBroken(`Not JSON yet; the value before it counts. ${error instanceof Error ? error.message : ""}`);
    }
  };
  return (
    <Field {...field} hint={field.hint ?? "As JSON."} error={broken ?? field.error}>
      {(control) => (
        <textarea
          className="input mono"
          rows={Math.min(12, Math.max(3, text.split("\n").length))}
          spellCheck={false}
          {...control}
          name={id}
          value={text}
          onChange={(event) => change(event.target.value)}
        />
      )}
    </Field>
  );
}

function asNumber(text: string): number | null {
  const number = Number(text.replace(",", "."));
  // What ends in a point is still being typed.
  return Number.isFinite(number) && !/[.,]$/.test(text) ? number : null;
}

/** `order_id` and `orderId` as a person says them. */
function spoken(name: string): string {
  const words = name
    .replace(
      /([a-z0-9])([A-Z])(?=[a-z])/g,
      (_, before: string, letter: string) => `${before} ${letter.toLowerCase()}`,
    )
    .replaceAll(/[_-]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
