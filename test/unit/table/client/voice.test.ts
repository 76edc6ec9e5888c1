import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { browserLanguage } from "../../../../src/table/client/voice/language.ts";
import {
  type RecognizerEvents,
  type SpeechPage,
  webSpeech,
} from "../../../../src/table/client/voice/recognizer.ts";
import {
  mediaRecorder,
  RecorderError,
  type RecordingPage,
} from "../../../../src/table/client/voice/recorder.ts";
import { createVoice } from "../../../../src/table/client/voice/voice.ts";
import type { AudioClip } from "../../../../src/table/protocol/messages.ts";
import { checkedClip } from "../../../../src/table/protocol/parse-request.ts";

function memory(language = "de-DE") {
  const held = { language };
  return {
    held,
    memory: {
      read: () => held.language,
      write: (tag: string) => {
        held.language = tag;
      },
    },
  };
}

function speech() {
  const calls: string[] = [];
  let events: RecognizerEvents | undefined;
  let draft = "Only the";
  const voice = createVoice({
    mode: "browser",
    draft: () => draft,
    onDraft: (text) => {
      draft = text;
    },
    memory: memory().memory,
    recognizer: {
      listen(language, heard) {
        calls.push(`listen ${language}`);
        events = heard;
        return { stop: () => calls.push("stop"), abort: () => calls.push("abort") };
      },
    },
  });
  return {
    voice,
    calls,
    draft: () => draft,
    events: () => {
      if (!events) throw new Error("nothing listens");
      return events;
    },
  };
}

describe("voice in browser mode", () => {
  it("writes what it hears after the draft, and never more than a draft", async () => {
    const { voice, calls, draft, events } = speech();
    const states: string[] = [];
    voice.subscribe(({ state }) => states.push(state));
    await voice.start();
    await voice.start();
    events().onHeard("", "core");
    expect(draft()).toBe("Only the core");
    events().onHeard("Core team", "high");
    expect(draft()).toBe("Only the Core team high");
    events().onHeard("Core team highest first", "");
    await voice.stop();
    events().onEnd();
    expect(draft()).toBe("Only the Core team highest first");
    expect(calls).toEqual(["listen de-DE", "stop"]);
    expect(states).toEqual(["listening", "idle"]);
  });

  it("given up leaves the draft as it was, whatever comes late", async () => {
    const { voice, calls, draft, events } = speech();
    await voice.start();
    events().onHeard("Core", "");
    voice.cancel();
    events().onHeard("Core team", "");
    events().onEnd();
    expect(draft()).toBe("Only the");
    expect(calls).toEqual(["listen de-DE", "abort"]);
    expect(voice.status()).toEqual({ state: "idle" });
  });

  it("begins anew while the one given up still speaks", async () => {
    const { voice, draft, events } = speech();
    await voice.start();
    const old = events();
    voice.cancel();
    await voice.start();
    old.onHeard("noise", "");
    old.onEnd();
    expect(voice.status()).toEqual({ state: "listening" });
    events().onHeard("Core", "");
    expect(draft()).toBe("Only the Core");
  });

  it("says when it is not allowed or fails, and may be tried again", async () => {
    const { voice, events, calls } = speech();
    await voice.start();
    events().onFailed("denied", "Not here.");
    events().onEnd();
    expect(voice.status()).toEqual({ state: "denied", message: "Not here." });
    await voice.start();
    events().onFailed("failed", "No network.");
    events().onEnd();
    expect(voice.status()).toEqual({ state: "error", message: "No network." });
    await voice.start();
    expect(calls).toHaveLength(3);
    expect(voice.status()).toEqual({ state: "listening" });
  });

  it("is unsupported where nothing recognizes, and start does nothing", async () => {
    const voice = createVoice({
      mode: "browser",
      draft: () => "",
      onDraft: () => undefined,
      recognizer: null,
    });
    await voice.start();
    expect(voice.status()).toEqual({ state: "unsupported" });
  });

  it("is unsupported here, without a browser", () => {
    expect(createVoice({ mode: "browser", draft: () => "", onDraft: () => undefined }).status().state).toBe(
      "unsupported",
    );
    expect(createVoice({ mode: "backend", onClip: () => undefined }).status().state).toBe("unsupported");
  });

  it("listens in the language chosen last, which is remembered", async () => {
    const { held, memory: remembered } = memory();
    const languages: string[] = [];
    const voice = createVoice({
      mode: "browser",
      draft: () => "",
      onDraft: () => undefined,
      memory: remembered,
      recognizer: {
        listen(language) {
          languages.push(language);
          return { stop: () => undefined, abort: () => undefined };
        },
      },
    });
    voice.setLanguage("pt-BR");
    await voice.start();
    expect([voice.language(), held.language, languages]).toEqual(["pt-BR", "pt-BR", ["pt-BR"]]);
  });
});

