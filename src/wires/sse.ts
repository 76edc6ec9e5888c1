export interface SseOptions {
  /** A whole comment or frame, sent at every interval in which the client can take it. */
  heartbeat: string;
  heartbeatMs: number;
  headers?: Record<string, string>;
}

/**
 * A reply of server-sent events. Each item of `frames` is zero or more whole frames, sent as one chunk at the client's
 * pace; lines end as the frames have them. A client that left is noticed by the next write, a heartbeat at the latest,
 * and `return()` is then called on the iterator, which should act at once: a generator would first wait for what it
 * awaits. `frames` says how a stream ends, also when something fails; what it throws breaks the connection.
 */
export function sseResponse(frames: AsyncIterable<string>, options: SseOptions): Response {
  return new Response(streamOf(frames[Symbol.asyncIterator](), options), {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
      ...options.headers,
    },
  });
}

function streamOf(
  frames: AsyncIterator<string>,
  { heartbeat, heartbeatMs }: SseOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let timer: ReturnType<typeof setInterval> | undefined;
  let open = true;
  const end = () => {
    open = false;
    if (timer !== undefined) clearInterval(timer);
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(heartbeat));
      }, heartbeatMs);
    },
    async pull(controller) {
      try {
        while (open) {
          const { done, value } = await frames.next();
          if (!open) return;
          if (done === true) {
            end();
            return controller.close();
          }
          if (value !== "") return controller.enqueue(encoder.encode(value));
        }
      } catch (error) {
        end();
        throw error;
      }
    },
    async cancel() {
      end();
      await frames.return?.();
    },
  });
}
