/** The variables an operator sets, as the platform gives them: text, or nothing. */
export interface Variables {
  /** One or several tokens, comma-separated: what a caller presents. Unset: any credential, on a loopback host only. */
  AGENT_HTTP_TOKEN?: string;
  /** Origins whose pages may read replies, comma-separated. */
  AGENT_ALLOWED_ORIGINS?: string;
  /** Largest request body, bytes. */
  AGENT_MAX_BODY?: string;
  /** Largest domain upload, bytes. */
  AGENT_MAX_DOMAIN?: string;
  /** Hosts, or host:port, that the outbound guard lets through whatever they are, comma-separated. */
  AGENT_ALLOWED_HOSTS?: string;
  /** Hours a session is kept after its last turn. */
  AGENT_SESSION_TTL_HOURS?: string;
  /** Hours a run is kept after its end: a workflow's with all that happened in it, the record of an agent's turn. */
  AGENT_RUN_TTL_HOURS?: string;
  /** Milliseconds between two signs of life on an idle stream. */
  AGENT_HEARTBEAT_MS?: string;
  /** Model that transcribes voice clips, instead of the usual one of whoever does. */
  AGENT_TRANSCRIBE_MODEL?: string;
}

export interface Config {
  /** Empty: none set. */
  tokens: string[];
  /** In the form a browser sends them. */
  allowedOrigins: string[];
  /** Bytes. */
  maxBody: number;
  /** Bytes. */
  maxDomain: number;
  /** In the form of `URL.host`. */
  allowedHosts: string[];
  sessionTtlMs: number;
  runTtlMs: number;
  heartbeatMs: number;
}

export interface ConfigProblem {
  variable: keyof Variables;
  /** A sentence that names the variable and what it should be. Never quotes a token. */
  message: string;
}

/** A picture of 5 MB as base64, or a coding agent's long transcript, with room to spare; an AdaptTable request is 256,000 bytes at most. */
const defaultMaxBodyBytes = 8_388_608;
/** A domain with large tables; three of them held at once stay below the 128 MB of an isolate. */
const defaultMaxDomainBytes = 33_554_432;
/** Thirty days: longer than people take to answer. */
const defaultSessionTtlHours = 720;
/** As long as the session it may belong to. */
const defaultRunTtlHours = 720;
/** Soon enough to notice a client that left, seldom enough to cost nothing. */
const defaultHeartbeatMs = 5_000;
/** The platform accepts no larger request on its free and pro plans. */
const largestBodyBytes = 104_857_600;
/** `wrangler dev`, Vite's dev server, and Astro's, on which the table's own showcase runs. */
const localOrigins = [
  "http://127.0.0.1:8787",
  "http://localhost:8787",
  "http://127.0.0.1:5173",
  "http://localhost:5173",
  "http://127.0.0.1:4321",
  "http://localhost:4321",
];

/**
 * Reads the variables. Unset and empty are the same. A refused variable is listed in `problems` and has its default
 * in `config`; while there is a problem no call that needs the configuration may be served.
 */
export function readConfig(variables: Variables): { config: Config; problems: ConfigProblem[] } {
  const problems: ConfigProblem[] = [];
  const refuse = (variable: keyof Variables, must: string) => {
    problems.push({ variable, message: `${variable} ${must}` });
  };
  return {
    config: {
      tokens: readTokens(variables.AGENT_HTTP_TOKEN, refuse),
      allowedOrigins: readOrigins(variables.AGENT_ALLOWED_ORIGINS, refuse),
      maxBody: readBytes("AGENT_MAX_BODY", variables.AGENT_MAX_BODY, defaultMaxBodyBytes, refuse),
      maxDomain: readBytes("AGENT_MAX_DOMAIN", variables.AGENT_MAX_DOMAIN, defaultMaxDomainBytes, refuse),
      allowedHosts: readHosts(variables.AGENT_ALLOWED_HOSTS, refuse),
      sessionTtlMs:
        3_600_000 *
        readWhole(
          variables,
          "AGENT_SESSION_TTL_HOURS",
          { standard: defaultSessionTtlHours, least: 1, most: 87_600 },
          refuse,
        ),
      runTtlMs:
        3_600_000 *
        readWhole(
          variables,
          "AGENT_RUN_TTL_HOURS",
          { standard: defaultRunTtlHours, least: 1, most: 87_600 },
          refuse,
        ),
      heartbeatMs: readWhole(
        variables,
        "AGENT_HEARTBEAT_MS",
        { standard: defaultHeartbeatMs, least: 100, most: 60_000 },
        refuse,
      ),
    },
    problems,
  };
}

