import type { Recognizer } from "./recognizer.ts";
import type { BrowserVoiceOptions, Listening, VoiceState } from "./voice.ts";

/**
 * Listens with a recognizer and writes what it hears after the draft as it stood. A word misheard is a slip in the
 * composer that the reader sees and corrects; nothing is sent.
 */
export function speakBrowser(
  { draft, onDraft }: BrowserVoiceOptions,
  recognizer: Recognizer | null,
  set: (state: VoiceState, message?: string) => void,
): Listening {
  /** One time of listening; `handle` comes once it has begun. */
  interface Session {
    before: string;
    handle?: { stop(): void; abort(): void };
  }
  let current: Session | undefined;

  return {
    supported: recognizer !== null,
    async start(language) {
      if (!recognizer || current) return;
      const mine: Session = { before: draft() };
      current = mine;
      set("listening");
      // A recognizer that was given up may still speak, and must not be taken for the one that listens now.
      const end = (state: VoiceState, message?: string) => {
        if (current !== mine) return;
        current = undefined;
        set(state, message);
      };
      try {
        mine.handle = recognizer.listen(language, {
          onHeard(settled, changing) {
            if (current === mine) onDraft(joined(mine.before, settled, changing));
          },
          onFailed: (reason, message) => end(reason === "denied" ? "denied" : "error", message),
          onEnd: () => end("idle"),
        });
      } catch (error) {
        end("error", error instanceof Error ? error.message : "Speech recognition could not begin.");
      }
    },
    async stop() {
      current?.handle?.stop();
    },
    cancel() {
      if (!current) return;
      const { handle, before } = current;
      current = undefined;
      handle?.abort();
      onDraft(before);
      set("idle");
    },
  };
}

/** The parts with one space between them. */
function joined(...parts: string[]): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join(" ");
}