/** A recorder of which a test decides when the microphone comes and what it recorded. */
function recorder(clip: { mimeType: string; bytes: Uint8Array }) {
  const log: string[] = [];
  let give: () => void = () => undefined;
  let refuse: (error: Error) => void = () => undefined;
  return {
    log,
    give: () => give(),
    refuse: (error: Error) => refuse(error),
    recorder: {
      record: () =>
        new Promise<{ stop(): Promise<typeof clip>; abort(): void }>((resolve, reject) => {
          log.push("ask");
          give = () =>
            resolve({
              stop: async () => {
                log.push("stop");
                return clip;
              },
              abort: () => log.push("abort"),
            });
          refuse = reject;
        }),
    },
  };
}

function spoken(bytes: Uint8Array = Uint8Array.of(1, 2, 3), mimeType = "audio/webm;codecs=opus") {
  const clips: AudioClip[] = [];
  const fake = recorder({ mimeType, bytes });
  const voice = createVoice({
    mode: "backend",
    onClip: (clip) => clips.push(clip),
    memory: memory().memory,
    recorder: fake.recorder,
  });
  return { ...fake, clips, voice };
}

describe("voice in backend mode", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  async function begin(fake: ReturnType<typeof spoken>): Promise<void> {
    const starting = fake.voice.start();
    fake.give();
    await starting;
  }

  it("records one clip and hands it over once", async () => {
    const fake = spoken();
    const states: string[] = [];
    fake.voice.subscribe(({ state }) => states.push(state));
    await begin(fake);
    vi.advanceTimersByTime(1_500);
    await fake.voice.stop();
    await fake.voice.stop();
    expect(fake.clips).toEqual([{ mimeType: "audio/webm", base64: "AQID", durationMs: 1_500 }]);
    expect(fake.log).toEqual(["ask", "stop"]);
    expect(states).toEqual(["listening", "processing", "idle", "idle"]);
  });

  it("stops by itself after the longest time", async () => {
    const fake = spoken();
    await begin(fake);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(fake.clips.map(({ durationMs }) => durationMs)).toEqual([120_000]);
  });

  it("given up hands nothing over and lets the microphone go, also when it comes late", async () => {
    const fake = spoken();
    await begin(fake);
    fake.voice.cancel();
    expect(fake.log).toEqual(["ask", "abort"]);
    const starting = fake.voice.start();
    fake.voice.cancel();
    fake.give();
    await starting;
    expect(fake.log).toEqual(["ask", "abort", "ask", "abort"]);
    expect(fake.clips).toEqual([]);
    expect(fake.voice.status()).toEqual({ state: "idle" });
    await vi.advanceTimersByTimeAsync(200_000);
    expect(fake.log).toHaveLength(4);
  });

  it("says when the microphone is not allowed or there is none", async () => {
    const fake = spoken();
    for (const [error, state] of [
      [new RecorderError("denied", "Not here."), "denied"],
      [new RecorderError("failed", "None."), "error"],
    ] as const) {
      const starting = fake.voice.start();
      fake.refuse(error);
      await starting;
      expect(fake.voice.status()).toEqual({ state, message: error.message });
    }
  });

  it.each([
    [new Uint8Array(0), "audio/webm", "Nothing was recorded."],
    [new Uint8Array(4_000_000), "audio/webm", "The recording is too large to send."],
    [Uint8Array.of(1), "audio/aac", "This browser records audio/aac, which cannot be sent."],
  ])("hands over nothing that no request may carry", async (bytes, mimeType, message) => {
    const fake = spoken(bytes, mimeType);
    await begin(fake);
    await fake.voice.stop();
    expect(fake.voice.status()).toEqual({ state: "error", message });
    expect(fake.clips).toEqual([]);
  });

  it("encodes a clip at its limit", async () => {
    const fake = spoken(new Uint8Array(3_999_998).fill(255));
    await begin(fake);
    await fake.voice.stop();
    const [clip] = fake.clips;
    expect(clip?.base64).toHaveLength(5_333_332);
    expect(clip?.base64.slice(-4)).toBe("//8=");
    expect(clip && checkedClip(clip)).toEqual(clip);
  });
});

