import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAst } from "vite";
import { type CompiledWorkflow, compileWorkflow } from "../src/workflows/transform/compile-workflow.ts";
import { type Problem, printProblem } from "../src/workflows/transform/problem.ts";
import { registryModule } from "../src/workflows/transform/registry-module.ts";
import { isNode, type SyntaxNode } from "../src/workflows/transform/syntax.ts";

/**
 * Compiles src/workflows/*.workflow.ts to src/workflows/compiled/ and writes src/workflows/registry.ts, the module
 * through which the Worker carries them. With `--check` it writes nothing and fails when they are not what the files
 * say. What cannot work in a workflow ends it, with the file and the line; under `wrangler dev` the modules stay as they
 * were instead.
 */
const folder = fileURLToPath(new URL("../src/workflows", import.meta.url));
const compiledFolder = join(folder, "compiled");

function parse(source: string): SyntaxNode {
  const program: unknown = parseAst(source, { lang: "ts" });
  if (!isNode(program)) throw new Error("the parser made no program");
  return program;
}

/** A name that two files would give to the same thing. */
function twins(workflows: CompiledWorkflow[]): Problem[] {
  return workflows.flatMap(({ name, functionName }, at) => {
    const other = workflows.slice(0, at).find((one) => one.functionName === functionName);
    if (other === undefined) return [];
    const message = `the name ${functionName} is used twice; ${other.name}.workflow.ts has it already`;
    return [{ file: `src/workflows/${name}.workflow.ts`, line: 1, column: 1, message }];
  });
}

const problems: Problem[] = [];
const workflows: CompiledWorkflow[] = [];
for (const file of readdirSync(folder).sort()) {
  if (!file.endsWith(".workflow.ts")) continue;
  const compiled = compileWorkflow(`src/workflows/${file}`, readFileSync(join(folder, file), "utf8"), parse);
  if (compiled.ok) workflows.push(compiled.workflow);
  else problems.push(...compiled.problems);
}
problems.push(...twins(workflows));

const files = new Map<string, string>([[join(folder, "registry.ts"), registryModule(workflows)]]);
for (const { name, code } of workflows) files.set(join(compiledFolder, `${name}.ts`), code);
const changed = [...files].filter(
  ([target, text]) => !existsSync(target) || readFileSync(target, "utf8") !== text,
);
const left = existsSync(compiledFolder)
  ? readdirSync(compiledFolder).filter((file) => !files.has(join(compiledFolder, file)))
  : [];

if (problems.length > 0) {
  for (const problem of problems) console.error(printProblem(problem));
  // A development server that is told of a failed build answers nothing until the next one.
  if (process.env.WRANGLER_COMMAND === "dev" && existsSync(join(folder, "registry.ts")))
    console.error("Until that is mended, workflows run as they were.");
  else process.exitCode = 1;
} else if (process.argv.includes("--check")) {
  if (changed.length + left.length > 0) {
    console.error("src/workflows/compiled/ is not what src/workflows/ says. Run: npm run generate");
    process.exitCode = 1;
  }
} else {
  mkdirSync(compiledFolder, { recursive: true });
  for (const file of left) rmSync(join(compiledFolder, file));
  // Only then: it lies in a folder that the development server watches.
  for (const [target, text] of changed) writeFileSync(target, text);
}
