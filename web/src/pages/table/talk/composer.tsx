import { type KeyboardEvent, useId, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import type { RoomState, TableRoom } from "../room/table-room.ts";
import { useVoice, type VoiceHook } from "./use-voice.ts";

const languages = [
  "en-US",
  "en-GB",
  "de-DE",
  "fr-FR",
  "es-ES",
  "pt-BR",
  "it-IT",
  "nl-NL",
  "pl-PL",
  "ja-JP",
  "zh-CN",
  "ar-SA",
] as const;

/** Where one types or speaks. Speech becomes a draft to read over; to a connected backend it can go as a clip instead. */
export function Composer({ room, state }: { room: TableRoom; state: RoomState }) {
  const [draft, setDraft] = useState("");
  const [wish, setWish] = useState<"draft" | "clip">("draft");
  const id = useId();
  const connected = state.backend.kind === "connected";
  const write = useVoice("browser", draft, setDraft, () => undefined);
  const clip = useVoice(
    "backend",
    "",
    () => undefined,
    (audio) => void room.send("", audio),
  );
  const canWrite = write.status.state !== "unsupported";
  const canClip = connected && clip.status.state !== "unsupported";
  const speaking = canClip && (wish === "clip" || !canWrite) ? clip : canWrite ? write : null;
  const send = () => {
    const said = draft.trim();
    if (said === "" || state.running) return;
    write.voice.cancel();
    setDraft("");
    void room.send(said);
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label htmlFor={id} className="visually-hidden">
        Ask the table
      </label>
      <textarea
        id={id}
        className="composer-input"
        rows={2}
        maxLength={4_000}
        placeholder="Ask, filter, sort, change…"
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={keys}
      />
      <div className="composer-tools">
        {speaking !== null && (
          <Mic
            speaking={speaking}
            disabled={state.running}
            choice={canClip && canWrite ? { wish, setWish } : null}
          />
        )}
        <span className="composer-space" />
        {state.running ? (
          <Button small icon="stop" onClick={() => room.stop()}>
            Stop
          </Button>
        ) : (
          <Button small look="primary" icon="send" type="submit" disabled={draft.trim() === ""}>
            Send
          </Button>
        )}
      </div>
    </form>
  );
}

function Mic({
  speaking: { voice, status },
  disabled,
  choice,
}: {
  speaking: VoiceHook;
  disabled: boolean;
  choice: { wish: "draft" | "clip"; setWish: (wish: "draft" | "clip") => void } | null;
}) {
  const [language, setLanguage] = useState(voice.language());
  const listening = status.state === "listening";
  const known = languages.some((one) => one === language) ? languages : [language, ...languages];
  return (
    <>
      <Button
        small
        icon="mic"
        className={listening ? "is-listening" : ""}
        aria-pressed={listening}
        aria-label={listening ? "Stop listening" : "Speak"}
        disabled={disabled && !listening}
        busy={status.state === "processing"}
        onClick={() => void (listening ? voice.stop() : voice.start())}
      />
      <select
        className="composer-select"
        aria-label="Language you speak"
        value={language}
        disabled={listening}
        onChange={(event) => {
          setLanguage(event.target.value);
          voice.setLanguage(event.target.value);
        }}
      >
        {known.map((tag) => (
          <option key={tag}>{tag}</option>
        ))}
      </select>
      {choice !== null && (
        <select
          className="composer-select"
          aria-label="What becomes of your voice"
          value={choice.wish}
          disabled={listening}
          onChange={(event) => choice.setWish(event.target.value === "clip" ? "clip" : "draft")}
        >
          <option value="draft">writes a draft</option>
          <option value="clip">is sent as a clip</option>
        </select>
      )}
      {(status.state === "denied" || status.state === "error") && (
        <span className="field-error" role="alert">
          {status.message}
        </span>
      )}
    </>
  );
}
