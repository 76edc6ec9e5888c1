import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/** What `randomBytes(24)` comes to in base64url. */
const whole = /^[\w-]{32}$/;

/**
 * The credential of a state folder that exists: made at random the first time, readable by its owner only, and the
 * same from then on, since what the folder holds belongs to it. The file appears whole; one that is not (cut off with
 * its writer, or emptied) is replaced. For the holder of the folder's lock, so that two do not make one each.
 */
export function stateToken(stateDir: string): string {
  const file = path.join(stateDir, "token");
  const known = read(file);
  if (known !== null && whole.test(known)) return known;
  const token = randomBytes(24).toString("base64url");
  const next = `${file}.next`;
  // One left by a killed writer would keep its rights.
  rmSync(next, { force: true });
  writeFileSync(next, token, { mode: 0o600 });
  renameSync(next, file);
  return token;
}

function read(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
