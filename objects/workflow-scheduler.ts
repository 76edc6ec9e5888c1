import { DurableObject } from "cloudflare:workers";
import { readConfig } from "../src/config.ts";
import type { Env } from "../src/env.ts";
import { deleteAgentRuns } from "../src/store/expired-runs.ts";
import { workspaceOwner } from "../src/store/workflow-runs.ts";
import type { Json } from "../src/turn/index.ts";
import { findWorkflow, workflowNames } from "../src/workflows/registry.ts";
import { nextCron } from "../src/workflows/runtime/cron.ts";
import { startRun } from "../src/workflows/runtime/start-run.ts";
import type { ScheduleRecord } from "../src/workflows/runtime/types.ts";
import { logFault } from "./log-fault.ts";
import { WakeUp } from "./wake-up.ts";

const schema = `
CREATE TABLE IF NOT EXISTS schedules (owner TEXT NOT NULL, name TEXT NOT NULL, workflow TEXT NOT NULL, cron TEXT NOT NULL, input TEXT NOT NULL, declared INTEGER NOT NULL, next_at INTEGER, PRIMARY KEY (owner, name)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS schedules_next ON schedules (next_at);
CREATE TABLE IF NOT EXISTS sweep (one INTEGER PRIMARY KEY CHECK (one = 1), next_at INTEGER NOT NULL);
`;

const dayMs = 86_400_000;

/** A start that could not be made is tried again after this long. */
const retryMs = 5_000;

interface Due {
  owner: string;
  name: string;
  workflow: string;
  cron: string;
  input: string;
  next_at: number;
}

/**
 * Starts runs when their time has come, with one alarm for the earliest of them. Each time starts one run, also when the
 * runtime dies in between; times that passed while nothing ran start one run together. Once a day it deletes the records
 * of agents' turns that have been kept long enough; a workflow's run sees to that itself.
 */
