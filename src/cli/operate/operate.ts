import { type Command, Option } from "commander";
import type { CommandContext } from "../command-context.ts";
import { OperateClient, type Reply } from "./operate-client.ts";
import { OperateError, operateCodes } from "./operate-error.ts";

/** Flags every operating command takes. */
export interface OperateFlags {
  endpoint: string;
  token?: string;
  json: boolean;
  yes?: boolean;
}

/** Where `npm run dev` listens. */
const localEndpoint = "http://127.0.0.1:8787";

/**
 * What a local Greenroom without AGENT_HTTP_TOKEN is told. Any credential would do; the console and the README's
 * snippets present this one, and only who presents the same sees their runs and approvals.
 */
const localToken = "dev";

/** Version of the objects that `--json` prints; a member is only ever added under one. */
const schemaVersion = 1;

/** Adds the flags every operating command takes; those that change something for good also take `--yes`. */
export function operating(command: Command, { confirmed = false } = {}): Command {
  command
    .addOption(
      new Option("--endpoint <url>", "the Greenroom to talk to")
        .env("GREENROOM_ENDPOINT")
        .default(localEndpoint),
    )
    .addOption(
      new Option("--token <token>", 'credential; a local Greenroom is told "dev", as the console does').env(
        "GREENROOM_TOKEN",
      ),
    )
    .option("--json", "one JSON object on standard output, errors as one on standard error", false);
  if (confirmed) command.option("-y, --yes", "do it: without this nothing is changed");
  return command;
}

/** What an operating command works with. */
export interface Operation {
  api: OperateClient;
  context: CommandContext;
  json: boolean;
}

/**
 * Runs one operating command: `work` asks the endpoint, `show` prints the reply for people; with `--json` the reply is
 * printed as it came, its members at the top level. Returns the exit code; errors are printed here. `confirm` names
 * what would be done by a command that needs `--yes`.
 */
export async function operate(
  flags: OperateFlags,
  context: CommandContext,
  work: (operation: Operation) => Promise<Reply>,
  show: (reply: Reply, context: CommandContext) => void,
  confirm?: string,
): Promise<number> {
  try {
    if (confirm !== undefined && flags.yes !== true)
      throw new OperateError(
        "confirmation_required",
        `This would ${confirm}.`,
        operateCodes.denied,
        "Add --yes to do it.",
      );
    const api = new OperateClient(endpointOf(flags), tokenOf(flags));
    const reply = await work({ api, context, json: flags.json });
    if (flags.json)
      await context.writeOut(`${JSON.stringify({ schema_version: schemaVersion, ...reply })}\n`);
    else show(reply, context);
    return operateCodes.ok;
  } catch (error) {
    if (!(error instanceof OperateError) || !flags.json) throw error;
    context.err.write(`${JSON.stringify({ schema_version: schemaVersion, ...error.toJson() })}\n`);
    return error.exitCode;
  }
}

function endpointOf({ endpoint }: OperateFlags): string {
  if (URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol)) return endpoint;
  throw new OperateError(
    "invalid_endpoint",
    `--endpoint must be an http or https address, not ${JSON.stringify(endpoint)}`,
    operateCodes.other,
  );
}

function tokenOf({ endpoint, token }: OperateFlags): string {
  if (token !== undefined && token !== "") return token;
  const { hostname } = new URL(endpoint);
  if (hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.")) return localToken;
  throw new OperateError(
    "not_signed_in",
    `${endpoint} needs a token.`,
    operateCodes.notSignedIn,
    "Give it with --token T, or set GREENROOM_TOKEN.",
  );
}
