import { HttpError } from "../../http/errors.ts";
import type { Json } from "../../turn/index.ts";
import { describeWorkflows } from "../../workflows/runtime/service.ts";
import type { InputIssue } from "../../workflows/runtime/types.ts";

/** 404 that names the workflows there are. */
export function unknownWorkflow(name: string): HttpError {
  const names = describeWorkflows().map((workflow) => workflow.name);
  const known = names.length === 0 ? "None is served here." : `There are: ${names.join(", ")}.`;
  return new HttpError("workflow_not_found", `There is no workflow ${JSON.stringify(name)}. ${known}`);
}

/** 400 with every place that does not fit. */
export function invalidInput(issues: InputIssue[]): HttpError {
  const [first] = issues;
  const place = first === undefined || first.path === "" ? "" : ` at ${first.path}`;
  const why = first === undefined ? "" : `: ${first.message}`;
  return new HttpError(
    "workflow_input_invalid",
    `The input does not fit the workflow's schema${place}${why}`,
    {
      details: { issues: issues.map(({ path, message }): Json => ({ path, message })) },
    },
  );
}

/** 404 for a run the caller has none of. */
export function unknownRun(runId: string): HttpError {
  return new HttpError("not_found", `There is no run ${JSON.stringify(runId)} of yours.`);
}
