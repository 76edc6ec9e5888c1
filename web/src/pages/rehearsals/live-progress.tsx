import { duration } from "../../../../src/sandtable/report/format.ts";
import type { Results, TrialVerdict } from "../../../../src/sandtable/report/results.ts";
import { safeText } from "../../../../src/sandtable/report/safe-text.ts";
import type { StreamState } from "../../api/event-stream.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Progress } from "../../ui/progress.tsx";
import { Grid, type GridCell } from "./grid.tsx";
import type { TrialEvent } from "./use-rehearsal.ts";
import { verdictLook } from "./words.ts";

/** How many of the newest trials are listed. */
const listed = 8;

/** A rehearsal under way: how far it is, each trial in its place, and the newest ones with what went wrong. */
export function LiveProgress({
  results,
  trials,
  connection,
}: {
  results: Results;
  trials: TrialEvent[];
  connection: StreamState;
}) {
  const planned = results.summary.trials.planned;
  const count = (verdict: TrialVerdict) => trials.filter((trial) => trial.verdict === verdict).length;
  const cells = new Map<string, GridCell[]>(results.tasks.map(({ id }) => [id, []]));
  for (const { taskId, trial, verdict } of trials) cells.get(taskId)?.push({ trial, verdict });
  return (
    <div className="stack">
      <Card>
        <div className="stack stack-small">
          <div className="row row-between">
            <p className="live-count" role="status">
              <strong className="number">
                {trials.length} of {planned}
              </strong>{" "}
              trials finished
            </p>
            <div className="row">
              <Badge tone="ok" icon="check">
                {count("passed")} passed
              </Badge>
              <Badge tone="bad" icon="cross">
                {count("failed")} failed
              </Badge>
              {count("errored") > 0 && (
                <Badge tone="warn" icon="alert">
                  {count("errored")} errored
                </Badge>
              )}
            </div>
          </div>
          <Progress value={trials.length} max={planned} label="Trials finished" />
          <p className="soft small live-connection">
            {connection === "broken" ? (
              <>
                <Icon name="offline" size={14} /> The stream broke; taking it up again. The rehearsal goes on
                by itself.
              </>
            ) : (
              "It goes on by itself: this page may be closed and opened again."
            )}
          </p>
        </div>
      </Card>
      <div className="live-columns">
        <Card title="Tasks">
          <Grid tasks={results.tasks} trials={results.options.trials} cells={cells} />
        </Card>
        <Card title="Newest trials">
          {trials.length === 0 ? (
            <p className="soft">The first ones are on their way…</p>
          ) : (
            <ol className="newest">
              {trials
                .slice(-listed)
                .reverse()
                .map(({ taskId, trial, verdict, why, turns, calls, ms }) => (
                  <li key={`${taskId} ${trial}`}>
                    <div className="row">
                      <Badge {...verdictLook[verdict]}>{verdict}</Badge>
                      <span className="wrap-anywhere">
                        {taskId} <span className="soft">#{trial}</span>
                      </span>
                      <span className="soft small number">
                        {turns} turns, {calls} calls, {duration(ms)}
                      </span>
                    </div>
                    {why !== null && <p className="small soft wrap-anywhere">{safeText(why)}</p>}
                  </li>
                ))}
            </ol>
          )}
        </Card>
      </div>
    </div>
  );
}
