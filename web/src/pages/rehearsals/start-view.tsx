import { type FormEvent, useState } from "react";
import type { JsonObject } from "../../../../src/turn/json.ts";
import { useAgents } from "../../api/agents.ts";
import { ApiError, messageOf } from "../../api/errors.ts";
import { listDomains, type StartOrder, startRehearsal } from "../../api/rehearsals.ts";
import { useResource } from "../../api/use-resource.ts";
import { go, href } from "../../app/router.ts";
import { Button } from "../../ui/button.tsx";
import { Card, PageHead } from "../../ui/card.tsx";
import { ChoiceField, SelectField, TextArea, TextField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { ResourceView } from "../../ui/states.tsx";
import { DomainFiles, Problems } from "./domain-files.tsx";

const builtins = [
  { value: "careful", label: "careful: keeps the freight rules" },
  { value: "careless", label: "careless: the same desk without safeguards" },
  { value: "nothing", label: "nothing: says Okay and calls no tool" },
];

type DomainFrom = "bundled" | "files";
type AgentFrom = "builtin" | "agent" | "http";

/** Everything the form holds, as it is typed. */
interface Draft {
  domainFrom: DomainFrom;
  domain: string;
  files: Record<string, string>;
  tasks: string[];
  agentFrom: AgentFrom;
  builtin: string;
  agent: string;
  url: string;
  headers: string;
  trials: string;
  seed: string;
  concurrency: string;
  failUnder: string;
  floors: string;
}

/** The form that starts a rehearsal; `query` fills it in: domain, agent (`kind:name`), trials, seed, concurrency. */
export function StartView({ query }: { query: URLSearchParams }) {
  const [draft, setDraft] = useState(() => draftFrom(query));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const domains = useResource("domains", listDomains);
  const agents = useAgents();
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const bundled = domains.data?.find(({ name }) => name === draft.domain) ?? domains.data?.[0];
  const agentNames = agents.data?.map(({ name }) => name) ?? [];

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const { runId } = await startRehearsal(orderOf(draft, bundled?.name ?? draft.domain, agentNames));
      go(href(["rehearsals", runId]));
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };

  return (
    <>
      <PageHead
        title="New rehearsal"
        above={
          <a href={href(["rehearsals"])}>
            <Icon name="left" size={14} />
            Rehearsals
          </a>
        }
      />
      <form className="stack start" onSubmit={submit}>
        <Card title="Domain" note="The small world, its tools and rules, and the callers.">
          <div className="stack">
            <ChoiceField<DomainFrom>
              label="Which"
              value={draft.domainFrom}
              onChange={(domainFrom) => set({ domainFrom })}
              options={[
                { value: "bundled", label: "One that ships with Greenroom" },
                { value: "files", label: "A folder of mine" },
              ]}
            />
            {draft.domainFrom === "files" ? (
              <DomainFiles files={draft.files} onChange={(files) => set({ files })} />
            ) : (
              <ResourceView resource={domains}>
                {(items) => (
                  <>
                    <SelectField
                      label="Domain"
                      value={bundled?.name ?? ""}
                      onChange={(domain) => set({ domain, tasks: [] })}
                      options={items.map(({ name }) => name)}
                      hint={bundled?.description}
                    />
                    {bundled && (
                      <TaskPicker
                        tasks={bundled.tasks}
                        picked={draft.tasks}
                        onChange={(tasks) => set({ tasks })}
                      />
                    )}
                  </>
                )}
              </ResourceView>
            )}
          </div>
        </Card>
        <Card title="Agent" note="Who is under test.">
          <div className="stack">
            <ChoiceField<AgentFrom>
              label="Where it is"
              value={draft.agentFrom}
              onChange={(agentFrom) => set({ agentFrom })}
              options={[
                { value: "builtin", label: "Built in" },
                { value: "agent", label: "Served here" },
                { value: "http", label: "At a URL" },
              ]}
            />
            {draft.agentFrom === "builtin" && (
              <SelectField
                label="Agent"
                value={draft.builtin}
                onChange={(builtin) => set({ builtin })}
                options={builtins}
              />
            )}
            {draft.agentFrom === "agent" && (
              <SelectField
                label="Agent"
                value={agentNames.includes(draft.agent) ? draft.agent : (agentNames[0] ?? "")}
                onChange={(agent) => set({ agent })}
                options={agentNames}
                hint={agents.data?.find(({ name }) => name === draft.agent)?.description}
              />
            )}
            {draft.agentFrom === "http" && (
              <>
                <TextField
                  label="URL"
                  type="url"
                  required
                  placeholder="https://agent.example.com/step"
                  value={draft.url}
                  onChange={(url) => set({ url })}
                  hint="It answers POST /step. Private addresses are refused unless the Worker runs on this machine."
                />
                <TextArea
                  label="Headers"
                  optional
                  rows={2}
                  spellCheck={false}
                  placeholder="authorization: Bearer …"
                  value={draft.headers}
                  onChange={(headers) => set({ headers })}
                  hint="One a line. Kept only while the rehearsal runs, never in its results."
                />
              </>
            )}
          </div>
        </Card>
        <Card title="How much">
          <div className="stack">
            <div className="start-numbers">
              <TextField
                label="Trials a task"
                inputMode="numeric"
                required
                pattern="[0-9]+"
                value={draft.trials}
                onChange={(trials) => set({ trials })}
                hint="pass^k needs k of them."
              />
              <TextField
                label="Seed"
                inputMode="numeric"
                required
                pattern="[0-9]+"
                value={draft.seed}
                onChange={(seed) => set({ seed })}
                hint="The same seed, the same callers."
              />
              <TextField
                label="At once"
                inputMode="numeric"
                required
                pattern="[0-9]+"
                value={draft.concurrency}
                onChange={(concurrency) => set({ concurrency })}
                hint="1 to 64."
              />
            </div>
            <div className="start-numbers">
              <TextField
                label="Fail under"
                optional
                value={draft.failUnder}
                onChange={(failUnder) => set({ failUnder })}
                placeholder="0.9"
                hint="A gate such as 0.9 or pass^3=0.8."
              />
              <TextField
                label="Floors"
                optional
                value={draft.floors}
                onChange={(floors) => set({ floors })}
                placeholder="refusal=1"
                hint="A gate for tasks with a tag; several with commas."
              />
            </div>
          </div>
        </Card>
        {error !== null && <StartError error={error} />}
        <div className="row">
          <Button type="submit" look="primary" icon="play" busy={busy}>
            Start
          </Button>
        </div>
      </form>
    </>
  );
}

