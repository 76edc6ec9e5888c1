import { HttpError } from "../../http/errors.ts";
import { bundledDomains } from "../../sandtable/bundled.ts";
import { loadDomain } from "../../sandtable/domain/load.ts";
import type { Domain } from "../../sandtable/domain/types.ts";
import type { StartRequest } from "../../sandtable/rehearsal/start-request.ts";

/** Most problems of a domain one reply lists. */
const shownProblems = 200;

/** The compiled domain a request brings or names. Throws 422 with every problem in it, 404 for an unknown name. */
export function domainOf(asked: StartRequest["domain"]): Domain {
  const loaded = loadDomain("files" in asked ? asked.files : bundledFiles(asked.name));
  if (loaded.ok) return loaded.domain;
  const { problems } = loaded;
  const first = problems[0];
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
  const message =
    first === undefined
      ? "The domain cannot be used."
      : `${first.file}:${first.line}: ${first.message}${more}`;
  throw new HttpError("invalid_domain", message, {
    details: { problems: problems.slice(0, shownProblems).map((p) => ({ ...p })) },
  });
}

function bundledFiles(name: string): Record<string, string> {
  const bundled = bundledDomains.find((domain) => domain.name === name);
  if (bundled !== undefined) return bundled.files;
  const names = bundledDomains.map((domain) => domain.name).join(", ");
  throw new HttpError("not_found", `There is no bundled domain "${name}"; there is ${names}.`);
}
