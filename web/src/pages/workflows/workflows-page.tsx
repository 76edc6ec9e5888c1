import { useResource } from "../../api/use-resource.ts";
import { listWorkflows } from "../../api/work.ts";
import { href } from "../../app/router.ts";
import type { PageProps } from "../../app/routes.ts";
import { Badge } from "../../ui/badge.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { Card, PageHead } from "../../ui/card.tsx";
import { Empty, ResourceView } from "../../ui/states.tsx";
import { StartWorkflow } from "./start-workflow.tsx";
import "./workflows.css";

/** The catalogue of workflows, or the form that starts one. */
export function WorkflowsPage({ path }: PageProps) {
  const [name] = path;
  return name === undefined ? <Catalogue /> : <StartWorkflow key={name} name={name} />;
}

function Catalogue() {
  const workflows = useResource("workflows", listWorkflows);
  return (
    <>
      <PageHead
        title="Workflows"
        lead="Code whose steps run once and are remembered: it survives restarts, sleeps, and waits for people."
      />
      <ResourceView resource={workflows} lines={4}>
        {(items) =>
          items.length === 0 ? (
            <Card>
              <Empty icon="workflow" title="This Worker has no workflow">
                One is a file <code>src/workflows/NAME.workflow.ts</code>.
              </Empty>
            </Card>
          ) : (
            <ul className="catalogue">
              {items.map(({ name, trigger, serial, schedules }) => (
                <li key={name}>
                  <Card
                    title={name}
                    actions={
                      <>
                        <LinkButton
                          small
                          look="quiet"
                          href={href(["runs"], { kind: "workflow", workflow: name })}
                          icon="runs"
                        >
                          Runs
                        </LinkButton>
                        <LinkButton small look="primary" href={href(["workflows", name])} icon="play">
                          Start
                        </LinkButton>
                      </>
                    }
                  >
                    <div className="row">
                      <Badge icon={trigger === "schedule" ? "clock" : "user"}>
                        {trigger === "schedule" ? "on a schedule" : "by hand"}
                      </Badge>
                      {serial && <Badge icon="runs">one at a time</Badge>}
                      {schedules.map(({ cron }) => (
                        <code key={cron}>{cron}</code>
                      ))}
                    </div>
                  </Card>
                </li>
              ))}
            </ul>
          )
        }
      </ResourceView>
    </>
  );
}
