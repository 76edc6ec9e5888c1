import { isLoopbackHost, isPublicIp } from "./host.ts";

/** What an outbound request to an address somebody else gave may reach. */
export interface OutboundPolicy {
  /** Loopback hosts, over http too: only where this Worker itself runs on loopback. */
  loopbackAllowed: boolean;
  /** `URL.host` or `URL.hostname` values that are let through whatever they are. */
  allowedHosts: string[];
}

/** Longest address accepted, characters. */
const maxUrlLength = 2048;

/** Names that resolve inside somebody's network, never on the public internet. */
const privateSuffixes = [".local", ".localdomain", ".internal", ".intranet", ".lan", ".home.arpa"];

/**
 * Why `url` must not be requested under `policy`, in words that follow the address in a sentence, or `null` when it may.
 * Judges the address as the platform's own URL parser reads it, so every spelling of a host is judged alike. Lets
 * through public https on port 443 or from 1024 up, loopback when allowed, and the hosts that are listed. A name is
 * judged by its spelling only: a public name may still resolve to a private address, which the platform's own
 * network rules have to stop.
 */
export function guardUrl(url: string, policy: OutboundPolicy): string | null {
  if (url.length > maxUrlLength) return `is longer than ${maxUrlLength} characters`;
  if (!URL.canParse(url)) return "is not an absolute URL";
  const parsed = new URL(url);
  if (parsed.protocol !== "https:" && parsed.protocol !== "http:") return "is not an https address";
  if (parsed.username !== "" || parsed.password !== "") {
    return "carries a user name or password; send credentials in a header";
  }
  if (isListed(parsed, policy.allowedHosts)) return null;

  const host = parsed.hostname.replace(/\.+$/, "");
  if (isLoopbackHost(host)) {
    return policy.loopbackAllowed ? null : "is a loopback address, which a deployed Worker does not call";
  }
  if (parsed.protocol !== "https:") return "is not an https address";
  const publicIp = isPublicIp(host);
  if (publicIp === false) return "is a private or reserved address";
  if (publicIp === null) {
    if (!host.includes(".")) return "is a host name without a domain";
    if (privateSuffixes.some((suffix) => host.endsWith(suffix))) return "is a private host name";
  }
  const port = parsed.port === "" ? 443 : Number(parsed.port);
  if (port < 1024 && port !== 443) return `uses port ${port}; only 443 and ports from 1024 up are called`;
  return null;
}

function isListed(url: URL, allowedHosts: string[]): boolean {
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  return allowedHosts.some((allowed) => allowed === url.hostname || allowed === `${url.hostname}:${port}`);
}
