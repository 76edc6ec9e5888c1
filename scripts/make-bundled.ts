import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Writes the module through which the Worker carries the domains under examples/: one text import a file. With
 * `--check` it writes nothing and fails when the module is not what the folders say.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const target = join(root, "src/sandtable/bundled.ts");

function filesUnder(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? filesUnder(path) : [path];
    });
}

function bundledModule(): string {
  const imports: string[] = [];
  const domains: string[] = [];
  for (const name of readdirSync(join(root, "examples")).sort()) {
    const folder = join(root, "examples", name);
    if (!statSync(folder).isDirectory()) continue;
    const files = filesUnder(folder).map((path) => relative(folder, path));
    if (!files.includes("domain.yaml")) continue;
    const entries = files.map((file) => {
      const id = `f${imports.length}`;
      imports.push(`import ${id} from "../../examples/${name}/${file}";`);
      return `      ${JSON.stringify(file)}: ${id},`;
    });
    domains.push(
      `  {\n    name: ${JSON.stringify(name)},\n    files: {\n${entries.join("\n")}\n    },\n  },`,
    );
  }
  return `// Written by scripts/make-bundled.ts; run \`npm run generate\` after adding a file to a domain under examples/.
${imports.join("\n")}

/** Domains that ship with the Worker, as the text of their files. */
export const bundledDomains: { name: string; files: Record<string, string> }[] = [
${domains.join("\n")}
];
`;
}

const made = bundledModule();
if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== made) {
    console.error("src/sandtable/bundled.ts is not what examples/ says. Run: npm run generate");
    process.exitCode = 1;
  }
} else if (!existsSync(target) || readFileSync(target, "utf8") !== made) {
  // Only a change is written: a watching build would start again at every write.
  writeFileSync(target, made);
}
