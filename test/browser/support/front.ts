import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { selfSigned } from "./self-signed.ts";

export interface FrontOptions {
  /** Serves https under this name, with a certificate nobody signed. */
  https?: string;
  /** True for a request whose reply begins and then says nothing: the client waits until it gives up. */
  silences?: (path: string) => boolean;
}

/** What stands before the Worker in the world: another origin, https, and connections that go silent. */
export class Front {
  readonly origin: string;
  /** Path of each request, with the `Last-Event-ID` it came with. */
  readonly log: { path: string; lastEventId: string | undefined }[] = [];
  private readonly server: Server;

  private constructor(server: Server, origin: string) {
    this.server = server;
    this.origin = origin;
  }

  static async start(target: string, options: FrontOptions = {}): Promise<Front> {
    const { https, silences = () => false } = options;
    let front: Front | null = null;
    const listener: RequestListener = (incoming, outgoing) => {
      const path = incoming.url ?? "/";
      front?.log.push({ path, lastEventId: incoming.headers["last-event-id"]?.toString() });
      if (silences(path)) {
        outgoing.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
        return;
      }
      forward(target, incoming, outgoing);
    };
    const server =
      https === undefined ? createServer(listener) : createSecureServer(selfSigned(https), listener);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    front = new Front(server, https === undefined ? `http://127.0.0.1:${port}` : `https://${https}:${port}`);
    return front;
  }

  /** Breaks every connection there is; new ones are taken. */
  cut(): void {
    this.server.closeAllConnections();
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }
}

/** Hands a request on as it is, the host it was for included. */
function forward(target: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { hostname, port } = new URL(target);
  const onward = request(
    { hostname, port, path: incoming.url, method: incoming.method, headers: incoming.headers },
    (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
      outgoing.on("close", () => reply.destroy());
    },
  );
  onward.on("error", () => outgoing.destroy());
  incoming.pipe(onward);
}
