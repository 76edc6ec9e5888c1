import * as z from "zod";
import type { Context } from "../http/context.ts";
import { tokenMissingMessage } from "../http/credentials.ts";
import { failureLine, secretsOf } from "../http/log.ts";
import { isNotMigrated, notMigratedMessage } from "../http/not-migrated.ts";
import type { Route } from "../http/route.ts";
import { within } from "../http/within.ts";

/** Longest wait for one check, milliseconds; a probe that waits longer than this calls us dead anyway. */
const deadlineMs = 3_000;

/** The newest file of `src/store/migrations`, which a migrated database has recorded. */
export const newestMigration = "0003_workflows.sql";

const Check = z.object({ ok: z.boolean(), ms: z.number().optional(), error: z.string().optional() });
const Health = z.object({
  status: z.enum(["ok", "failing"]),
  checks: z.object({ database: Check, durable: Check, configuration: Check }),
});
type Check = z.infer<typeof Check>;

/** A failed check whose message is written for the operator and holds nothing secret. */
class CheckFailure extends Error {}

/** Whether everything a rehearsal needs works: asks the database and the durable objects, and reads the variables. */
export const health: Route = {
  access: "open",
  always: true,
  summary: "Check the database, the durable engine and the configuration",
  responses: {
    200: { description: "Everything works.", schema: Health },
    503: { description: "At least one check failed; its `error` says what to do.", schema: Health },
  },
  handle: async (context) => {
    const [database, durable] = await Promise.all([
      timed(context, "database", () => checkDatabase(context.env.DB)),
      timed(context, "durable", () => checkDurable(context)),
    ]);
    const configuration = checkConfiguration(context);
    const ok = database.ok && durable.ok && configuration.ok;
    const report: z.infer<typeof Health> = {
      status: ok ? "ok" : "failing",
      checks: { database, durable, configuration },
    };
    return Response.json(report, { status: ok ? 200 : 503 });
  },
};

async function checkDatabase(db: D1Database): Promise<void> {
  const migrated = await db
    .prepare("SELECT name FROM d1_migrations WHERE name = ?")
    .bind(newestMigration)
    .first()
    .catch((error: unknown) => {
      if (isNotMigrated(error)) return null;
      throw error;
    });
  if (migrated === null) throw new CheckFailure(notMigratedMessage);
}

async function checkDurable({ env }: Context): Promise<void> {
  await Promise.all([
    env.REHEARSAL.get(env.REHEARSAL.idFromName("health")).ping(),
    env.TRIAL.get(env.TRIAL.idFromName("health")).ping(),
  ]);
}

function checkConfiguration({ config, configProblems, loopback }: Context): Check {
  const messages = configProblems.map(({ message }) => message);
  const tokenRefused = configProblems.some(({ variable }) => variable === "AGENT_HTTP_TOKEN");
  if (config.tokens.length === 0 && !loopback && !tokenRefused) messages.push(tokenMissingMessage);
  return messages.length === 0 ? { ok: true } : { ok: false, error: messages.join(" ") };
}

/** Runs one check under the deadline. The reply says no more than that it failed; the log says why. */
async function timed(
  context: Context,
  name: "database" | "durable",
  check: () => Promise<void>,
): Promise<Check> {
  const started = Date.now();
  try {
    await within(deadlineMs, check(), () => new CheckFailure(`No answer within ${deadlineMs} ms.`));
    return { ok: true, ms: Date.now() - started };
  } catch (error) {
    if (error instanceof CheckFailure) return { ok: false, error: error.message };
    const about = { requestId: context.requestId, method: "GET", route: `/health ${name}` };
    console.error(failureLine(error, about, secretsOf(context.env, [])));
    return { ok: false, error: "It answered with an error; the log has it under this reply's request id." };
  }
}
