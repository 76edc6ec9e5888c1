import type { Config } from "../config.ts";
import { HttpError } from "./errors.ts";

/** Hex digits of the SHA-256 that name an owner: 128 bits, so two credentials never share one. */
const ownerDigits = 32;

/**
 * Who is calling: the owner that belongs to the credential presented as `Authorization: Bearer` or `x-api-key`. When
 * both are sent, either may be the right one. With tokens configured one of them must match, compared in constant
 * time; without, any credential is accepted where `loopback` is true, and with `loopbackWithout` none is needed there.
 * Throws 401 `unauthorized`, or 503
 * `configuration_invalid` when no token is set and the host is not loopback.
 */
export async function authenticate(
  headers: Headers,
  config: Config,
  loopback: boolean,
  loopbackWithout = false,
): Promise<string> {
  if (config.tokens.length === 0 && !loopback) throw tokenMissing();
  const presented = presentedCredentials(headers);
  if (presented.length === 0 && config.tokens.length === 0 && loopbackWithout)
    return ownerOf(await sha256(""));
  if (presented.length === 0) {
    throw unauthorized(
      "This call needs a credential: send Authorization: Bearer TOKEN, or x-api-key: TOKEN.",
    );
  }
  const digests = await Promise.all(presented.map(sha256));
  if (config.tokens.length === 0) return ownerOf(digests[0]);
  const known = await Promise.all(config.tokens.map(sha256));
  let match: ArrayBuffer | undefined;
  // Every pair is compared, so that the time taken does not tell which token was close.
  for (const digest of digests) {
    for (const token of known) {
      if (crypto.subtle.timingSafeEqual(digest, token)) match ??= digest;
    }
  }
  if (match === undefined) throw unauthorized("The credential is not one of those in AGENT_HTTP_TOKEN.");
  return ownerOf(match);
}

/** Why every call on a host that is not loopback is refused while no token is set. */
export const tokenMissingMessage =
  "AGENT_HTTP_TOKEN is not set, so calls are answered on a loopback host only. Set it to a long random token, for example with: npx wrangler secret put AGENT_HTTP_TOKEN";

/** The credentials of a request, Bearer first; empty ones are none. */
export function presentedCredentials(headers: Headers): string[] {
  const bearer = /^bearer[ \t]+(.*)$/i.exec(headers.get("authorization") ?? "")?.[1];
  return [bearer, headers.get("x-api-key")]
    .map((value) => value?.trim() ?? "")
    .filter((value) => value !== "");
}

function tokenMissing(): HttpError {
  return new HttpError("configuration_invalid", tokenMissingMessage, {
    details: { variable: "AGENT_HTTP_TOKEN" },
  });
}

function unauthorized(message: string): HttpError {
  return new HttpError("unauthorized", message, { headers: { "www-authenticate": "Bearer" } });
}

function sha256(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
}

function ownerOf(digest: ArrayBuffer | undefined): string {
  let hex = "";
  for (const byte of new Uint8Array(digest ?? new ArrayBuffer(0)).subarray(0, ownerDigits / 2))
    hex += (byte < 16 ? "0" : "") + byte.toString(16);
  return hex;
}
