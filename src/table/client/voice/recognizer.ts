import { pagePart } from "./page-part.ts";

/** Turns speech into text while it is spoken. */
export interface Recognizer {
  /** Begins at once, or throws. Calls `onEnd` once, last, however it ends. */
  listen(language: string, events: RecognizerEvents): { stop(): void; abort(): void };
}

export interface RecognizerEvents {
  /** All that was heard since the beginning: what is certain, and what may still change. */
  onHeard(settled: string, changing: string): void;
  onFailed(reason: "denied" | "failed", message: string): void;
  onEnd(): void;
}

/** The part of the browser's speech recognition that is used. */
interface SpeechRecognition {
  continuous: boolean;
  interimResults: boolean;
  lang: string;
  onresult: ((event: { results: ArrayLike<SpeechResult> }) => void) | null;
  onerror: ((event: { error: string; message?: string }) => void) | null;
  onend: (() => void) | null;
  start(): void;
  stop(): void;
  abort(): void;
}

type SpeechResult = ArrayLike<{ transcript: string }> & { isFinal: boolean };

/** What a page may have, under its own or its older name. */
export interface SpeechPage {
  SpeechRecognition: (new () => SpeechRecognition) | undefined;
  webkitSpeechRecognition: (new () => SpeechRecognition) | undefined;
}

/** The browser's own recognizer, `null` where there is none. */
export function webSpeech(page: SpeechPage = thisPage()): Recognizer | null {
  const Recognition = page.SpeechRecognition ?? page.webkitSpeechRecognition;
  if (!Recognition) return null;
  return {
    listen(language, { onHeard, onFailed, onEnd }) {
      const recognition = new Recognition();
      recognition.continuous = true;
      recognition.interimResults = true;
      recognition.lang = language;
      recognition.onresult = ({ results }) => {
        const heard = Array.from(results);
        onHeard(
          textOf(heard.filter(({ isFinal }) => isFinal)),
          textOf(heard.filter(({ isFinal }) => !isFinal)),
        );
      };
      recognition.onerror = ({ error, message }) => {
        // Silence and being stopped are ways to end, not failures.
        if (error === "no-speech" || error === "aborted") return;
        if (error === "not-allowed" || error === "service-not-allowed")
          onFailed("denied", "The microphone is not allowed on this page.");
        else onFailed("failed", message || `Speech recognition failed: ${error}.`);
      };
      recognition.onend = onEnd;
      recognition.start();
      return { stop: () => recognition.stop(), abort: () => recognition.abort() };
    },
  };
}

/** What this machine has of it: outside a browser nothing. */
function thisPage(): SpeechPage {
  return {
    SpeechRecognition: pagePart("SpeechRecognition"),
    webkitSpeechRecognition: pagePart("webkitSpeechRecognition"),
  };
}

function textOf(results: SpeechResult[]): string {
  return results
    .map((result) => result[0]?.transcript.trim() ?? "")
    .filter((text) => text !== "")
    .join(" ");
}
