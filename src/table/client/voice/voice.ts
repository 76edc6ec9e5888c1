import type { AudioClip } from "../../protocol/messages.ts";
import { browserLanguage, type LanguageMemory } from "./language.ts";
import { type Recognizer, webSpeech } from "./recognizer.ts";
import { mediaRecorder, type Recorder } from "./recorder.ts";
import { speakBackend } from "./speak-backend.ts";
import { speakBrowser } from "./speak-browser.ts";

/**
 * `unsupported`: this machine cannot listen, so no microphone should be shown. `denied`: the reader did not allow it.
 * `processing`: a clip is being made ready. `error`: see `message`; listening may be tried again.
 */
export type VoiceState = "idle" | "listening" | "processing" | "denied" | "unsupported" | "error";

export interface VoiceStatus {
  state: VoiceState;
  /** Why, of `denied` and `error`. */
  message?: string;
}

/** The reader's microphone, in one of two modes. Nothing is asked of the machine before `start`. */
export interface Voice {
  status(): VoiceStatus;
  /** Calls `listener` with each new status; gives what ends that. */
  subscribe(listener: (status: VoiceStatus) => void): () => void;
  /** Begins to listen. Does nothing while it listens, or where it cannot. */
  start(): Promise<void>;
  /** Ends listening: the microphone is let go, and what was said counts. */
  stop(): Promise<void>;
  /** Ends listening: the microphone is let go, and what was said does not count. */
  cancel(): void;
  /** BCP 47, such as `de-DE`. */
  language(): string;
  /** Chooses and remembers a language. It holds from the next `start`. */
  setLanguage(tag: string): void;
}

interface Common {
  /** Where the language is remembered; the page's local storage unless given. */
  memory?: LanguageMemory;
}

/** Speech becomes text on this machine and stands in the composer, for the reader to correct and send. */
export interface BrowserVoiceOptions extends Common {
  mode: "browser";
  /** The composer's text as it stands. */
  draft(): string;
  /** The composer's text with what was heard after it. It is never sent from here. */
  onDraft(text: string): void;
  /** Instead of the browser's own. */
  recognizer?: Recognizer | null;
}

/** Speech becomes one clip that a turn takes along; the backend says what it heard. */
export interface BackendVoiceOptions extends Common {
  mode: "backend";
  /** The clip, once for each time that listening ends by `stop` or by the clip's longest time. */
  onClip(clip: AudioClip): void;
  /** Instead of the browser's own. */
  recorder?: Recorder | null;
}

/** What listens in one mode. */
export interface Listening {
  supported: boolean;
  start(language: string): Promise<void>;
  stop(): Promise<void>;
  cancel(): void;
}

/** A microphone that is off. */
export function createVoice(options: BrowserVoiceOptions | BackendVoiceOptions): Voice {
  const memory = options.memory ?? browserLanguage();
  const listeners = new Set<(status: VoiceStatus) => void>();
  let status: VoiceStatus = { state: "idle" };
  let language = memory.read();

  function set(state: VoiceState, message?: string): void {
    status = message === undefined ? { state } : { state, message };
    for (const listener of listeners) listener(status);
  }

  const listening =
    options.mode === "browser"
      ? speakBrowser(options, options.recognizer === undefined ? webSpeech() : options.recognizer, set)
      : speakBackend(options, options.recorder === undefined ? mediaRecorder() : options.recorder, set);
  if (!listening.supported) status = { state: "unsupported" };

  return {
    status: () => status,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async start() {
      if (!listening.supported || status.state === "listening" || status.state === "processing") return;
      await listening.start(language);
    },
    stop: () => listening.stop(),
    cancel: () => listening.cancel(),
    language: () => language,
    setLanguage(tag) {
      language = tag;
      memory.write(tag);
    },
  };
}
