import { readFile } from "node:fs/promises";
import path from "node:path";
import { readResults } from "../../sandtable/report/read-results.ts";
import { CliError, messageOf } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { printFiles } from "../print/print-results.ts";
import { exitCodes } from "../run/exit-code.ts";
import { checkOutFolder, writeOutputs } from "../run/outputs.ts";

/**
 * `greenroom report`: renders the report, JUnit and Markdown of a results.json again, beside it or into `--out`. Throws
 * `CliError` when the file is not one.
 */
export async function reportCommand(
  file: string,
  flags: { out?: string },
  { cwd, out }: CommandContext,
): Promise<number> {
  const source = path.resolve(cwd, file);
  const text = await readFile(source, "utf8").catch((error: unknown) => {
    throw new CliError(`${file} cannot be read: ${messageOf(error)}`);
  });
  const read = readResults(text);
  if (!read.ok) throw new CliError(`${file}: ${read.message}`);
  const folder = flags.out === undefined ? path.dirname(source) : path.resolve(cwd, flags.out);
  await checkOutFolder(folder);
  printFiles(await writeOutputs(folder, read.results, text), out);
  return exitCodes.held;
}
