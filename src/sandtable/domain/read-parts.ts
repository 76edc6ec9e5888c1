import { nearest } from "../text/nearest.ts";
import { describe } from "./check-shape.ts";
import { isMapping } from "./forms.ts";
import { inside, keysInOrder, offsetOf, type Place, type SourceDocument } from "./place.ts";
import type { ProblemList } from "./problem-list.ts";
import { readYaml } from "./read-yaml.ts";

const partNames = ["world", "tools", "rules", "callers", "tasks"] as const;
type PartName = (typeof partNames)[number];

/** One named thing of a part: a table, a tool, a rule, a caller or a task. */
export interface Thing {
  name: string;
  value: unknown;
  place: Place;
}

export interface Part {
  /** By name: PART.yaml in its order, then the files of the folder PART by name. */
  things: Map<string, Thing>;
  /** `false` when a file could not be read, so that a name not found here may still be right. */
  complete: boolean;
}

/** The files of a domain folder, read and sorted into parts. */
export interface Parts {
  domain: SourceDocument | null;
  policy: string;
  parts: Record<PartName, Part>;
  /** Every file by path, line ends as `\n`. */
  files: Map<string, string>;
}

/** YAML files of one folder. Each costs a parse, and a person reads the problems. */
const maxYamlFiles = 2000;

/**
 * Sorts the files of a folder into parts and reads them as YAML. Reports what is missing, what belongs nowhere,
 * and what is named twice. Files that are no YAML are left to those that refer to them.
 */
export function readParts(source: Readonly<Record<string, string>>, problems: ProblemList): Parts {
  const files = new Map(
    Object.entries(source)
      .map(([path, text]) => [path, text.replaceAll("\r\n", "\n")] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const yamlFiles = [...files.keys()].filter((path) => isYaml(path));
  if (yamlFiles.length > maxYamlFiles) {
    problems.inFile("domain.yaml", 1, 1, `${yamlFiles.length} YAML files; expected at most ${maxYamlFiles}`);
    yamlFiles.length = maxYamlFiles;
  }
  const parts = Object.fromEntries(partNames.map((name) => [name, emptyPart()])) as Record<PartName, Part>;
  let domain: SourceDocument | null = null;
  // PART.yaml comes before PART/NAME.yaml: a name given twice is wrong where it stands alone.
  for (const path of yamlFiles.sort((a, b) => depth(a) - depth(b))) {
    const role = roleOf(path);
    if (role === undefined) {
      reportStray(path, problems);
      continue;
    }
    const document = readYaml(path, files.get(path) ?? "", problems);
    if (role.kind === "domain") domain = document;
    else if (document === null) parts[role.part].complete = false;
    else if (role.kind === "part") addThings(parts[role.part], document, problems);
    else addThing(parts[role.part], role.name, document.value, { document, path: [] }, problems);
  }
  if (!files.has("domain.yaml")) {
    problems.inFile("domain.yaml", 1, 1, "the file is missing; expected name, description and clock");
  }
  const policy = files.get("policy.md") ?? "";
  if (policy.trim() === "") {
    problems.inFile(
      "policy.md",
      1,
      1,
      `the file is ${files.has("policy.md") ? "empty" : "missing"}; expected the rules the agent must keep`,
    );
  }
  return { domain, policy, parts, files };
}

function emptyPart(): Part {
  return { things: new Map(), complete: true };
}

type Role =
  | { kind: "domain" }
  | { kind: "part"; part: PartName }
  | { kind: "thing"; part: PartName; name: string };

function isYaml(path: string): boolean {
  return /\.ya?ml$/i.test(path) && !path.split("/").some((segment) => segment.startsWith("."));
}

function depth(path: string): number {
  return path.split("/").length;
}

function roleOf(path: string): Role | undefined {
  if (path === "domain.yaml") return { kind: "domain" };
  const [first = "", second, ...rest] = path.replace(/\.yaml$/, "").split("/");
  const part = partNames.find((name) => name === first);
  if (part === undefined || !path.endsWith(".yaml") || rest.length > 0) return undefined;
  return second === undefined ? { kind: "part", part } : { kind: "thing", part, name: second };
}

function reportStray(path: string, problems: ProblemList): void {
  const known = ["domain", ...partNames].map((name) => `${name}.yaml`);
  const folder = partNames.find((name) => path.startsWith(`${name}/`));
  if (!path.endsWith(".yaml")) {
    problems.inFile(path, 1, 1, "unknown file; expected the ending .yaml", path.replace(/\.[^.]*$/, ".yaml"));
  } else if (folder !== undefined) {
    problems.inFile(path, 1, 1, `unknown file; expected ${folder}/NAME.yaml, not a folder inside ${folder}`);
  } else {
    const message = `unknown file; expected one of ${known.join(", ")}, or a file in ${partNames.join("/, ")}/`;
    problems.inFile(path, 1, 1, message, nearest(path, known));
  }
}

function addThings(part: Part, document: SourceDocument, problems: ProblemList): void {
  const whole: Place = { document, path: [] };
  if (document.value === null) return;
  if (!isMapping(document.value)) {
    problems.at(whole, `expected a mapping of name to thing, not ${describe(document.value)}`);
    part.complete = false;
    return;
  }
  for (const name of keysInOrder(whole))
    addThing(part, name, document.value[name], inside(whole, name), problems);
}

function addThing(part: Part, name: string, value: unknown, place: Place, problems: ProblemList): void {
  if (name === "__proto__") return;
  const earlier = part.things.get(name);
  if (earlier === undefined) {
    part.things.set(name, { name, value, place });
    return;
  }
  const { document } = earlier.place;
  const { line } = document.lines.linePos(offsetOf(earlier.place, "key"));
  problems.atKey(place, `"${name}" is already in ${document.file}, line ${Math.max(line, 1)}`);
}
