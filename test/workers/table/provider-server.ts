import { vi } from "vitest";

/** A request that left for a provider. */
export interface Outgoing {
  url: string;
  authorization: string | null;
  body: string;
  signal: AbortSignal | undefined;
}

/**
 * Stands in for every provider: `answer` gets each request that leaves, and gives what a model writes, or a whole
 * response. Lasts until the mocks are restored.
 */
export function provide(
  answer: (request: Outgoing) => string | Response | Promise<string | Response>,
): Outgoing[] {
  const seen: Outgoing[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input as RequestInfo, init as RequestInit);
    const outgoing: Outgoing = {
      url: request.url,
      authorization: request.headers.get("authorization"),
      body: new TextDecoder().decode(await request.arrayBuffer()),
      signal: init?.signal ?? undefined,
    };
    seen.push(outgoing);
    const answered = await answer(outgoing);
    return answered instanceof Response ? answered : chatCompletion(answered);
  });
  return seen;
}

/** What a model writes, as a stream of Chat Completions in pieces of seven characters. */
function chatCompletion(text: string): Response {
  const chunk = (delta: object, finish: string | null) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const pieces = text.match(/[\s\S]{1,7}/g) ?? [];
  const frames = [
    ...pieces.map((content) => chunk({ content }, null)),
    chunk({}, "stop"),
    "data: [DONE]\n\n",
  ];
  return new Response(frames.join(""), { headers: { "content-type": "text/event-stream" } });
}
