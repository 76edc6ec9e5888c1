import { AGENT_HTTP_LIMITS } from "../../protocol/limits.ts";
import { bareType } from "../../protocol/parse-request.ts";
import { type Recorder, RecorderError, type Recording } from "./recorder.ts";
import type { BackendVoiceOptions, Listening, VoiceState } from "./voice.ts";

/**
 * Records one clip and hands it over once, within what a request may carry: at the longest time it stops by itself, and a
 * clip too large or of a type nobody takes is an error instead.
 */
export function speakBackend(
  { onClip }: BackendVoiceOptions,
  recorder: Recorder | null,
  set: (state: VoiceState, message?: string) => void,
): Listening {
  // Each start is another try: one given up while the reader was still asked lets the microphone go when it comes.
  let tries = 0;
  let current: { recording: Recording; since: number; timer: ReturnType<typeof setTimeout> } | undefined;

  async function start(): Promise<void> {
    if (!recorder || current) return;
    const mine = ++tries;
    set("listening");
    try {
      const recording = await recorder.record();
      if (mine !== tries) return recording.abort();
      const timer = setTimeout(() => void stop(), AGENT_HTTP_LIMITS.maxAudioMs);
      current = { recording, since: performance.now(), timer };
    } catch (error) {
      if (mine === tries) failed(error);
    }
  }

  async function stop(): Promise<void> {
    const ending = current;
    if (!ending) return cancel();
    current = undefined;
    tries++;
    clearTimeout(ending.timer);
    set("processing");
    const durationMs = Math.min(
      AGENT_HTTP_LIMITS.maxAudioMs,
      Math.max(1, Math.round(performance.now() - ending.since)),
    );
    try {
      const { mimeType, bytes } = await ending.recording.stop();
      const type = bareType(mimeType);
      if (bytes.length === 0) return set("error", "Nothing was recorded.");
      // Both sides judge the size by the length of the text, which counts in threes.
      if (3 * Math.ceil(bytes.length / 3) > AGENT_HTTP_LIMITS.maxAudioBytes)
        return set("error", "The recording is too large to send.");
      if (!AGENT_HTTP_LIMITS.audioTypes.some((known) => known === type))
        return set("error", `This browser records ${type || "an unknown type"}, which cannot be sent.`);
      set("idle");
      onClip({ mimeType: type, base64: base64(bytes), durationMs });
    } catch (error) {
      failed(error);
    }
  }

  function cancel(): void {
    tries++;
    const ending = current;
    current = undefined;
    if (ending) {
      clearTimeout(ending.timer);
      ending.recording.abort();
    }
    if (recorder) set("idle");
  }

  function failed(error: unknown): void {
    const denied = error instanceof RecorderError && error.reason === "denied";
    const message = error instanceof Error ? error.message : "The microphone failed.";
    set(denied ? "denied" : "error", message);
  }

  return { supported: recorder !== null, start, stop, cancel };
}

/** Bytes as base64, in pieces short enough to be arguments of one call. */
function base64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}
