import { discard } from "./discard.ts";
import { HttpError } from "./errors.ts";

export interface BodyLimit {
  maxBytes: number;
  /** The variable that sets it, named in the refusal. */
  variable: string;
}

/** Longest silence while a body arrives, milliseconds; a body sent slower than this holds nothing of ours. */
const silenceMs = 10_000;

/**
 * The body as text. Refuses, before reading, a declared length beyond the limit and a compressed body; while reading,
 * the first byte beyond the limit whatever was declared, and a silence of ten seconds; afterwards, text that is not
 * UTF-8. A byte order mark is dropped. Throws `HttpError` 408, 413, 415, or 400 `invalid_request`.
 */
export async function readText(request: Request, limit: BodyLimit): Promise<string> {
  refuseEncoding(request.headers);
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > limit.maxBytes) {
    throw tooLarge(limit);
  }
  if (request.body === null) return "";
  return readStream(request.body, limit);
}

async function readStream(body: ReadableStream<Uint8Array>, limit: BodyLimit): Promise<string> {
  const reader = body.getReader();
  // Decoded as it arrives, so that the bytes and the text of a large body are never held side by side.
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  const silence = new Silence(silenceMs);
  const pieces: string[] = [];
  let bytes = 0;
  try {
    for (;;) {
      const chunk = await nextChunk(reader, silence);
      if (chunk === null) break;
      bytes += chunk.byteLength;
      if (bytes > limit.maxBytes) throw tooLarge(limit);
      pieces.push(decode(decoder, chunk));
    }
    pieces.push(decode(decoder, null));
    return pieces.join("");
  } catch (error) {
    await discard(reader);
    throw error;
  } finally {
    silence.end();
  }
}

/** The next piece of the body, `null` at its end. */
async function nextChunk(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  silence: Silence,
): Promise<Uint8Array | null> {
  try {
    silence.broken();
    const { done, value } = await Promise.race([reader.read(), silence.tooLong]);
    return done ? null : value;
  } catch (error) {
    if (error instanceof HttpError) throw error;
    throw new HttpError("invalid_request", "The request body ended before it was complete.", {
      cause: error,
    });
  }
}

/** Watches for a silence with one timer for the whole body. */
class Silence {
  /** Rejects after a silence of `ms` milliseconds. */
  readonly tooLong: Promise<never>;
  private readonly ms: number;
  private readonly reject: (error: HttpError) => void;
  private heardAt = 0;
  private timer: ReturnType<typeof setTimeout>;

  constructor(ms: number) {
    const { promise, reject } = Promise.withResolvers<never>();
    // Between two readings nobody may be listening.
    promise.catch(() => undefined);
    this.tooLong = promise;
    this.reject = reject;
    this.ms = ms;
    this.timer = setTimeout(() => this.check(), ms);
  }

  /** Something was heard: the silence begins anew. */
  broken(): void {
    this.heardAt = Date.now();
  }

  end(): void {
    clearTimeout(this.timer);
  }

  private check(): void {
    const left = this.heardAt + this.ms - Date.now();
    if (left > 0) this.timer = setTimeout(() => this.check(), left);
    else
      this.reject(
        new HttpError("body_timeout", `No byte of the request body arrived for ${this.ms / 1000} seconds.`),
      );
  }
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk: Uint8Array | null): string {
  try {
    return chunk === null ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch (error) {
    throw new HttpError("invalid_request", "The request body is not valid UTF-8.", { cause: error });
  }
}

function refuseEncoding(headers: Headers): void {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (encoding === "" || encoding === "identity") return;
  throw new HttpError(
    "unsupported_media_type",
    "Send the request body uncompressed, without content-encoding.",
  );
}

function tooLarge(limit: BodyLimit): HttpError {
  return new HttpError(
    "body_too_large",
    `The request body is larger than ${limit.maxBytes} bytes, the limit set by ${limit.variable}.`,
    { details: { limit: limit.maxBytes, variable: limit.variable } },
  );
}
