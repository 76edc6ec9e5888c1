import { HttpError } from "../http/errors.ts";
import type { MediaPart } from "../turn/index.ts";

type MediaContent = Pick<MediaPart, "mediaType"> & ({ data: string } | { url: string });

/**
 * What an address that a client gives for a picture or a file stands for: the bytes of a `data:` URL in base64, or an
 * `https:` URL, which the model's provider fetches. `anyType` is said of a URL, whose type only the provider learns.
 * Throws `HttpError` 400 that names `param` for anything else.
 */
export function mediaFromUrl(url: string, anyType: string, param: string): MediaContent {
  if (/^https:\/\//i.test(url) && URL.canParse(url)) return { mediaType: anyType, url };
  const header = /^data:([a-z0-9.+-]+\/[a-z0-9.+-]+)(?:;[a-z0-9-]+=[^;,]*)*;base64,/i.exec(url);
  if (header === null) {
    throw mediaRefused(param, "must be an https URL, or a data URL in base64 that names its media type");
  }
  const [prefix = "", mediaType = ""] = header;
  return { mediaType: mediaType.toLowerCase(), data: base64(url.slice(prefix.length), param) };
}

/** `data` as it is when it is base64 and not empty. Throws `HttpError` 400 that names `param`. */
export function base64(data: string, param: string): string {
  if (data.length > 0 && data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data)) return data;
  throw mediaRefused(param, "must be data in base64, with padding and without line breaks");
}

/** The refusal of a part of a message; `must` completes the sentence that names it. */
export function mediaRefused(param: string, must: string): HttpError {
  return new HttpError("invalid_request", `${param} ${must}.`, { details: { param } });
}

/** The kind of a media type: what is neither picture, sound nor film is a file. */
export function kindOf(mediaType: string): MediaPart["kind"] {
  const [family] = mediaType.split("/");
  return family === "image" || family === "audio" || family === "video" ? family : "file";
}
