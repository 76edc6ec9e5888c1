import type { MediaPart, Part } from "../../turn/index.ts";
import { base64, kindOf, mediaFromUrl, mediaRefused } from "../media.ts";

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
  if (!Array.isArray(content)) throw mediaRefused(path, "must be a text or a list of parts");
  return content.map((part: unknown, at) => decodePart(part, `${path}[${at}]`));
}

/** Content as one text, where only a text can stand. Throws as `decodeContent` does, also for a part that is no text. */
export function decodeText(content: unknown, path: string): string {
  return decodeContent(content, path)
    .map((part, at) => {
      if (part.type === "text") return part.text;
      throw mediaRefused(`${path}[${at}]`, `is ${part.kind}, and only text can be taken here`);
    })
    .join("");
}

function decodePart(part: unknown, path: string): Part {
  if (!isObject(part)) throw mediaRefused(path, "must be a part, an object with a type");
  const { type } = part;
  if (type === "text") {
    if (typeof part.text !== "string") throw mediaRefused(`${path}.text`, "must be a text");
    return { type: "text", text: part.text };
  }
  // As clients before 1.0 send it.
  if (type === "binary") return decodeBinary(part, path);
  const kind = typeof type === "string" && Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (kind === undefined) {
    throw mediaRefused(`${path}.type`, "must be text, image, audio, video or document");
  }
  return { ...decodeSource(part.source, kind, `${path}.source`), ...nameOf(part.metadata) };
}

function decodeSource(source: unknown, kind: MediaPart["kind"], path: string): MediaPart {
  if (!isObject(source)) throw mediaRefused(path, "must say where the bytes come from");
  const { type, value, mimeType } = source;
  if (type === "file") {
    throw mediaRefused(
      `${path}.type`,
      "is a file kept at a provider, which cannot be read here; send data or a url",
    );
  }
  if (type !== "data" && type !== "url") throw mediaRefused(`${path}.type`, "must be data or url");
  if (typeof value !== "string") throw mediaRefused(`${path}.value`, "must be a text");
  return decodeBytes(type === "data" ? { data: value } : { url: value }, kind, mimeType, `${path}.value`);
}

function decodeBytes(
  { data, url = "" }: { data?: string; url?: string },
  kind: MediaPart["kind"],
  mimeType: unknown,
  path: string,
): MediaPart {
  const named = typeof mimeType === "string" && mimeType !== "" ? { mediaType: mimeType } : {};
  const mediaType = anyMediaType[kind];
  if (data === undefined) return { type: "media", kind, ...mediaFromUrl(url, mediaType, path), ...named };
  return { type: "media", kind, mediaType, data: base64(data, path), ...named };
}

function decodeBinary(part: { [key: string]: unknown }, path: string): Part {
  const { mimeType, data, url, filename } = part;
  const kind = kindOf(typeof mimeType === "string" ? mimeType : "");
  const name = nameOf({ filename });
  if (typeof data === "string") return { ...decodeBytes({ data }, kind, mimeType, `${path}.data`), ...name };
  if (typeof url === "string") return { ...decodeBytes({ url }, kind, mimeType, `${path}.url`), ...name };
  throw mediaRefused(path, "must bring its bytes as data or a url");
}

function nameOf(metadata: unknown): { name?: string } {
  const name = isObject(metadata) ? metadata.filename : undefined;
  return typeof name === "string" && name !== "" ? { name } : {};
}

function isObject(value: unknown): value is { [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
