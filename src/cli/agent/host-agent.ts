import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { StepAgent } from "../../sandtable/http-agent.ts";
import type { StepRequest } from "../../sandtable/trial/step-protocol.ts";
import { messageOf } from "../cli-error.ts";

export interface HostedAgent {
  url: string;
  close(): Promise<void>;
}

/**
 * Puts an agent that is a function behind `POST /step` on a free loopback port, or on `port`. What the function throws
 * becomes a 500 with its message, so that the rehearsal shows it as the agent's failure. The path is a secret of this
 * run: no other program on the machine can talk to the agent by guessing the port.
 */
export async function hostAgent(run: StepAgent, secret: string, port = 0): Promise<HostedAgent> {
  const path = `/${secret}/step`;
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    if (request.method !== "POST" || request.url !== path) {
      request.resume();
      return answer(404, { error: "not found" });
    }
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const step = JSON.parse(Buffer.concat(chunks).toString("utf8")) as StepRequest;
      answer(200, (await run(step)) ?? {});
    } catch (error) {
      answer(500, { error: messageOf(error) });
    }
  });
  // A step may take as long as the agent likes.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${bound}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
