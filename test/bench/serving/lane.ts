import { connect, type Socket } from "node:net";

export interface LaneRequest {
  path: string;
  headers: { [name: string]: string };
  body: string;
}

export interface LaneReply {
  status: number;
  body: string;
}

/**
 * One connection that carries one request after another. Its own few lines of HTTP, because a client that reads it all
 * costs as much as what is measured. Takes replies with `content-length` or in chunks.
 */
export class Lane {
  private readonly socket: Socket;
  private readonly host: string;
  private pending: { resolve(reply: LaneReply): void; reject(error: Error): void } | null = null;
  private readonly received: Buffer[] = [];
  private lost: Error | null = null;

  private constructor(socket: Socket, host: string) {
    this.socket = socket;
    this.host = host;
    socket.setNoDelay(true);
    socket.on("data", (bytes) => this.take(bytes));
    socket.on("error", (error) => this.fail(error));
    socket.on("close", () => this.fail(new Error("the connection was closed")));
  }

  static open(origin: string): Promise<Lane> {
    const { hostname, port, host } = new URL(origin);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => resolve(new Lane(socket, host)));
      socket.once("error", reject);
    });
  }

  post({ path, headers, body }: LaneRequest): Promise<LaneReply> {
    if (this.lost !== null) return Promise.reject(this.lost);
    const lines = Object.entries({
      host: this.host,
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    this.socket.write(`POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
    return new Promise((resolve, reject) => {
      this.pending = { resolve, reject };
    });
  }

  close(): void {
    this.pending = null;
    this.socket.destroy();
  }

  private take(bytes: Buffer): void {
    this.received.push(bytes);
    // Only what ends a reply makes it worth reading it; any other end is found when the next bytes come.
    const all = this.received.length === 1 ? bytes : Buffer.concat(this.received);
    const reply = readReply(all);
    if (reply === null) return;
    this.received.length = 0;
    const { pending } = this;
    this.pending = null;
    pending?.resolve(reply);
  }

  private fail(error: Error): void {
    this.lost ??= error;
    this.pending?.reject(error);
    this.pending = null;
  }
}

const headEnd = Buffer.from("\r\n\r\n");
const lastChunk = Buffer.from("\r\n0\r\n\r\n");

/** A reply that has arrived whole: on a lane nothing follows it. */
function readReply(bytes: Buffer): LaneReply | null {
  const chunkedEnd = bytes.subarray(-lastChunk.length).equals(lastChunk);
  const at = bytes.indexOf(headEnd);
  if (at === -1) return null;
  const head = bytes.toString("latin1", 0, at);
  const status = Number(head.slice(9, 12));
  const body = bytes.subarray(at + headEnd.length);
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (length !== undefined)
    return body.length < Number(length) ? null : { status, body: body.toString("utf8") };
  return chunkedEnd ? { status, body: unchunk(body) } : null;
}

function unchunk(body: Buffer): string {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const line = body.indexOf("\r\n", at);
    const size = Number.parseInt(body.toString("latin1", at, line), 16);
    if (size === 0) break;
    parts.push(body.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
  return Buffer.concat(parts).toString("utf8");
}
