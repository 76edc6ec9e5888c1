/** One frame of a stream as it was sent, fields in order. */
export interface SentFrame {
  event: string | null;
  /** Parsed; a text where it is no JSON. */
  data: unknown;
}

/** The frames of a whole stream. Throws on anything but frames of an optional event and one line of data. */
export function framesOf(body: string): SentFrame[] {
  if (!body.endsWith("\n\n") || body.includes("\r"))
    throw new Error("the stream is not framed by empty lines");
  return body
    .slice(0, -2)
    .split("\n\n")
    .filter((frame) => !frame.startsWith(":"))
    .map((frame) => {
      const [, event, data] = /^(?:event: (.*)\n)?data: (.*)$/.exec(frame) ?? [];
      if (data === undefined) throw new Error(`no frame: ${frame}`);
      return { event: event ?? null, data: parsed(data) };
    });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