export class WorkflowSchedulerObject extends DurableObject<Env> {
  private readonly sql: SqlStorage;
  private readonly wakeUp: WakeUp;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.sql = ctx.storage.sql;
    this.wakeUp = new WakeUp(ctx.storage);
    this.sql.exec(schema);
  }

  ping(): "pong" {
    return "pong";
  }

  /** Takes up what the workflows' files declare, and drops what they declare no more. */
  sync(): void {
    const declared = workflowNames.flatMap((workflow) =>
      (findWorkflow(workflow)?.schedules ?? []).map((one) => ({ workflow, ...one })),
    );
    const names = new Set<string>();
    for (const { workflow, cron, input } of declared) {
      const name = `${workflow} ${cron}`;
      names.add(name);
      this.store(workspaceOwner, { name, workflow, cron, input }, true);
    }
    for (const row of this.sql.exec("SELECT name FROM schedules WHERE declared = 1").toArray()) {
      if (!names.has(String(row.name)))
        this.sql.exec("DELETE FROM schedules WHERE owner = ? AND name = ?", workspaceOwner, row.name ?? "");
    }
    this.sql.exec(
      "INSERT INTO sweep (one, next_at) VALUES (1, ?) ON CONFLICT DO NOTHING",
      Date.now() + dayMs,
    );
    this.arm();
  }

  /** Makes or replaces a schedule. Takes `{name, workflow, cron, input}`, answers a `ScheduleRecord`, as JSON. */
  put(owner: string, scheduleJson: string): string {
    const schedule = JSON.parse(scheduleJson) as {
      name: string;
      workflow: string;
      cron: string;
      input: Json;
    };
    this.store(owner, schedule, false);
    this.arm();
    const made = this.records(owner).find(({ name, declared }) => name === schedule.name && !declared);
    return JSON.stringify(made);
  }

  /** False: the owner has no schedule of that name. Declared ones end with their declaration. */
  remove(owner: string, name: string): boolean {
    return (
      this.sql.exec("DELETE FROM schedules WHERE owner = ? AND name = ? AND declared = 0", owner, name)
        .rowsWritten > 0
    );
  }

  /** The schedules an owner sees, as JSON of `ScheduleRecord`s. */
  list(owner: string): string {
    return JSON.stringify(this.records(owner));
  }

  override async alarm(): Promise<void> {
    this.wakeUp.rang();
    const now = Date.now();
    const due = this.sql.exec(
      "SELECT * FROM schedules WHERE next_at <= ? ORDER BY next_at, owner, name",
      now,
    );
    for (const row of due.toArray()) await this.fire(dueOf(row), now);
    if (this.sql.exec("SELECT 1 FROM sweep WHERE next_at <= ?", now).toArray().length > 0)
      await this.sweep(now);
    this.arm();
  }

  /** Deletes what is old; what cannot be deleted now is the next day. */
  private async sweep(now: number): Promise<void> {
    const { runTtlMs, sessionTtlMs } = readConfig(this.env).config;
    const before = (ms: number) => new Date(now - ms).toISOString();
    this.sql.exec("UPDATE sweep SET next_at = ?", now + dayMs);
    try {
      // What waits for a person belongs to a session, and may end with it.
      await deleteAgentRuns(this.env.DB, {
        ended: before(runTtlMs),
        any: before(Math.max(runTtlMs, sessionTtlMs)),
      });
    } catch (error) {
      logFault("agent_runs_not_deleted", error);
    }
  }

  private async fire({ owner, name, workflow, cron, input, next_at: at }: Due, now: number): Promise<void> {
    try {
      const outcome = await startRun(this.env, owner, {
        workflow,
        input: JSON.parse(input) as Json,
        trigger: "schedule",
        idempotencyKey: `schedule ${name} ${at}`,
      });
      // A workflow that is gone, or takes another input by now, is not started; its next time may be right again.
      if (outcome.kind !== "started")
        logFault("workflow_schedule_refused", new Error(JSON.stringify(outcome)));
    } catch (error) {
      logFault("workflow_schedule_failed", error);
      this.wakeUp.by(now + retryMs);
      return;
    }
    this.sql.exec(
      "UPDATE schedules SET next_at = ? WHERE owner = ? AND name = ? AND next_at = ?",
      ...[nextCron(cron, now), owner, name, at],
    );
  }

  /** Stores a schedule; the same one again keeps its next time. */
  private store(
    owner: string,
    { name, workflow, cron, input }: { name: string; workflow: string; cron: string; input: Json },
    declared: boolean,
  ): void {
    this.sql.exec(
      `INSERT INTO schedules (owner, name, workflow, cron, input, declared, next_at) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (owner, name) DO UPDATE SET workflow = excluded.workflow, cron = excluded.cron, input = excluded.input,
         next_at = CASE WHEN cron = excluded.cron THEN next_at ELSE excluded.next_at END
       WHERE workflow <> excluded.workflow OR cron <> excluded.cron OR input <> excluded.input`,
      ...[owner, name, workflow, cron, JSON.stringify(input), declared ? 1 : 0, nextCron(cron, Date.now())],
    );
  }

  private records(owner: string): ScheduleRecord[] {
    const rows = this.sql.exec(
      "SELECT * FROM schedules WHERE owner IN (?, ?) ORDER BY name, owner",
      owner,
      workspaceOwner,
    );
    return rows.toArray().map((row) => ({
      name: String(row.name),
      workflowName: String(row.workflow),
      cron: String(row.cron),
      input: JSON.parse(String(row.input)) as Json,
      declared: row.declared === 1,
      nextAt: row.next_at === null ? null : new Date(Number(row.next_at)).toISOString(),
    }));
  }

  private arm(): void {
    const { at } = this.sql
      .exec(
        "SELECT MIN(next_at) AS at FROM (SELECT next_at FROM schedules UNION ALL SELECT next_at FROM sweep)",
      )
      .one();
    if (at !== null) this.wakeUp.by(Math.max(Number(at), Date.now()));
  }
}

function dueOf(row: { [column: string]: SqlStorageValue }): Due {
  return {
    owner: String(row.owner),
    name: String(row.name),
    workflow: String(row.workflow),
    cron: String(row.cron),
    input: String(row.input),
    next_at: Number(row.next_at),
  };
}
