import { readBounded } from "../../http/read-bounded.ts";
import { ModelError } from "../../models/model-error.ts";
import type { Transcribe } from "../../table/backend/table-deps.ts";
import type { AudioClip } from "../../table/protocol/messages.ts";
import { isObject } from "../../table/protocol/shape.ts";

/** Where speech becomes text: a server that speaks OpenAI's `/audio/transcriptions`. */
export interface TranscriptionServer {
  /** Such as `https://api.openai.com/v1`, without a slash at the end. */
  baseUrl: string;
  key: string | undefined;
  model: string;
}

/** Largest reply of a transcription that is read, bytes: two minutes of speech with times take far less. */
const maxReplyBytes = 1_000_000;

const extensions: { readonly [mimeType: string]: string } = {
  "audio/webm": "webm",
  "audio/ogg": "ogg",
  "audio/mp4": "mp4",
  "audio/mpeg": "mp3",
  "audio/wav": "wav",
};

/**
 * Sends clips to a transcription server. Nothing it answers is passed on but the words. Throws `ModelError`, with the
 * status and nothing the server wrote, or the reason of the signal.
 */
export function transcribeWith(server: TranscriptionServer, fetch: typeof globalThis.fetch): Transcribe {
  const { baseUrl, key, model } = server;
  return async (clip, signal) => {
    const form = new FormData();
    form.set("model", model);
    form.set("response_format", "json");
    form.set("file", blobOf(clip), `clip.${extensions[clip.mimeType] ?? "webm"}`);
    let response: Response;
    try {
      response = await fetch(`${baseUrl}/audio/transcriptions`, {
        method: "POST",
        body: form,
        signal,
        redirect: "manual",
        ...(key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } }),
      });
    } catch {
      signal.throwIfAborted();
      throw new ModelError("unavailable", "the transcription server could not be reached");
    }
    return readTranscript(response);
  };
}

/** The words of a transcription's reply, `{"text": "..."}`. Throws `ModelError` when it failed or has none. */
export async function readTranscript(response: Response): Promise<string> {
  if (!response.ok) {
    await response.body?.cancel();
    throw refused(response.status);
  }
  const { text, truncated } = await readBounded(response.body, maxReplyBytes);
  let value: unknown;
  try {
    value = truncated ? null : JSON.parse(text);
  } catch {
    value = null;
  }
  const words = wordsIn(value) ?? wordsIn(isObject(value) ? value.result : null);
  if (words === undefined) throw new ModelError("malformed", "the transcription came without a text");
  return words;
}

function wordsIn(value: unknown): string | undefined {
  return isObject(value) && typeof value.text === "string" ? value.text : undefined;
}

function refused(status: number): ModelError {
  const kind = status === 429 ? "rate_limited" : status === 401 || status === 403 ? "auth" : "unavailable";
  return new ModelError(kind, `the transcription server answered with status ${status}`, status);
}

function blobOf({ base64, mimeType }: AudioClip): Blob {
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  return new Blob([bytes], { type: mimeType });
}
