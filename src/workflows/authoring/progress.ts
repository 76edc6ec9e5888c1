import type { Json } from "../../turn/json.ts";
import { jsonBytes, readJsonValue } from "../runtime/json-value.ts";
import { stepOps } from "../runtime/scope.ts";

/** Largest piece of progress, bytes of JSON: a row holds it, and a reader takes it at once. */
export const maxProgressBytes = 262_144;

/** Tells whoever watches the run how far the step is. An attempt after a fault tells it again. */
export async function progress(data: unknown): Promise<void> {
  const ops = stepOps("progress()");
  await ops.append([{ type: "progress", step: ops.stepId, data: readProgress(data) }]);
}

/** A stream into the run's feed; each chunk is one piece of progress. */
export function getWritable<Chunk = unknown>(): WritableStream<Chunk> {
  const ops = stepOps("getWritable()");
  return new WritableStream<Chunk>({
    write: (chunk) => ops.append([{ type: "progress", step: ops.stepId, data: readProgress(chunk) }]),
  });
}

function readProgress(data: unknown): Json {
  const read = readJsonValue(data, "progress");
  if (!read.ok) throw new Error(read.message);
  const bytes = jsonBytes(JSON.stringify(read.value));
  if (bytes > maxProgressBytes)
    throw new Error(`a piece of progress has ${bytes} bytes of JSON; at most ${maxProgressBytes}`);
  return read.value;
}