type Refuse = (variable: keyof Variables, must: string) => void;

function readTokens(value: string | undefined, refuse: Refuse): string[] {
  if (isUnset(value)) return [];
  const tokens = entries(value);
  // A header cannot carry anything else unchanged, so such a token could never match.
  if (tokens.some((token) => !/^[\x21-\x7e]+$/.test(token))) {
    refuse(
      "AGENT_HTTP_TOKEN",
      "must be one or several tokens of printable ASCII without spaces, separated by commas, none of them empty.",
    );
    return [];
  }
  return tokens;
}

function readOrigins(value: string | undefined, refuse: Refuse): string[] {
  if (isUnset(value)) return localOrigins;
  const origins: string[] = [];
  for (const entry of entries(value)) {
    const url = URL.canParse(entry) ? new URL(entry) : null;
    const isOrigin =
      url !== null &&
      (url.protocol === "https:" || url.protocol === "http:") &&
      url.href === `${url.origin}/` &&
      !entry.endsWith("?") &&
      !entry.endsWith("#");
    if (!isOrigin) {
      refuse(
        "AGENT_ALLOWED_ORIGINS",
        `must be origins such as https://app.example.com, separated by commas, without a path and without "*"; got ${quote(entry)}.`,
      );
      return [];
    }
    origins.push(url.origin);
  }
  return origins;
}

function readBytes(
  variable: "AGENT_MAX_BODY" | "AGENT_MAX_DOMAIN",
  value: string | undefined,
  standard: number,
  refuse: Refuse,
): number {
  if (isUnset(value)) return standard;
  // A number written as one in wrangler.toml arrives as one.
  const text = String(value).trim();
  const bytes = Number(text);
  if (!/^[1-9]\d*$/.test(text) || bytes > largestBodyBytes) {
    refuse(variable, `must be a whole number of bytes from 1 to ${largestBodyBytes}; got ${quote(text)}.`);
    return standard;
  }
  return bytes;
}

function readWhole(
  variables: Variables,
  variable: "AGENT_SESSION_TTL_HOURS" | "AGENT_RUN_TTL_HOURS" | "AGENT_HEARTBEAT_MS",
  { standard, least, most }: { standard: number; least: number; most: number },
  refuse: Refuse,
): number {
  const value = variables[variable];
  if (isUnset(value)) return standard;
  const text = String(value).trim();
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && number <= most) return number;
  refuse(variable, `must be a whole number from ${least} to ${most}; got ${quote(text)}.`);
  return standard;
}

function readHosts(value: string | undefined, refuse: Refuse): string[] {
  if (isUnset(value)) return [];
  const hosts: string[] = [];
  for (const entry of entries(value)) {
    // Parsed as a URL, so that a host listed in any spelling is compared in the one spelling a parsed URL has.
    const url =
      /^[^\s/?#@\\*]+$/.test(entry) && URL.canParse(`http://${entry}`) ? new URL(`http://${entry}`) : null;
    if (url === null || url.host === "") {
      refuse(
        "AGENT_ALLOWED_HOSTS",
        `must be hosts such as agent.internal or 10.0.0.5:3000, separated by commas; got ${quote(entry)}.`,
      );
      return [];
    }
    hosts.push(entry.endsWith(":80") ? `${url.hostname}:80` : url.host);
  }
  return hosts;
}

function isUnset(value: string | undefined): value is undefined | "" {
  return value === undefined || value === "";
}

function entries(value: unknown): string[] {
  return String(value)
    .split(",")
    .map((entry) => entry.trim());
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
