import { type ChangeEvent, useRef, useState } from "react";
import { safeText } from "../../../../src/sandtable/report/safe-text.ts";
import type { LintFinding } from "../../../../src/sandtable/verdict/lint.ts";
import { messageOf } from "../../api/errors.ts";
import { checkDomain, type DomainCheck, type DomainProblem } from "../../api/rehearsals.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { TextArea, TextField } from "../../ui/field.tsx";

/** What a domain is made of; all else in a folder is left where it is. */
const domainFile = /\.(ya?ml|json|jsonl|csv|md|txt)$/i;
/** A domain larger than this is refused by the Worker as it is set up; bytes. */
const mostBytes = 32 * 1024 * 1024;

/** A domain of the person's own: a folder from this machine, files pasted one by one, and a check of both. */
export function DomainFiles({
  files,
  onChange,
}: {
  files: Record<string, string>;
  onChange: (files: Record<string, string>) => void;
}) {
  const [check, setCheck] = useState<DomainCheck | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const names = Object.keys(files).sort();

  const use = async (next: Record<string, string>) => {
    onChange(next);
    setCheck(null);
    setError(null);
    if (Object.keys(next).length === 0) return;
    setBusy(true);
    try {
      setCheck(await checkDomain(next));
    } catch (failure) {
      setError(messageOf(failure));
    }
    setBusy(false);
  };
  const picked = async (event: ChangeEvent<HTMLInputElement>) => {
    const read = await readFolder([...(event.target.files ?? [])]);
    event.target.value = "";
    if (typeof read === "string") setError(read);
    else await use(read);
  };

  return (
    <div className="stack">
      <div className="row">
        <input
          ref={input}
          type="file"
          multiple
          className="visually-hidden"
          tabIndex={-1}
          aria-label="Domain folder"
          onChange={picked}
          {...{ webkitdirectory: "" }}
        />
        <Button icon="plus" onClick={() => input.current?.click()}>
          Choose a folder
        </Button>
        {names.length > 0 && (
          <Button look="quiet" icon="trash" onClick={() => use({})}>
            Start over
          </Button>
        )}
        {busy && <span className="soft">Checking…</span>}
        {check?.ok === true && (
          <Badge tone="ok" icon="check">
            can be rehearsed
          </Badge>
        )}
        {check?.ok === false && (
          <Badge tone="bad" icon="cross">
            {check.problems.length} {check.problems.length === 1 ? "problem" : "problems"}
          </Badge>
        )}
      </div>
      {error !== null && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      {check !== null && <Problems problems={check.problems} />}
      {check !== null && check.findings.length > 0 && <Findings findings={check.findings} />}
      {names.length > 0 && (
        <details>
          <summary>
            {names.length} {names.length === 1 ? "file" : "files"}
          </summary>
          <ul className="file-list">
            {names.map((name) => (
              <li key={name}>
                <code className="wrap-anywhere">{safeText(name)}</code>
                <span className="soft small number">
                  {(files[name]?.length ?? 0).toLocaleString("en")} characters
                </span>
                <Button
                  small
                  look="quiet"
                  icon="trash"
                  aria-label={`Remove ${name}`}
                  onClick={() =>
                    use(Object.fromEntries(Object.entries(files).filter(([one]) => one !== name)))
                  }
                />
              </li>
            ))}
          </ul>
        </details>
      )}
      <PasteFile onAdd={(name, text) => use({ ...files, [name]: text })} />
    </div>
  );
}

function PasteFile({ onAdd }: { onAdd: (name: string, text: string) => void }) {
  const [name, setName] = useState("domain.yaml");
  const [text, setText] = useState("");
  return (
    <details className="paste">
      <summary>Paste a file</summary>
      <div className="stack stack-small">
        <TextField label="Path in the folder" value={name} onChange={setName} spellCheck={false} />
        <TextArea label="Text" rows={6} value={text} onChange={setText} spellCheck={false} />
        <div>
          <Button
            icon="plus"
            disabled={name.trim() === "" || text === ""}
            onClick={() => {
              onAdd(name.trim(), text);
              setText("");
            }}
          >
            Add the file
          </Button>
        </div>
      </div>
    </details>
  );
}

/** What makes the verdicts of a valid domain worth less. */
function Findings({ findings }: { findings: LintFinding[] }) {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  return (
    <details>
      <summary>
        {findings.length} {findings.length === 1 ? "finding" : "findings"}
        {errors > 0 && `, ${errors} of them errors`}
      </summary>
      <ul className="problems">
        {findings.map(({ severity, task, rule, tool, message }) => (
          <li key={[task, rule, tool, message].join(" ")}>
            <Badge tone={severity === "error" ? "bad" : "warn"}>{severity}</Badge>{" "}
            <code className="wrap-anywhere">{safeText([task, rule ?? tool].filter(Boolean).join(", "))}</code>{" "}
            {safeText(message)}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Mistakes of a domain, each with its place. */
export function Problems({ problems }: { problems: DomainProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <ul className="problems">
      {problems.map(({ file, line, column, message, suggestion }) => (
        <li key={`${file}:${line}:${column} ${message}`}>
          <code className="wrap-anywhere">
            {safeText(file)}:{line}:{column}
          </code>{" "}
          {safeText(message)}
          {suggestion !== undefined && <span className="soft"> {safeText(suggestion)}</span>}
        </li>
      ))}
    </ul>
  );
}

/** The texts of a chosen folder by their path inside it, or why they cannot be taken. */
async function readFolder(chosen: File[]): Promise<Record<string, string> | string> {
  const wanted = chosen.filter(({ name, webkitRelativePath }) => {
    const hidden = webkitRelativePath
      .split("/")
      .some((part) => part.startsWith(".") || part === "node_modules");
    return domainFile.test(name) && !hidden;
  });
  if (wanted.length === 0) return "There is no YAML, JSON or Markdown in that folder.";
  const size = wanted.reduce((sum, file) => sum + file.size, 0);
  if (size > mostBytes)
    return "That folder holds more than 32 MiB; use the command for a domain of that size.";
  const entries = await Promise.all(
    wanted.map(async (file) => {
      const path = file.webkitRelativePath.split("/").slice(1).join("/");
      return [path === "" ? file.name : path, await file.text()] as const;
    }),
  );
  return Object.fromEntries(entries);
}
