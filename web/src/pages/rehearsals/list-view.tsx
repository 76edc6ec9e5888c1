import { useState } from "react";
import { readPages } from "../../api/read-pages.ts";
import { listRehearsals, type RehearsalRow } from "../../api/rehearsals.ts";
import { useResource } from "../../api/use-resource.ts";
import { href } from "../../app/router.ts";
import { Badge, LiveBadge } from "../../ui/badge.tsx";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Card, PageHead } from "../../ui/card.tsx";
import { Empty, ResourceView } from "../../ui/states.tsx";
import { Ago, Took } from "../../ui/time.tsx";
import { agentText } from "./words.ts";

const pageSize = 20;
/** While one runs the list is looked at again, milliseconds. */
const everyMs = 4_000;

/** Rehearsals, newest first. */
export function ListView() {
  const [pages, setPages] = useState(1);
  const [running, setRunning] = useState(false);
  const list = useResource(
    `rehearsals ${pages}`,
    async (signal) => {
      const read = await readPages(pages, (cursor) => listRehearsals({ limit: pageSize, cursor }, signal));
      setRunning(read.items.some(({ status }) => status === "running"));
      return read;
    },
    running ? { everyMs } : {},
  );
  return (
    <>
      <PageHead
        title="Rehearsals"
        lead="Simulated callers against an agent; every tool call is checked against the rules of a domain."
        actions={
          <LinkButton href={href(["rehearsals", "new"])} look="primary" icon="play">
            New rehearsal
          </LinkButton>
        }
      />
      <Card flush>
        <ResourceView resource={list} lines={5}>
          {({ items, more }) =>
            items.length === 0 ? (
              <Empty
                icon="rehearsal"
                title="Nothing has been rehearsed with this token"
                action={
                  <LinkButton
                    href={href(["rehearsals", "new"], {
                      domain: "freight",
                      agent: "builtin:careless",
                      trials: "3",
                    })}
                  >
                    Try the freight domain
                  </LinkButton>
                }
              >
                It needs no key and takes some seconds: a careless agent is caught breaking a broker’s rules.
              </Empty>
            ) : (
              <>
                <Rows items={items} />
                {more && (
                  <p className="list-more">
                    <Button onClick={() => setPages(pages + 1)} busy={list.loading}>
                      Show older ones
                    </Button>
                  </p>
                )}
              </>
            )
          }
        </ResourceView>
      </Card>
    </>
  );
}

function Rows({ items }: { items: RehearsalRow[] }) {
  return (
    <table className="table stacked">
      <caption className="visually-hidden">Rehearsals, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Domain</th>
          <th scope="col">Agent</th>
          <th scope="col">Trials</th>
          <th scope="col">Took</th>
          <th scope="col">Started</th>
          <th scope="col">Status</th>
        </tr>
      </thead>
      <tbody>
        {items.map((row) => (
          <tr key={row.runId}>
            <td data-label="Domain">
              <a className="row-link" href={href(["rehearsals", row.runId])}>
                {row.domain}
              </a>
              <div className="soft small mono">{row.runId}</div>
            </td>
            <td data-label="Agent" className="wrap-anywhere">
              {agentText(row.agent)}
            </td>
            <td data-label="Trials" className="number">
              {row.planned}
            </td>
            <td data-label="Took">
              <Took from={row.startedAt} to={row.endedAt} />
            </td>
            <td data-label="Started">
              <Ago at={row.startedAt} />
            </td>
            <td data-label="Status">
              <StatusBadge status={row.status} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function StatusBadge({ status }: { status: RehearsalRow["status"] }) {
  if (status === "running") return <LiveBadge>running</LiveBadge>;
  return <Badge icon={status === "finished" ? "check" : "dash"}>{status}</Badge>;
}
