import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { readDomain } from "../../../src/cli/run/prepare-run.ts";

test("a folder of domains is told apart from a domain", async () => {
  const cwd = mkdtempSync(path.join(tmpdir(), "greenroom-prepare-"));
  for (const name of ["a", "b"]) {
    mkdirSync(path.join(cwd, "domains", name), { recursive: true });
    writeFileSync(path.join(cwd, "domains", name, "domain.yaml"), "name: x\n");
  }
  await expect(readDomain("domains", cwd)).rejects.toThrow(
    "there is no domain.yaml in domains; did you mean domains/a or domains/b?",
  );
  await expect(readDomain("domains/a", cwd)).rejects.toThrow("the domain has 3 problems");
});
