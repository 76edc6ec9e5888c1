import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { type OperateFlags, operate, operating } from "./operate.ts";
import type { Reply } from "./operate-client.ts";
import { showItems, showMembers } from "./show.ts";

/** `greenroom agents list|get`. */
export function addAgentCommands(
  program: Command,
  context: CommandContext,
  done: (code: number) => void,
): void {
  const agents = program.command("agents").description("see the agents that a Greenroom serves");
  operating(agents.command("list").description("every agent")).action(async (flags: OperateFlags) =>
    done(await operate(flags, context, ({ api }) => api.get("/api/agents"), showAgents)),
  );
  operating(agents.command("get").argument("<NAME>").description("an agent with its tools")).action(
    async (name: string, flags: OperateFlags) =>
      done(
        await operate(
          flags,
          context,
          ({ api }) => api.get(`/api/agents/${encodeURIComponent(name)}`),
          showAgent,
        ),
      ),
  );
}

function showAgents(reply: Reply, context: CommandContext): void {
  showItems(
    reply,
    [
      { head: "agent", of: (row) => row.name },
      { head: "model", of: (row) => row.model ?? "(deployment's)", priority: 1 },
      { head: "tools", of: (row) => (row.tools as string[]).length, align: "right", priority: 2 },
      { head: "description", of: (row) => row.description, grow: true },
    ],
    "No agent is served here.",
    context,
  );
}

function showAgent(agent: Reply, context: CommandContext): void {
  showMembers(
    [
      ["agent", agent.name],
      ["description", agent.description],
      ["model", agent.model ?? "(deployment's)"],
      ["may be written", Object.keys(agent.editableState as Reply).join(", ")],
    ],
    context,
  );
  context.out.line();
  showItems(
    { items: agent.tools },
    [
      { head: "tool", of: (tool) => tool.name },
      { head: "asks", of: (tool) => (tool.gated === true ? "a person" : "") },
      { head: "description", of: (tool) => tool.description, grow: true },
    ],
    "It has no tools.",
    context,
  );
}
