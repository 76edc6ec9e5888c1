import { WorkflowEntrypoint } from "cloudflare:workers";

/*
 * The engine as it is: a Worker with one workflow that does what the bench's workflow does, two steps and a wait for an
 * event between them, and nothing else.
 */
export class Bare extends WorkflowEntrypoint {
  async run({ payload: { id, url } }, step) {
    await step.do("first", () => tell(url, id, "first"));
    await step.waitForEvent("wait", { type: "decision", timeout: "1 hour" });
    await step.do("resumed", () => tell(url, id, "resumed"));
  }
}

async function tell(url, id, what) {
  const response = await fetch(`${url}/${id}/${what}`, { method: "POST" });
  await response.text();
  return { what };
}

export default {
  async fetch(request, env) {
    const { id, url, decision } = await request.json();
    if (decision === undefined) await env.WORKFLOWS.create({ id, params: { id, url } });
    else await (await env.WORKFLOWS.get(id)).sendEvent({ type: "decision", payload: decision });
    return Response.json({ id });
  },
};