describe("webSpeech", () => {
  type Page = InstanceType<NonNullable<SpeechPage["SpeechRecognition"]>>;

  function page() {
    const made: Page[] = [];
    const log: string[] = [];
    class Recognition implements Page {
      continuous = false;
      interimResults = false;
      lang = "";
      onresult: Page["onresult"] = null;
      onerror: Page["onerror"] = null;
      onend: Page["onend"] = null;
      constructor() {
        made.push(this);
      }
      start = () => log.push("start");
      stop = () => log.push("stop");
      abort = () => log.push("abort");
    }
    return { made, log, page: { SpeechRecognition: undefined, webkitSpeechRecognition: Recognition } };
  }

  it("listens on and on, and tells what is certain from what may change", () => {
    const { made, log, page: found } = page();
    const heard: string[][] = [];
    const failed: string[][] = [];
    const listening = webSpeech(found)?.listen("en-GB", {
      onHeard: (...parts) => heard.push(parts),
      onFailed: (...parts) => failed.push(parts),
      onEnd: () => heard.push(["end"]),
    });
    const [recognition] = made;
    expect(recognition).toMatchObject({ continuous: true, interimResults: true, lang: "en-GB" });
    const result = (transcript: string, isFinal: boolean) => Object.assign([{ transcript }], { isFinal });
    recognition?.onresult?.({
      results: [result("core team ", true), result(" sorted", true), result("by", false)],
    });
    for (const error of ["no-speech", "aborted", "not-allowed", "network"]) recognition?.onerror?.({ error });
    listening?.stop();
    listening?.abort();
    recognition?.onend?.();
    expect(log).toEqual(["start", "stop", "abort"]);
    expect(heard).toEqual([["core team sorted", "by"], ["end"]]);
    expect(failed).toEqual([
      ["denied", "The microphone is not allowed on this page."],
      ["failed", "Speech recognition failed: network."],
    ]);
  });
});

describe("mediaRecorder", () => {
  type Made = InstanceType<NonNullable<RecordingPage["MediaRecorder"]>>;

  function page(refusal?: Error) {
    const log: string[] = [];
    class FakeRecorder implements Made {
      static isTypeSupported = (type: string) => type === "audio/mp4";
      state = "inactive";
      mimeType: string;
      ondataavailable: Made["ondataavailable"] = null;
      onstop: Made["onstop"] = null;
      onerror: Made["onerror"] = null;
      constructor(_stream: unknown, options?: { mimeType: string }) {
        this.mimeType = options?.mimeType ?? "";
      }
      start() {
        this.state = "recording";
      }
      stop() {
        this.state = "inactive";
        log.push("recorder stopped");
        queueMicrotask(() => {
          this.ondataavailable?.({ data: new Blob([Uint8Array.of(7, 8)]) });
          this.onstop?.();
        });
      }
    }
    const getUserMedia = async () => {
      if (refusal) throw refusal;
      return { getTracks: () => [{ stop: () => log.push("track released") }] };
    };
    return { log, page: { MediaRecorder: FakeRecorder, navigator: { mediaDevices: { getUserMedia } } } };
  }

  it("records what the browser can, and lets every track go at the end", async () => {
    const { log, page: found } = page();
    const recording = await mediaRecorder(found)?.record();
    expect(await recording?.stop()).toEqual({ mimeType: "audio/mp4", bytes: Uint8Array.of(7, 8) });
    expect(log).toEqual(["recorder stopped", "track released"]);
  });

  it("lets every track go when it is given up", async () => {
    const { log, page: found } = page();
    (await mediaRecorder(found)?.record())?.abort();
    expect(log).toEqual(["recorder stopped", "track released"]);
  });

  it("tells a refusal of the reader from a missing microphone", async () => {
    const named = (name: string) => Object.assign(new Error("x"), { name });
    for (const [name, reason] of [
      ["NotAllowedError", "denied"],
      ["NotFoundError", "failed"],
    ] as const)
      await expect(mediaRecorder(page(named(name)).page)?.record()).rejects.toMatchObject({ reason });
  });

  it("is none without a microphone", () => {
    const { page: found } = page();
    expect(mediaRecorder({ ...found, navigator: {} })).toBeNull();
    expect(mediaRecorder({ ...found, MediaRecorder: undefined })).toBeNull();
  });
});

describe("browserLanguage", () => {
  it("remembers under the protocol's key, and begins with the browser's language", () => {
    const store = new Map<string, string>();
    const page = {
      localStorage: {
        getItem: (key: string) => store.get(key) ?? null,
        setItem: (key: string, value: string) => void store.set(key, value),
      },
      navigator: { language: "fr-CA" },
    };
    expect(browserLanguage(page).read()).toBe("fr-CA");
    browserLanguage(page).write("en-AU");
    expect(store).toEqual(new Map([["adapttable.voice.language", "en-AU"]]));
    expect(browserLanguage(page).read()).toBe("en-AU");
  });

  it("works where storage is not allowed", () => {
    const page = {
      get localStorage(): never {
        throw new Error("denied");
      },
      navigator: undefined,
    };
    browserLanguage(page).write("en-AU");
    expect(browserLanguage(page).read()).toBe("en-US");
  });
});
