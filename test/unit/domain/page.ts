import { readFileSync } from "node:fs";

/** docs/domain-format.md */
export const page = readFileSync(new URL("../../../docs/domain-format.md", import.meta.url), "utf8");

/** The page's blocks as files: a YAML block names its file in its first line, others behind the fence's language. */
export function filesOfPage(): Record<string, string> {
  const files: Record<string, string> = {};
  for (const [, info = "", body = ""] of page.matchAll(/^```(\S[^\n]*)\n(.*?)^```$/gms)) {
    const [language, named] = info.split(" ");
    if (language === "text") continue;
    const path = language === "yaml" ? /^# (\S+\.yaml)\n/.exec(body)?.[1] : named;
    if (path === undefined) throw new Error(`a block names no file: ${body.slice(0, 60)}`);
    files[path] = (files[path] ?? "") + body;
  }
  return files;
}
