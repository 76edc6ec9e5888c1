import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import * as full from "zod/v4";
import * as slim from "../../../src/models/zod-v4/index.ts";

const { resolve } = createRequire(import.meta.url);

test.each(["anthropic", "google", "openai-compatible", "provider-utils"])(
  "%s finds in the Worker's zod whatever it uses",
  (name) => {
    const source = readFileSync(resolve(`@ai-sdk/${name}`), "utf8");
    const named = [...source.matchAll(/import \{([^}]*)\} from "zod\/v4"/g)].flatMap(([, names = ""]) =>
      names.split(",").map((one) => one.trim()),
    );
    expect(named.length).toBeGreaterThan(0);
    for (const one of named) expect(slim).toHaveProperty(one);
    const used = new Set([...source.matchAll(/(?<![\w.$])z\.(\w+)/g)].map(([, one = ""]) => one));
    for (const one of used) expect(Reflect.get(slim.z, one)).toBe(Reflect.get(full.z, one));
    expect(used.size > 0).toBe(named.includes("z"));
    // Nothing but the three names that are left out.
    expect(used).not.toContain("core");
    expect(used).not.toContain("locales");
    expect(source).not.toMatch(/from "zod(\/v3|\/v4-mini|\/mini)?"/);
  },
);
