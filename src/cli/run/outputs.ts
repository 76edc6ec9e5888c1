import { randomUUID } from "node:crypto";
import { appendFile, mkdir, mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { renderReport } from "../../sandtable/report/html.ts";
import { renderJunit } from "../../sandtable/report/junit.ts";
import { renderMarkdown } from "../../sandtable/report/markdown.ts";
import type { Results } from "../../sandtable/report/results.ts";
import { CliError, messageOf } from "../cli-error.ts";

export interface OutputFiles {
  results: string;
  report: string;
  junit: string;
  summary: string;
}

/** Where the files of a rehearsal go in `folder`. */
function outputFiles(folder: string): OutputFiles {
  return {
    results: path.join(folder, "results.json"),
    report: path.join(folder, "report.html"),
    junit: path.join(folder, "junit.xml"),
    summary: path.join(folder, "summary.md"),
  };
}

/**
 * Checks, before anything is rehearsed, that results can be written to `folder` later; makes nothing there. Throws
 * `CliError` when the place is a file or cannot be written.
 */
export async function checkOutFolder(folder: string): Promise<void> {
  let place = path.resolve(folder);
  for (;;) {
    const info = await stat(place).catch(() => null);
    if (info === null) {
      place = path.dirname(place);
      continue;
    }
    if (!info.isDirectory()) throw new CliError(`--out ${folder}: ${place} is a file, not a folder`);
    try {
      await rm(await mkdtemp(path.join(place, ".greenroom-probe-")), { recursive: true });
    } catch (error) {
      throw new CliError(`--out ${folder}: cannot write there (${messageOf(error)})`);
    }
    return;
  }
}

/**
 * Writes all files of a rehearsal. Each appears whole under its name or not at all, and a folder that did not exist
 * appears with all of them. `text` is results.json as the endpoint gave it. Throws `CliError` when it cannot.
 */
export async function writeOutputs(folder: string, results: Results, text: string): Promise<OutputFiles> {
  const contents: Record<keyof OutputFiles, string> = {
    results: text,
    report: renderReport(results),
    junit: renderJunit(results),
    summary: renderMarkdown(results),
  };
  const target = path.resolve(folder);
  try {
    await mkdir(path.dirname(target), { recursive: true });
    // Not mkdtemp, whose folders only their owner can read.
    const work = path.join(path.dirname(target), `.greenroom-writing-${randomUUID()}`);
    await mkdir(work);
    try {
      const names = Object.keys(contents) as (keyof OutputFiles)[];
      const written = outputFiles(work);
      for (const name of names) await writeFile(written[name], contents[name]);
      const exists = (await stat(target).catch(() => null)) !== null;
      if (!exists) await rename(work, target);
      else for (const name of names) await rename(written[name], outputFiles(target)[name]);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  } catch (error) {
    throw new CliError(`the results could not be written to ${folder}: ${messageOf(error)}`);
  }
  return outputFiles(folder);
}

/** Adds the Markdown summary to the page of a GitHub Actions job, when there is one. */
export async function writeStepSummary(results: Results, env: NodeJS.ProcessEnv): Promise<void> {
  const file = env.GITHUB_STEP_SUMMARY;
  if (file === undefined || file === "") return;
  try {
    await appendFile(file, renderMarkdown(results));
  } catch (error) {
    throw new CliError(`the summary could not be added to GITHUB_STEP_SUMMARY: ${messageOf(error)}`);
  }
}
