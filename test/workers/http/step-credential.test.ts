import { exports } from "cloudflare:workers";
import { expect, it } from "vitest";

function step(origin: string): Promise<Response> {
  return exports.default.fetch(`${origin}/step`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ session_id: "s", system: "", tools: [], message: "Hello" }),
  });
}

it("answers a runner of the step protocol, which sends no credential, on a loopback host", async () => {
  const response = await step("http://127.0.0.1:8787");
  expect(response.status).toBe(200);
  expect(await response.json()).toHaveProperty("reply");
});

it("refuses it elsewhere", async () => {
  expect((await step("https://greenroom.example.com")).status).toBe(503);
});
