import { useState } from "react";
import { safeText } from "../../../../src/sandtable/report/safe-text.ts";
import { readPages } from "../../api/read-pages.ts";
import { useResource } from "../../api/use-resource.ts";
import { type Approval, listApprovals } from "../../api/work.ts";
import { href } from "../../app/router.ts";
import type { PageProps } from "../../app/routes.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card, PageHead } from "../../ui/card.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Empty, ResourceView } from "../../ui/states.tsx";
import { Ago } from "../../ui/time.tsx";
import { ApprovalView } from "./approval-view.tsx";
import { statusLook } from "./words.ts";
import "./inbox.css";

/** Most that are shown of what waits; what was decided comes in pages. */
const waitingLimit = 100;
const pageSize = 20;
/** Pause between two looks while the page is in view, milliseconds. */
const everyMs = 4_000;

/** What waits for a person, one of it in full, and what was decided before. */
export function InboxPage({ path }: PageProps) {
  const [id] = path;
  const waiting = useResource(
    "inbox waiting",
    async (signal) => (await listApprovals({ status: "pending", limit: waitingLimit }, signal)).items,
    { everyMs },
  );
  return (
    <>
      <PageHead
        title="Inbox"
        lead="Calls of agents and questions of workflows that ask a person first. The first decision holds, here or on a wire."
      />
      <div className={`inbox ${id === undefined ? "" : "has-detail"}`}>
        <div className="stack inbox-lists">
          <Card title="Waiting" flush>
            <ResourceView resource={waiting}>
              {(items) =>
                items.length === 0 ? (
                  <Empty icon="check" title="Nothing waits">
                    Ask the <code>playground</code> agent to <q>Delete notes.txt</q> in a session, and it asks
                    here first.
                  </Empty>
                ) : (
                  <Items items={items} selected={id} />
                )
              }
            </ResourceView>
          </Card>
          <History selected={id} changed={waiting.data?.length ?? 0} />
        </div>
        {id === undefined ? (
          <div className="inbox-none soft">Choose one to see what will happen.</div>
        ) : (
          <ApprovalView key={id} id={id} onDecided={waiting.reload} />
        )}
      </div>
    </>
  );
}

function Items({ items, selected }: { items: Approval[]; selected: string | undefined }) {
  return (
    <ul className="inbox-items">
      {items.map((item) => (
        <li key={item.id}>
          <a href={href(["inbox", item.id])} aria-current={item.id === selected ? "true" : undefined}>
            <span className="inbox-title">
              <Icon name={item.kind === "tool" ? "tool" : "workflow"} size={15} />
              <span className="wrap-anywhere">{safeText(item.title)}</span>
            </span>
            <span className="row soft small">
              {item.status !== "pending" && (
                <Badge {...statusLook[item.status]}>{statusLook[item.status].word}</Badge>
              )}
              <span>{item.kind === "tool" ? item.agent : item.workflowName}</span>
              <Ago at={item.decidedAt ?? item.createdAt} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** What is decided; loaded again when something has left the list of what waits. */
function History({ selected, changed }: { selected: string | undefined; changed: number }) {
  const [pages, setPages] = useState(1);
  const list = useResource(`inbox history ${pages} ${changed}`, async (signal) => {
    const { items, more } = await readPages(pages, (cursor) =>
      listApprovals({ limit: pageSize, cursor }, signal),
    );
    return { items: items.filter(({ status }) => status !== "pending"), more };
  });
  return (
    <Card title="History" flush>
      <ResourceView resource={list}>
        {({ items, more }) => (
          <>
            {items.length === 0 ? (
              <p className="inbox-empty soft">Nothing has been decided yet.</p>
            ) : (
              <Items items={items} selected={selected} />
            )}
            {more && (
              <p className="inbox-empty">
                <Button small onClick={() => setPages(pages + 1)} busy={list.loading}>
                  Show older ones
                </Button>
              </p>
            )}
          </>
        )}
      </ResourceView>
    </Card>
  );
}
