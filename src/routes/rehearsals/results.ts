import type { Route } from "../../http/route.ts";
import { type ResultsHead, trialBodies } from "../../store/rehearsals.ts";
import { rehearsalOf } from "./find.ts";

export const getResults: Route = {
  access: "credential",
  summary: "Fetch results.json.",
  description: "While the rehearsal runs: what has finished so far.",
  capability: "rehearsals.results",
  responses: { 200: { description: "results.json.", contentType: "application/json" } },
  async handle(context) {
    const { row, object } = await rehearsalOf(context);
    const head = row.head ?? (await object.head());
    return new Response(resultsStream(head, trialBodies(context.env.DB, row.runId)), {
      headers: { "content-type": "application/json" },
    });
  },
};

/** results.json, trial by trial as the client takes it, so that a long run is never held whole. */
function resultsStream(head: ResultsHead, trials: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  async function* pieces(): AsyncIterable<Uint8Array> {
    yield encoder.encode(`${JSON.stringify(head).slice(0, -1)},"trials":[`);
    let first = true;
    for await (const trial of trials) {
      yield encoder.encode(first ? `\n${trial}` : `,\n${trial}`);
      first = false;
    }
    yield encoder.encode("\n]}\n");
  }
  const iterator = pieces()[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}
