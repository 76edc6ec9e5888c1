import { HttpError } from "../../http/errors.ts";
import type { Route } from "../../http/route.ts";
import { renderReport } from "../../sandtable/report/html.ts";
import type { TrialResult } from "../../sandtable/report/results.ts";
import { trialBodies } from "../../store/rehearsals.ts";
import { rehearsalOf } from "./find.ts";

/** A page is made in memory, and an isolate has 128 MB. */
const maxReportCharacters = 16_000_000;

export const getReport: Route = {
  access: "credential",
  summary: "Fetch the HTML report.",
  capability: "rehearsals.report",
  responses: { 200: { description: "A self-contained page.", contentType: "text/html" } },
  async handle(context) {
    const { row, object } = await rehearsalOf(context);
    const head = row.head ?? (await object.head());
    const trials: TrialResult[] = [];
    let length = 0;
    for await (const body of trialBodies(context.env.DB, row.runId)) {
      length += body.length;
      if (length > maxReportCharacters) {
        throw new HttpError(
          "invalid_request",
          "This rehearsal is too large for a page made here. Fetch its results.json and run: greenroom report results.json",
        );
      }
      trials.push(JSON.parse(body) as TrialResult);
    }
    return new Response(renderReport({ ...head, trials }), {
      headers: { "content-type": "text/html; charset=utf-8" },
    });
  },
};
