import { useEffect, useMemo, useRef, useState } from "react";
import { createVoice, type Voice, type VoiceStatus } from "../../../../../src/table/client/voice/voice.ts";
import type { AudioClip } from "../../../../../src/table/index.ts";

export interface VoiceHook {
  voice: Voice;
  status: VoiceStatus;
}

/** A microphone in one mode; it is let go when the page is left or the mode changes. */
export function useVoice(
  mode: "browser" | "backend",
  draft: string,
  onDraft: (text: string) => void,
  onClip: (clip: AudioClip) => void,
): VoiceHook {
  const newest = useRef({ draft, onDraft, onClip });
  newest.current = { draft, onDraft, onClip };
  const voice = useMemo(
    () =>
      mode === "browser"
        ? createVoice({
            mode,
            draft: () => newest.current.draft,
            onDraft: (text) => newest.current.onDraft(text),
          })
        : createVoice({ mode, onClip: (clip) => newest.current.onClip(clip) }),
    [mode],
  );
  const [status, setStatus] = useState(voice.status());
  useEffect(() => {
    setStatus(voice.status());
    const end = voice.subscribe(setStatus);
    return () => {
      end();
      if (voice.status().state === "listening") voice.cancel();
    };
  }, [voice]);
  return { voice, status };
}
