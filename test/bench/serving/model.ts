import { createServer, type Socket } from "node:net";
import {
  answerText,
  type ModelNews,
  type ModelOrder,
  modelUsage,
  pieces,
  slowGapMs,
} from "./model-protocol.ts";

/*
 * The model: a process of its own that answers Chat Completions at once, whole or in eighteen pieces, always with the
 * same text; below `/slow` a piece at a time. It reads no more of HTTP than the runtime's `fetch` writes, so that it
 * takes as little as can be of the machine the others are measured on.
 */

const identity = { id: "chatcmpl-bench", created: 1_700_000_000, model: "bench" };

const whole = reply("application/json", [
  JSON.stringify({
    ...identity,
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content: answerText }, finish_reason: "stop" }],
    usage: modelUsage,
  }),
]);

const streamed = reply("text/event-stream", [
  ...pieces.map((content, at) =>
    chunk({ choices: [{ index: 0, delta: at === 0 ? { role: "assistant", content } : { content } }] }),
  ),
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }) +
    chunk({ choices: [], usage: modelUsage }) +
    "data: [DONE]\n\n",
]);

let answers = 0;
let cpuBefore = process.cpuUsage();

const server = createServer((socket) => {
  let seen: Buffer = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on("error", () => socket.destroy());
  socket.on("data", (bytes) => {
    seen = seen.length === 0 ? bytes : Buffer.concat([seen, bytes]);
    for (;;) {
      const request = readRequest(seen);
      if (request === null) return;
      seen = seen.subarray(request.length);
      answers += 1;
      if (request.slow && request.stream) writeSlowly(socket, streamed);
      else for (const part of request.stream ? streamed : whole) socket.write(part);
    }
  });
});

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the model has no port");
  tell({ type: "ready", url: `http://127.0.0.1:${address.port}` });
});

process.on("message", (_order: ModelOrder) => {
  const { user, system } = process.cpuUsage(cpuBefore);
  tell({ type: "stats", answers, cpuMs: (user + system) / 1_000 });
  answers = 0;
  cpuBefore = process.cpuUsage();
});
process.on("disconnect", () => process.exit(0));

/** A request that has arrived whole. */
function readRequest(bytes: Buffer): { length: number; stream: boolean; slow: boolean } | null {
  const at = bytes.indexOf("\r\n\r\n");
  if (at === -1) return null;
  const head = bytes.toString("latin1", 0, at);
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (length === undefined) throw new Error("a request to the model without content-length");
  const end = at + 4 + Number(length);
  if (bytes.length < end) return null;
  const stream = bytes.subarray(at, end).includes('"stream":true');
  return { length: end, stream, slow: head.startsWith("POST /slow/") };
}

/** Head and pieces, each piece a chunk of its own. */
function reply(contentType: string, parts: string[]): Buffer[] {
  const head = `HTTP/1.1 200 OK\r\ncontent-type: ${contentType}\r\ntransfer-encoding: chunked\r\n\r\n`;
  const chunks = parts.map((part) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`);
  return [head, ...chunks, "0\r\n\r\n"].map((text) => Buffer.from(text));
}

function chunk(content: object): string {
  return `data: ${JSON.stringify({ ...identity, object: "chat.completion.chunk", ...content })}\n\n`;
}

function writeSlowly(socket: Socket, parts: Buffer[]): void {
  const [part, ...rest] = parts;
  if (part === undefined) return;
  socket.write(part);
  setTimeout(() => writeSlowly(socket, rest), slowGapMs);
}

function tell(news: ModelNews): void {
  process.send?.(news);
}
