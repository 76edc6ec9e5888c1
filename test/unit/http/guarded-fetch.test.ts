import { describe, expect, it, vi } from "vitest";
import { type Fetch, guardedFetch, OutboundError } from "../../../src/http/guarded-fetch.ts";

const deployed = { loopbackAllowed: false, allowedHosts: [] };
const local = { loopbackAllowed: true, allowedHosts: [] };
const step = {
  method: "POST",
  headers: { "content-type": "application/json", authorization: "Bearer a", "x-agent": "s" },
  body: "{}",
};

describe("guardedFetch", () => {
  it("returns status, headers and text", async () => {
    const network = vi.fn<Fetch>(
      async () => new Response('{"reply":"hi"}', { status: 201, headers: { "x-a": "b" } }),
    );
    const reply = await guardedFetch(network, "https://agent.example.com/step", step, deployed);
    expect(reply).toMatchObject({ status: 201, text: '{"reply":"hi"}', truncated: false });
    expect(reply.headers.get("x-a")).toBe("b");
    expect(network).toHaveBeenCalledExactlyOnceWith(
      "https://agent.example.com/step",
      expect.objectContaining({ method: "POST", headers: step.headers, body: "{}", redirect: "manual" }),
    );
  });

  it("sends nothing to a refused address", async () => {
    const network = vi.fn<Fetch>();
    await expect(guardedFetch(network, "https://10.0.0.1/a?b=c", step, deployed)).rejects.toMatchObject({
      name: "OutboundError",
      kind: "refused",
      message: "https://10.0.0.1/a is a private or reserved address.",
    });
    expect(network).not.toHaveBeenCalled();
  });

  it("shows no credential of a refused address", async () => {
    const failure = guardedFetch(
      vi.fn<Fetch>(),
      "https://user:canary@example.com/?key=canary",
      step,
      deployed,
    );
    await expect(failure).rejects.toSatisfy((error: Error) => !error.message.includes("canary"));
  });

  it.each([307, 308])("follows a %s with the same method and body", async (status) => {
    const network = script({
      "https://a.example/step": redirect(status, "/v2/step"),
      "https://a.example/v2/step": ok("done"),
    });
    const reply = await guardedFetch(network, "https://a.example/step", step, deployed);
    expect(reply.text).toBe("done");
    expect(network).toHaveBeenLastCalledWith(
      "https://a.example/v2/step",
      expect.objectContaining({ method: "POST", body: "{}", headers: step.headers }),
    );
  });

  it("drops what may be a credential once the origin changes, and does not pick it up again", async () => {
    const network = script({
      "https://a.example/step": redirect(307, "https://b.example/step"),
      "https://b.example/step": redirect(307, "https://a.example/back"),
      "https://a.example/back": ok("done"),
    });
    await guardedFetch(network, "https://a.example/step", step, deployed);
    expect(network.mock.calls.map(([, init]) => init.headers)).toEqual([
      step.headers,
      { "content-type": "application/json" },
      { "content-type": "application/json" },
    ]);
  });

  it("takes another port or scheme for another origin", async () => {
    const network = script({
      "https://a.example/step": redirect(308, "https://a.example:8443/step"),
      "https://a.example:8443/step": ok("done"),
    });
    await guardedFetch(network, "https://a.example/step", step, deployed);
    expect(network.mock.calls[1]?.[1].headers).toEqual({ "content-type": "application/json" });
  });

  it.each([
    [
      "https://169.254.169.254/",
      "https://a.example/step redirects to https://169.254.169.254/, which is a private or reserved address.",
    ],
    [
      "http://a.example/step",
      "https://a.example/step redirects to http://a.example/step, which is not an https address.",
    ],
    [
      "//localhost/x",
      "https://a.example/step redirects to https://localhost/x, which is a loopback address, which a deployed Worker does not call.",
    ],
    [
      "file:///etc/passwd",
      "https://a.example/step redirects to file:///etc/passwd, which is not an https address.",
    ],
    ["https://", 'https://a.example/step redirects to "https://", which is not an absolute URL.'],
  ])("judges the redirect to %s anew", async (location, message) => {
    const network = script({ "https://a.example/step": redirect(307, location) });
    await expect(guardedFetch(network, "https://a.example/step", step, deployed)).rejects.toMatchObject({
      kind: "refused",
      message,
    });
    expect(network).toHaveBeenCalledOnce();
  });

  it("is not led from the network to loopback, even where loopback is allowed", async () => {
    const network = script({
      "https://a.example/step": redirect(307, "http://127.0.0.1:8787/api/rehearsals"),
    });
    await expect(guardedFetch(network, "https://a.example/step", step, local)).rejects.toMatchObject({
      kind: "refused",
    });
    expect(network).toHaveBeenCalledOnce();
  });

  it("follows from loopback to loopback where it is allowed", async () => {
    const network = script({
      "http://localhost:3000/step": redirect(307, "/step/"),
      "http://localhost:3000/step/": ok("done"),
    });
    expect((await guardedFetch(network, "http://localhost:3000/step", step, local)).text).toBe("done");
  });

  it("follows three redirects and no fourth", async () => {
    const hop = (n: number) => ({ [`https://a.example/${n}`]: redirect(307, `/${n + 1}`) });
    const three = script({ ...hop(0), ...hop(1), ...hop(2), "https://a.example/3": ok("done") });
    expect((await guardedFetch(three, "https://a.example/0", step, deployed)).text).toBe("done");
    const four = script({ ...hop(0), ...hop(1), ...hop(2), ...hop(3) });
    await expect(guardedFetch(four, "https://a.example/0", step, deployed)).rejects.toMatchObject({
      kind: "refused",
      message: "https://a.example/0 redirects more than 3 times.",
    });
    expect(four).toHaveBeenCalledTimes(4);
  });

  it.each([301, 302, 303, 304])("returns a %s as it is", async (status) => {
    const network = vi.fn<Fetch>(
      async () => new Response(null, { status, headers: { location: "https://b.example/" } }),
    );
    expect((await guardedFetch(network, "https://a.example/step", step, deployed)).status).toBe(status);
    expect(network).toHaveBeenCalledOnce();
  });

  it("returns a 307 without a location as it is", async () => {
    const network = vi.fn<Fetch>(async () => new Response("where?", { status: 307 }));
    expect(await guardedFetch(network, "https://a.example/step", step, deployed)).toMatchObject({
      status: 307,
      text: "where?",
    });
  });

  it("cancels the body of a redirect", async () => {
    const cancelled = vi.fn();
    const body = new ReadableStream<Uint8Array>({ cancel: cancelled });
    const network = script({
      "https://a.example/step": () => new Response(body, { status: 307, headers: { location: "/b" } }),
      "https://a.example/b": ok("done"),
    });
    await guardedFetch(network, "https://a.example/step", step, deployed);
    expect(cancelled).toHaveBeenCalledOnce();
  });

  it("cuts a reply at the limit, says so, and cancels the rest", async () => {
    const cancelled = vi.fn();
    const endless = () =>
      new Response(
        new ReadableStream<Uint8Array>({
          pull: (controller) => controller.enqueue(new TextEncoder().encode("żżżż")),
          cancel: cancelled,
        }),
      );
    const reply = await guardedFetch(async () => endless(), "https://a.example/", step, deployed, {
      maxBytes: 13,
    });
    // The seventh character is cut in half by the limit.
    expect(reply).toMatchObject({ text: "żżżżżż", truncated: true });
    expect(cancelled).toHaveBeenCalledOnce();
  });

  it("keeps a reply of exactly the limit whole", async () => {
    const reply = await guardedFetch(
      async () => new Response("12345"),
      "https://a.example/",
      step,
      deployed,
      { maxBytes: 5 },
    );
    expect(reply).toMatchObject({ text: "12345", truncated: false });
  });

  it("keeps 1 MiB by default", async () => {
    const reply = await guardedFetch(
      async () => new Response("x".repeat(1_048_577)),
      "https://a.example/",
      step,
      deployed,
    );
    expect(reply.text).toHaveLength(1_048_576);
    expect(reply.truncated).toBe(true);
  });

  it("says why a request failed", async () => {
    const refused = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
    const network: Fetch = async () => {
      throw new TypeError("fetch failed", { cause: refused });
    };
    await expect(
      guardedFetch(network, "http://127.0.0.1:3000/step?key=k", step, local),
    ).rejects.toMatchObject({
      kind: "unreachable",
      message: "http://127.0.0.1:3000/step could not be reached: fetch failed (ECONNREFUSED)",
    });
  });

  it("says of a reply that breaks off how it began", async () => {
    let pulls = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulls += 1;
        if (pulls === 1) controller.enqueue(new TextEncoder().encode('{"reply":'));
        else controller.error(new Error("Network connection lost."));
      },
    });
    await expect(
      guardedFetch(async () => new Response(body, { status: 202 }), "https://a.example/", step, deployed),
    ).rejects.toMatchObject({
      kind: "broken_off",
      status: 202,
      message: "https://a.example/ answered HTTP 202 and then broke off: Network connection lost.",
    });
  });

  it("gives up after the time it is given, while waiting and while reading", async () => {
    const silent: Fetch = (_, { signal }) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const failure = { kind: "timeout", message: "https://a.example/ did not answer within 20 ms." };
    await expect(
      guardedFetch(silent, "https://a.example/", step, deployed, { timeoutMs: 20 }),
    ).rejects.toMatchObject(failure);
    const half: Fetch = async (_, { signal }) =>
      new Response(
        new ReadableStream({
          start: (controller) => signal.addEventListener("abort", () => controller.error(signal.reason)),
        }),
      );
    await expect(
      guardedFetch(half, "https://a.example/", step, deployed, { timeoutMs: 20 }),
    ).rejects.toMatchObject(failure);
  });

  it("sets no timer unless asked", async () => {
    const timer = vi.spyOn(globalThis, "setTimeout");
    await guardedFetch(async () => new Response("x"), "https://a.example/", step, deployed);
    expect(timer).not.toHaveBeenCalled();
    timer.mockRestore();
  });

  it("gives up when the caller does", async () => {
    const caller = new AbortController();
    const silent: Fetch = (_, { signal }) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const failure = guardedFetch(silent, "https://a.example/", { ...step, signal: caller.signal }, deployed);
    caller.abort();
    await expect(failure).rejects.toSatisfy(
      (error) => error instanceof OutboundError && error.kind === "aborted",
    );
  });
});

function ok(text: string): () => Response {
  return () => new Response(text);
}

function redirect(status: number, location: string): () => Response {
  return () => new Response("moved", { status, headers: { location } });
}

/** A network that knows these addresses and no other. */
function script(replies: { [url: string]: () => Response }) {
  return vi.fn<Fetch>(async (url) => {
    const reply = replies[url];
    if (reply === undefined) throw new Error(`nobody answers at ${url}`);
    return reply();
  });
}
