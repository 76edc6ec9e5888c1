/** A way to call this Worker, with something to paste. */
export interface Wire {
  id: string;
  name: string;
  /** What it is for, in a line. */
  about: string;
  snippets: { label: string; code: string }[];
}

/** What a snippet is filled in with. */
export interface SnippetValues {
  origin: string;
  /** What stands where the token goes: a variable of the shell, `$NAME`, or a text that is no secret. */
  token: string;
  agent: string;
  question: string;
}

/** Every wire with snippets that run as they are once the token stands in them. */
export function wiresFor({ origin, token, agent, question }: SnippetValues): Wire[] {
  const said = JSON.stringify(question);
  const inJs = token.startsWith("$") ? `process.env.${token.slice(1)}` : JSON.stringify(token);
  const bearerInJs = token.startsWith("$") ? `\`Bearer \${${inJs}}\`` : JSON.stringify(`Bearer ${token}`);
  const chat = JSON.stringify({ model: agent, messages: [{ role: "user", content: question }] });
  const anthropic = JSON.stringify({
    model: agent,
    max_tokens: 1024,
    messages: [{ role: "user", content: question }],
  });
  const agui = JSON.stringify({
    threadId: "t1",
    runId: "r1",
    messages: [{ id: "m1", role: "user", content: question }],
  });
  const tableTurn = JSON.stringify({
    schemaVersion: "adapttable.agent.v1",
    kind: "turn",
    tableId: "people",
    turnId: "t1",
    message: "highest salary first",
    context: {
      contract: {
        tableId: "people",
        capabilities: [{ key: "view.setSort" }],
        columns: [{ id: "salary", label: "Salary", type: "number", readable: true, sortable: true }],
      },
    },
  });
  return [
    {
      id: "openai",
      name: "OpenAI",
      about: "Chat Completions: the agent’s name is the model.",
      snippets: [
        {
          label: "curl",
          code: `curl ${origin}/openai/v1/chat/completions \\
  -H "authorization: Bearer ${token}" -H "content-type: application/json" \\
  -d ${quoted(chat)}`,
        },
        {
          label: "OpenAI SDK",
          code: `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${origin}/openai/v1", apiKey: ${inJs} });
const stream = await client.chat.completions.create({
  model: "${agent}",
  messages: [{ role: "user", content: ${said} }],
  stream: true,
});
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? "");`,
        },
      ],
    },
    {
      id: "anthropic",
      name: "Anthropic",
      about: "Messages: the agent’s name is the model.",
      snippets: [
        {
          label: "curl",
          code: `curl ${origin}/anthropic/v1/messages \\
  -H "x-api-key: ${token}" -H "content-type: application/json" \\
  -d ${quoted(anthropic)}`,
        },
        {
          label: "Anthropic SDK",
          code: `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({ baseURL: "${origin}/anthropic", apiKey: ${inJs} });
const message = await client.messages.create({
  model: "${agent}",
  max_tokens: 1024,
  messages: [{ role: "user", content: ${said} }],
});
console.log(message.content);`,
        },
      ],
    },
    {
      id: "agui",
      name: "AG-UI",
      about: "Always a stream; the threadId is the session.",
      snippets: [
        {
          label: "curl",
          code: `curl -N ${origin}/agui/v1/agents/${agent} \\
  -H "authorization: Bearer ${token}" -H "content-type: application/json" \\
  -d ${quoted(agui)}`,
        },
        {
          label: "@ag-ui/client",
          code: `import { HttpAgent } from "@ag-ui/client";

const agent = new HttpAgent({
  url: "${origin}/agui/v1/agents/${agent}",
  headers: { authorization: ${bearerInJs} },
  threadId: crypto.randomUUID(),
});
agent.addMessage({ id: crypto.randomUUID(), role: "user", content: ${said} });
await agent.runAgent({}, { onTextMessageContentEvent: ({ event }) => process.stdout.write(event.delta) });`,
        },
      ],
    },
    {
      id: "adapttable",
      name: "AdaptTable",
      about: "A live table in a page asks; the default table agent answers, whichever agent is picked above.",
      snippets: [
        {
          label: "greenroom/table",
          code: `import { createAgentHttpClient, createTableSession, memoryTableHost } from "greenroom/table";

const host = memoryTableHost({
  tableId: "people",
  columns: [
    { id: "name", label: "Name", type: "string" },
    { id: "salary", label: "Salary", type: "number" },
  ],
  rows: [
    { id: "1", name: "Ana", salary: 80000 },
    { id: "2", name: "Ben", salary: 91000 },
  ],
});
const session = createTableSession(host);
const client = createAgentHttpClient({
  endpoint: "${origin}/agent",
  headers: { authorization: ${bearerInJs} },
});
await client.connect(session);
const { text, results } = await client.send(session, "highest salary first");
console.log(text, results);`,
        },
        {
          label: "curl",
          code: `curl ${origin}/agent \\
  -H "authorization: Bearer ${token}" -H "content-type: application/json" \\
  -d ${quoted(tableTurn)}`,
        },
      ],
    },
    {
      id: "step",
      name: "Step",
      about: "The step protocol: any runner of it can rehearse an agent that is served here.",
      snippets: [
        {
          label: "Rehearse it",
          code: `npm run greenroom -- run examples/freight \\
  --agent ${origin}/sandtable/v1/agents/${agent}/step`,
        },
        {
          label: "curl",
          code: `curl ${origin}/sandtable/v1/agents/${agent}/step \\
  -H "authorization: Bearer ${token}" -H "content-type: application/json" \\
  -d ${quoted(JSON.stringify({ session_id: "s1", message: question }))}`,
        },
      ],
    },
  ];
}

/** A text in single quotes, as a shell takes it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
