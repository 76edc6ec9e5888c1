import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { caller } from "../src/sandtable/domain/source/callers.ts";
import { domain } from "../src/sandtable/domain/source/domain.ts";
import { rule } from "../src/sandtable/domain/source/rules.ts";
import { task } from "../src/sandtable/domain/source/tasks.ts";
import { tool } from "../src/sandtable/domain/source/tools.ts";
import { id, tableName, toolName } from "../src/sandtable/domain/source/value.ts";
import { table } from "../src/sandtable/domain/source/world.ts";
import { agentInstructions } from "../src/table/protocol/agent-instructions.ts";
import { agentHttpSchema } from "./agent-http-schema.ts";

/**
 * Makes the JSON Schemas that editors use, from the schemas that `loadDomain` checks with, and what backends of tables in
 * other languages read: `node scripts/make-schemas.ts` writes schemas/domain, schemas/agent-http.v1.json and
 * docs/agent-rules.txt, `--check` fails when what stands there differs.
 */

interface Titled {
  title: string;
  schema: z.ZodType;
}

const sources: Record<string, Titled> = {
  domain: { title: "domain.yaml: name, description and clock of a domain", schema: domain },
  world: { title: "world.yaml: tables by name", schema: z.record(tableName, table) },
  table: { title: "world/NAME.yaml: one table", schema: table },
  tools: { title: "tools.yaml: tools by name", schema: z.record(toolName, tool) },
  tool: { title: "tools/NAME.yaml: one tool", schema: tool },
  rules: { title: "rules.yaml: rules by id", schema: z.record(id, rule) },
  rule: { title: "rules/NAME.yaml: one rule", schema: rule },
  callers: { title: "callers.yaml: callers by name", schema: z.record(id, caller) },
  caller: { title: "callers/NAME.yaml: one caller", schema: caller },
  tasks: { title: "tasks.yaml: tasks by id", schema: z.record(id, task) },
  task: { title: "tasks/NAME.yaml: one task", schema: task },
};

/**
 * The schemas by file name. Draft-07, which the YAML language server reads fully; it knows neither `$id` resolution
 * across files nor newer keywords as well, so each file stands alone.
 */
export function domainSchemas(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(sources).map(([name, { title, schema }]) => {
      const { $schema, ...rest } = z.toJSONSchema(schema, { io: "input", target: "draft-07" });
      return [`${name}.schema.json`, { $schema, title, ...rest }];
    }),
  );
}

/** The text of a schema file. */
function schemaText(schema: object): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}

const folder = fileURLToPath(new URL("../schemas/domain/", import.meta.url));

/** Names of files in schemas/domain that differ from the schemas, are missing, or belong to none. */
export function driftedSchemas(): string[] {
  const schemas = domainSchemas();
  const present = existsSync(folder) ? readdirSync(folder) : [];
  const names = new Set([...Object.keys(schemas), ...present]);
  return [...names].filter((name) => {
    const schema = schemas[name];
    return !schema || !present.includes(name) || readFileSync(folder + name, "utf8") !== schemaText(schema);
  });
}

const root = fileURLToPath(new URL("../", import.meta.url));

/** The table wire's files by path, made from the limits, the schemas and the rules in the code. */
function tableFiles(): Record<string, string> {
  return {
    "schemas/agent-http.v1.json": schemaText(agentHttpSchema()),
    "docs/agent-rules.txt": agentInstructions(),
  };
}

/** Paths of the table wire's files that differ from the code or are missing. */
export function driftedTableFiles(): string[] {
  return Object.entries(tableFiles())
    .filter(([path, text]) => !existsSync(root + path) || readFileSync(root + path, "utf8") !== text)
    .map(([path]) => path);
}

function main(check: boolean): void {
  if (check) {
    const drifted = [...driftedSchemas().map((name) => `schemas/domain/${name}`), ...driftedTableFiles()];
    if (drifted.length === 0) return;
    console.error(`${drifted.join(", ")} differ from the code; run node scripts/make-schemas.ts`);
    process.exitCode = 1;
    return;
  }
  mkdirSync(folder, { recursive: true });
  for (const [name, schema] of Object.entries(domainSchemas()))
    writeFileSync(folder + name, schemaText(schema));
  for (const [path, text] of Object.entries(tableFiles())) writeFileSync(root + path, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.includes("--check"));
