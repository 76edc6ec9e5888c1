import { useState } from "react";
import { renderJunit } from "../../../../src/sandtable/report/junit.ts";
import type { Results } from "../../../../src/sandtable/report/results.ts";
import { messageOf } from "../../api/errors.ts";
import { readReport } from "../../api/rehearsals.ts";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toast.tsx";

/** The files of a rehearsal, as the command writes them. */
export function Downloads({ results }: { results: Results }) {
  const [busy, setBusy] = useState(false);
  const name = (file: string) => `${results.domain.name}-${results.runId}-${file}`;
  const report = async () => {
    setBusy(true);
    try {
      save(name("report.html"), await readReport(results.runId));
    } catch (error) {
      toast({ tone: "bad", text: messageOf(error) });
    }
    setBusy(false);
  };
  return (
    <fieldset className="row">
      <legend className="visually-hidden">Download</legend>
      <Button icon="download" busy={busy} onClick={report}>
        HTML report
      </Button>
      <Button
        icon="download"
        onClick={() =>
          save(
            name("results.json"),
            new Blob([`${JSON.stringify(results, null, 1)}\n`], { type: "application/json" }),
          )
        }
      >
        results.json
      </Button>
      <Button
        icon="download"
        onClick={() => save(name("junit.xml"), new Blob([renderJunit(results)], { type: "application/xml" }))}
      >
        JUnit
      </Button>
    </fieldset>
  );
}

/** Hands a file to the person; its address lives just long enough for that. */
function save(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
