import { type FormEvent, useRef, useState } from "react";
import type { Json, JsonObject } from "../../../../src/turn/json.ts";
import { ApiError, messageOf } from "../../api/errors.ts";
import { useResource } from "../../api/use-resource.ts";
import { readWorkflowSchema, startWorkflow } from "../../api/work.ts";
import { go, href } from "../../app/router.ts";
import { Button } from "../../ui/button.tsx";
import { Card, PageHead } from "../../ui/card.tsx";
import { Icon } from "../../ui/icon.tsx";
import { checkValue, type FormIssue, isObject, startingValue } from "../../ui/schema.ts";
import { SchemaForm } from "../../ui/schema-form.tsx";
import { ResourceView } from "../../ui/states.tsx";

/** The form that starts a workflow, made from its input schema. */
export function StartWorkflow({ name }: { name: string }) {
  const schema = useResource(`schema ${name}`, (signal) => readWorkflowSchema(name, signal));
  return (
    <>
      <PageHead
        title={name}
        above={
          <a href={href(["workflows"])}>
            <Icon name="left" size={14} />
            Workflows
          </a>
        }
      />
      <ResourceView resource={schema}>
        {({ input }) => <InputForm name={name} schema={input ?? {}} />}
      </ResourceView>
    </>
  );
}

function InputForm({ name, schema }: { name: string; schema: JsonObject }) {
  const [value, setValue] = useState<Json>(() => startingValue(schema, schema));
  const [issues, setIssues] = useState<FormIssue[]>([]);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  // Pressing twice, or again after a lost reply, starts one run as long as the input is the same.
  const key = useRef(crypto.randomUUID());

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const found = checkValue(value, schema, schema);
    setIssues(found);
    setError(null);
    if (found.length > 0) return;
    setBusy(true);
    try {
      const { runId } = await startWorkflow(name, value, key.current);
      go(href(["runs", runId]));
    } catch (failure) {
      setIssues(issuesOf(failure));
      setError(messageOf(failure));
      setBusy(false);
    }
  };
  const change = (next: Json) => {
    key.current = crypto.randomUUID();
    setValue(next);
  };
  return (
    <form className="start-workflow" onSubmit={submit}>
      <Card title="Input" note="Checked against the workflow’s own schema before anything runs.">
        <div className="stack">
          <SchemaForm schema={schema} value={value} onChange={change} issues={issues} />
          {error !== null && (
            <p className="field-error wrap-anywhere" role="alert">
              {error}
            </p>
          )}
          <div>
            <Button type="submit" look="primary" icon="play" busy={busy}>
              Start
            </Button>
          </div>
        </div>
      </Card>
    </form>
  );
}

/** The places a refusal names. */
function issuesOf(failure: unknown): FormIssue[] {
  if (!(failure instanceof ApiError) || !Array.isArray(failure.details.issues)) return [];
  return failure.details.issues
    .filter(isObject)
    .map(({ path, message }) => ({ path: String(path ?? ""), message: String(message) }));
}