function TaskPicker({
  tasks,
  picked,
  onChange,
}: {
  tasks: { id: string; tags: string[]; critical: boolean }[];
  picked: string[];
  onChange: (tasks: string[]) => void;
}) {
  return (
    <details className="task-picker">
      <summary>
        {picked.length === 0 ? `All ${tasks.length} tasks` : `${picked.length} of ${tasks.length} tasks`}
      </summary>
      <fieldset>
        <legend className="visually-hidden">Only these tasks; none ticked: all</legend>
        <ul>
          {tasks.map(({ id, tags, critical }) => (
            <li key={id}>
              <label>
                <input
                  type="checkbox"
                  checked={picked.includes(id)}
                  onChange={(event) =>
                    onChange(event.target.checked ? [...picked, id] : picked.filter((one) => one !== id))
                  }
                />{" "}
                {id}{" "}
                <span className="soft small">{[...(critical ? ["critical"] : []), ...tags].join(", ")}</span>
              </label>
            </li>
          ))}
        </ul>
      </fieldset>
    </details>
  );
}

function StartError({ error }: { error: unknown }) {
  const problems =
    error instanceof ApiError && Array.isArray(error.details.problems) ? error.details.problems : [];
  return (
    <div className="card start-error" role="alert">
      <p className="field-error wrap-anywhere">{messageOf(error)}</p>
      {problems.length > 0 && <Problems problems={problems.map(asProblem)} />}
    </div>
  );
}

function asProblem(value: unknown) {
  const { file, line, column, message } = value as JsonObject;
  return { file: String(file), line: Number(line), column: Number(column), message: String(message) };
}

function draftFrom(query: URLSearchParams): Draft {
  const [kind = "", ...rest] = (query.get("agent") ?? "").split(":");
  const name = rest.join(":");
  const agentFrom: AgentFrom = kind === "agent" || kind === "http" ? kind : "builtin";
  return {
    domainFrom: "bundled",
    domain: query.get("domain") ?? "freight",
    files: {},
    tasks: [],
    agentFrom,
    builtin: kind === "builtin" && builtins.some(({ value }) => value === name) ? name : "careful",
    agent: kind === "agent" ? name : "freight",
    url: kind === "http" ? name : "",
    headers: "",
    trials: query.get("trials") ?? "3",
    seed: query.get("seed") ?? "1",
    concurrency: query.get("concurrency") ?? "4",
    failUnder: "",
    floors: "",
  };
}

function orderOf(draft: Draft, bundled: string, agentNames: string[]): StartOrder {
  return {
    domain: draft.domainFrom === "files" ? { files: draft.files } : { name: bundled },
    tasks: draft.domainFrom === "files" ? [] : draft.tasks,
    agent: agentOf(draft, agentNames),
    trials: Number(draft.trials),
    seed: Number(draft.seed),
    concurrency: Number(draft.concurrency),
    failUnder: listOf(draft.failUnder),
    floors: listOf(draft.floors),
  };
}

function agentOf(draft: Draft, agentNames: string[]): StartOrder["agent"] {
  if (draft.agentFrom === "builtin") return { kind: "builtin", name: draft.builtin };
  if (draft.agentFrom === "agent") {
    return {
      kind: "agent",
      name: agentNames.includes(draft.agent) ? draft.agent : (agentNames[0] ?? draft.agent),
    };
  }
  const headers = draft.headers.split("\n").flatMap((line) => {
    const at = line.indexOf(":");
    return at < 1 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()] as const];
  });
  return { kind: "http", url: draft.url.trim(), headers: Object.fromEntries(headers) };
}

function listOf(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
