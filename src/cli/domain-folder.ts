import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { CliError } from "./cli-error.ts";

/** What a domain can be made of; other files, such as an agent kept beside it, are not read. */
const textFiles = /\.(ya?ml|md|markdown|txt|jsonl|csv)$/i;

/** Folders that never belong to a domain. */
const otherFolders = /^(\.|node_modules$|greenroom-results$)/;

/** Most files a domain folder may hold; more means that the wrong folder was named. */
const maxFiles = 2_000;

/**
 * Reads the text files of a domain folder: path inside the folder, with `/`, to text. Throws `CliError` when the folder
 * does not exist, is no folder, or is too large to be a domain, naming it as `name`.
 */
export async function readDomainFolder(folder: string, name = folder): Promise<Record<string, string>> {
  const info = await stat(folder).catch(() => null);
  if (info === null) throw new CliError(`there is no folder ${name}`);
  if (!info.isDirectory()) throw new CliError(`${name} is a file; a domain is a folder`);
  const files: Record<string, string> = {};
  await readInto(files, folder, "");
  return files;
}

async function readInto(files: Record<string, string>, folder: string, prefix: string): Promise<void> {
  const entries = await readdir(path.join(folder, prefix), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const relative = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
    // A link is followed to a file, and not to a folder, where it could lead in circles.
    const isFile =
      entry.isFile() || (entry.isSymbolicLink() && (await leadsToFile(path.join(folder, relative))));
    if (entry.isDirectory() && !otherFolders.test(entry.name)) await readInto(files, folder, relative);
    else if (isFile && !entry.name.startsWith(".") && textFiles.test(entry.name)) {
      files[relative] = await readText(path.join(folder, relative), relative);
      if (Object.keys(files).length > maxFiles) {
        throw new CliError(`${folder} holds more than ${maxFiles} text files; is it a domain folder?`);
      }
    }
  }
}

async function leadsToFile(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null))?.isFile() ?? false;
}

async function readText(file: string, relative: string): Promise<string> {
  const bytes = await readFile(file);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CliError(`${relative} is not UTF-8 text`);
  }
}
