import { HttpError } from "../../http/errors.ts";
import type { MediaPart, Part } from "../../turn/index.ts";

const kinds: { [type: string]: MediaPart["kind"] } = {
  image: "image",
  audio: "audio",
  video: "video",
  document: "file",
};

/** What a part is taken for when its client does not say. */
const anyMediaType: { [kind in MediaPart["kind"]]: string } = {
  image: "image/*",
  audio: "audio/*",
  video: "video/*",
  file: "application/octet-stream",
};

/**
 * The parts of a message's content, a text or a list of parts. `path` is where it stands in the request. Throws
 * `HttpError` 400 that names the place of a part nobody here could read.
 */
export function decodeContent(content: unknown, path: string): Part[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (content === null || content === undefined) return [];
  if (!Array.isArray(content)) throw refused(path, "must be a text or a list of parts");
  return content.map((part: unknown, at) => decodePart(part, `${path}[${at}]`));
}

/** Content as one text, where only a text can stand. Throws as `decodeContent` does, also for a part that is no text. */
export function decodeText(content: unknown, path: string): string {
  return decodeContent(content, path)
    .map((part, at) => {
      if (part.type === "text") return part.text;
      throw refused(`${path}[${at}]`, `is ${part.kind}, and only text can be taken here`);
    })
    .join("");
}

function decodePart(part: unknown, path: string): Part {
  if (!isObject(part)) throw refused(path, "must be a part, an object with a type");
  const { type } = part;
  if (type === "text") {
    if (typeof part.text !== "string") throw refused(`${path}.text`, "must be a text");
    return { type: "text", text: part.text };
  }
  // As clients before 1.0 send it.
  if (type === "binary") return decodeBinary(part, path);
  const kind = typeof type === "string" && Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (kind === undefined) {
    throw refused(`${path}.type`, "must be text, image, audio, video or document");
  }
  return { ...decodeSource(part.source, kind, `${path}.source`), ...nameOf(part.metadata) };
}

function decodeSource(source: unknown, kind: MediaPart["kind"], path: string): MediaPart {
  if (!isObject(source)) throw refused(path, "must say where the bytes come from");
  const { type, value, mimeType } = source;
  if (type === "file") {
    throw refused(
      `${path}.type`,
      "is a file kept at a provider, which cannot be read here; send data or a url",
    );
  }
  if (type !== "data" && type !== "url") throw refused(`${path}.type`, "must be data or url");
  if (typeof value !== "string" || value === "") throw refused(`${path}.value`, "must be a text, not empty");
  const named = typeof mimeType === "string" && mimeType !== "" ? mimeType : undefined;
  if (type === "data") {
    return { type: "media", kind, mediaType: named ?? anyMediaType[kind], data: value };
  }
  return decodeUrl(value, kind, named, `${path}.value`);
}

function decodeUrl(url: string, kind: MediaPart["kind"], named: string | undefined, path: string): MediaPart {
  const inline = /^data:([^;,]*)[^,]*;base64,(.*)$/s.exec(url);
  if (inline !== null) {
    const [, mediaType = "", data = ""] = inline;
    return { type: "media", kind, mediaType: named ?? (mediaType || anyMediaType[kind]), data };
  }
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw refused(path, "must be an http or https address, or a base64 data address");
  }
  return { type: "media", kind, mediaType: named ?? anyMediaType[kind], url };
}

function decodeBinary(part: { [key: string]: unknown }, path: string): Part {
  const { mimeType, data, url, filename } = part;
  const mediaType = typeof mimeType === "string" ? mimeType : "";
  const [family = ""] = mediaType.split("/");
  const kind = family === "document" ? "file" : (kinds[family] ?? "file");
  const named = mediaType === "" ? anyMediaType[kind] : mediaType;
  const name = nameOf({ filename });
  if (typeof data === "string" && data !== "") {
    return { type: "media", kind, mediaType: named, data, ...name };
  }
  if (typeof url === "string" && url !== "")
    return { ...decodeUrl(url, kind, named, `${path}.url`), ...name };
  throw refused(path, "must bring its bytes as data or a url");
}

function nameOf(metadata: unknown): { name?: string } {
  const name = isObject(metadata) ? metadata.filename : undefined;
  return typeof name === "string" && name !== "" ? { name } : {};
}

function refused(path: string, why: string): HttpError {
  return new HttpError("invalid_body", `The request body is not what this call expects at ${path}: ${why}`, {
    details: { issues: [{ path, message: why }] },
  });
}

function isObject(value: unknown): value is { [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
