import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { StepRequest } from "../../src/sandtable/trial/step-protocol.ts";

/** A step as it reached the agent. */
export interface SeenStep {
  at: number;
  request: StepRequest;
  headers: IncomingMessage["headers"];
}

/** How an agent answers: a JSON value to send with 200, or nothing when it has used `response` itself. */
export type Answer = (
  step: StepRequest,
  response: ServerResponse,
  request: IncomingMessage,
) => unknown | Promise<unknown>;

/** An agent over HTTP on a loopback port, keeping a log of every step it was sent. */
export class LiveAgent {
  readonly url: string;
  readonly log: SeenStep[] = [];
  readonly server: Server;

  private constructor(server: Server, url: string) {
    this.server = server;
    this.url = url;
  }

  static async start(
    answer: Answer,
    options: { host?: string; keepAliveTimeout?: number } = {},
  ): Promise<LiveAgent> {
    const { host = "127.0.0.1", keepAliveTimeout } = options;
    const server = createServer((request, response) => void serve(request, response));
    if (keepAliveTimeout !== undefined) {
      server.keepAliveTimeout = keepAliveTimeout;
      // Node waits this much longer than it says, so that a client's request may still arrive.
      (server as Server & { keepAliveTimeoutBuffer: number }).keepAliveTimeoutBuffer = 0;
    }
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    const { port } = server.address() as AddressInfo;
    const agent = new LiveAgent(server, `http://${host.includes(":") ? `[${host}]` : host}:${port}/step`);
    async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const step = JSON.parse(Buffer.concat(chunks).toString("utf8")) as StepRequest;
      agent.log.push({ at: Date.now(), request: step, headers: request.headers });
      const value = await answer(step, response, request);
      if (value === undefined || response.destroyed) return;
      response.writeHead(200, { "content-type": "application/json" });
      response.end(typeof value === "string" ? value : JSON.stringify(value));
    }
    return agent;
  }

  /** Steps that came more than once: what must never be. */
  repeated(): string[] {
    const counts = new Map<string, number>();
    for (const { request } of this.log) {
      const { session_id, message, tool_results } = request;
      const key = JSON.stringify([session_id, message, tool_results]);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return [...counts].flatMap(([key, count]) => (count > 1 ? [key] : []));
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }
}
