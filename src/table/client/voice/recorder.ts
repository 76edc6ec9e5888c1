import { pagePart } from "./page-part.ts";

/** Records the microphone. */
export interface Recorder {
  /** Asks for the microphone and begins. Rejects with a `RecorderError` when that cannot be. */
  record(): Promise<Recording>;
}

/** A recording under way. Either end lets the microphone go. */
export interface Recording {
  /** The whole clip. */
  stop(): Promise<{ mimeType: string; bytes: Uint8Array }>;
  abort(): void;
}

/** The microphone could not be had. */
export class RecorderError extends Error {
  readonly reason: "denied" | "failed";

  constructor(reason: "denied" | "failed", message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "RecorderError";
    this.reason = reason;
  }
}

interface Microphone {
  getTracks(): { stop(): void }[];
}

interface BrowserRecorder {
  state: string;
  mimeType: string;
  ondataavailable: ((event: { data: Blob }) => void) | null;
  onstop: (() => void) | null;
  onerror: ((event: unknown) => void) | null;
  start(): void;
  stop(): void;
}

/** What a page may have. */
export interface RecordingPage {
  MediaRecorder:
    | {
        new (stream: Microphone, options?: { mimeType: string }): BrowserRecorder;
        isTypeSupported?(type: string): boolean;
      }
    | undefined;
  navigator: { mediaDevices?: { getUserMedia(wish: { audio: true }): Promise<Microphone> } } | undefined;
}

/** In the order of how small they are for speech. */
const preferred = ["audio/webm;codecs=opus", "audio/ogg;codecs=opus", "audio/mp4", "audio/webm"];

/** The browser's own recorder, `null` where there is none or the page has no microphone, as without TLS. */
export function mediaRecorder(page: RecordingPage = thisPage()): Recorder | null {
  const { MediaRecorder, navigator } = page;
  const devices = navigator?.mediaDevices;
  if (!MediaRecorder || !devices) return null;
  return {
    async record() {
      const microphone = await devices.getUserMedia({ audio: true }).catch((cause: unknown) => {
        throw refusedMicrophone(cause);
      });
      const release = () => {
        for (const track of microphone.getTracks()) track.stop();
      };
      try {
        const mimeType = preferred.find((type) => MediaRecorder.isTypeSupported?.(type));
        return recording(new MediaRecorder(microphone, mimeType ? { mimeType } : undefined), release);
      } catch (cause) {
        release();
        throw new RecorderError("failed", "This browser cannot record the microphone.", { cause });
      }
    },
  };
}

/** What this machine has of it: outside a browser nothing. */
function thisPage(): RecordingPage {
  return {
    MediaRecorder: pagePart("MediaRecorder"),
    navigator: pagePart("navigator"),
  };
}

function recording(recorder: BrowserRecorder, release: () => void): Recording {
  const pieces: Blob[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    recorder.ondataavailable = ({ data }) => pieces.push(data);
    recorder.onstop = () => resolve();
    recorder.onerror = (cause) => reject(new RecorderError("failed", "The recording broke off.", { cause }));
  });
  // Whoever stops the recording hears of it; one that is given up has nobody who would.
  ended.catch(() => undefined);
  recorder.start();
  const end = () => {
    // A recorder whose microphone was pulled out has stopped by itself.
    if (recorder.state !== "inactive") recorder.stop();
    release();
  };
  return {
    async stop() {
      end();
      await ended;
      const clip = new Blob(pieces);
      return { mimeType: recorder.mimeType, bytes: new Uint8Array(await clip.arrayBuffer()) };
    },
    abort: end,
  };
}

function refusedMicrophone(cause: unknown): RecorderError {
  const name = cause instanceof Error ? cause.name : "";
  return name === "NotAllowedError" || name === "SecurityError"
    ? new RecorderError("denied", "The microphone is not allowed on this page.", { cause })
    : new RecorderError("failed", "No microphone could be opened.", { cause });
}
