import { useState } from "react";
import type { Results } from "../../../../src/sandtable/report/results.ts";
import { messageOf } from "../../api/errors.ts";
import { cancelRehearsal } from "../../api/rehearsals.ts";
import { go, href } from "../../app/router.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { PageHead } from "../../ui/card.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Failed, Loading } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Ago, Took } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { CompareTab } from "./compare-tab.tsx";
import { Downloads } from "./downloads.tsx";
import { StatusBadge } from "./list-view.tsx";
import { LiveProgress } from "./live-progress.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { RulesTab } from "./rules-tab.tsx";
import { TrialsTab } from "./trials-tab.tsx";
import { useRehearsal } from "./use-rehearsal.ts";
import { agentText } from "./words.ts";

type TabId = "overview" | "rules" | "trials" | "compare";

/** One rehearsal, watched while it runs and read once it has ended. */
export function RunView({ runId, query }: { runId: string; query: URLSearchParams }) {
  const { results, trials, live, connection, error, retry } = useRehearsal(runId);
  if (results === null) {
    return (
      <>
        <PageHead title="Rehearsal" above={<BackLink />} lead={<code>{runId}</code>} />
        {error === null ? <Loading lines={6} /> : <Failed error={error} retry={retry} />}
      </>
    );
  }
  const select = (tab: string) => go(href(["rehearsals", runId], { tab }), { replace: true });
  return (
    <>
      <PageHead
        title={results.domain.name}
        above={<BackLink />}
        lead={<Lead results={results} live={live} />}
        actions={
          live ? (
            <CancelButton runId={runId} />
          ) : (
            <>
              <Downloads results={results} />
              <LinkButton href={againHref(results)} icon="refresh">
                Run again
              </LinkButton>
            </>
          )
        }
      />
      {error !== null && <Failed error={error} retry={retry} />}
      {live ? (
        <LiveProgress results={results} trials={trials} connection={connection} />
      ) : (
        <Tabs<TabId>
          label="The rehearsal"
          selected={tabOf(query)}
          onSelect={select}
          tabs={[
            { id: "overview", label: "Overview", content: <OverviewTab results={results} /> },
            { id: "rules", label: "Rules", content: <RulesTab results={results} /> },
            { id: "trials", label: "Trials", content: <TrialsTab results={results} query={query} /> },
            { id: "compare", label: "Compare", content: <CompareTab results={results} query={query} /> },
          ]}
        />
      )}
    </>
  );
}

function tabOf(query: URLSearchParams): TabId {
  const tab = query.get("tab");
  return tab === "rules" || tab === "trials" || tab === "compare" ? tab : "overview";
}

function BackLink() {
  return (
    <a href={href(["rehearsals"])}>
      <Icon name="left" size={14} />
      Rehearsals
    </a>
  );
}

function Lead({ results, live }: { results: Results; live: boolean }) {
  const { agent, options, startedAt, endedAt, status } = results;
  return (
    <div className="run-lead">
      <StatusBadge status={live ? "running" : status} />
      <span className="wrap-anywhere">{agentText(agent)}</span>
      <span className="number">
        {options.trials} {options.trials === 1 ? "trial" : "trials"} a task
      </span>
      <span>seed {options.seed}</span>
      {!live && (
        <span>
          <Ago at={startedAt} />, in <Took from={startedAt} to={endedAt} />
        </span>
      )}
    </div>
  );
}

/** The same again, as far as it can be said in an address; a domain that was sent has to be sent again. */
function againHref({ domain, agent, options }: Results): string {
  return href(["rehearsals", "new"], {
    domain: domain.name,
    agent: `${agent.kind}:${agent.name}`,
    trials: String(options.trials),
    seed: String(options.seed),
    concurrency: String(options.concurrency),
  });
}

function CancelButton({ runId }: { runId: string }) {
  const [busy, setBusy] = useState(false);
  const cancel = async () => {
    setBusy(true);
    try {
      await cancelRehearsal(runId);
    } catch (error) {
      setBusy(false);
      toast({ tone: "bad", text: messageOf(error) });
    }
  };
  return (
    <Button icon="stop" onClick={cancel} busy={busy}>
      Cancel
    </Button>
  );
}
