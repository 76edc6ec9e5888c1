import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { readDomainFolder } from "../domain-folder.ts";
import { packageRoot } from "../package-root.ts";
import { exitCodes } from "../run/exit-code.ts";
import { plain } from "../terminal/terminal.ts";
import { typedAs } from "../typed-as.ts";

/** How the starter's files name the schemas, which lie in the package; a copy names them from where it lies. */
const schemaComment = /(\$schema=)(?:\.\.\/)+(schemas\/domain\/\S+)/;

/**
 * `greenroom init`: writes the starter domain into a folder, which it makes, and says what to do next. Throws `CliError`
 * when something is there already; then nothing is written.
 */
export async function initCommand(folder: string, { cwd, env, out }: CommandContext): Promise<number> {
  const target = path.resolve(cwd, folder);
  await checkEmpty(target, folder);
  const files = await readDomainFolder(path.join(packageRoot, "examples/starter"));
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(target, name);
    await mkdir(path.dirname(file), { recursive: true });
    const root = path.relative(path.dirname(file), packageRoot).split(path.sep).join("/");
    await writeFile(file, text.replace(schemaComment, `$1${root}/$2`), { flag: "wx" });
  }
  const shown = plain(folder);
  out.line(`${out.tone("good", "✓")} ${shown} holds a small domain that works: change it file by file`);
  out.line();
  for (const command of [
    `validate ${shown}`,
    `lint ${shown}`,
    `run ${shown} --agent http://127.0.0.1:8790/step`,
  ])
    out.line(`  ${out.tone("accent", `${typedAs(env)} ${command}`)}`);
  return exitCodes.held;
}

async function checkEmpty(target: string, name: string): Promise<void> {
  const info = await stat(target).catch(() => null);
  if (info === null) return;
  if (!info.isDirectory()) throw new CliError(`${name} is a file; name a folder that is new or empty`);
  if ((await readdir(target)).length > 0)
    throw new CliError(`${name} is not empty; name a folder that is new or empty`);
}
