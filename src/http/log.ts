/** Longest message written to the log, characters. */
const maxMessageLength = 500;
/** Frames kept of a stack: enough to find the place. */
const maxFrames = 8;
/** Variables whose value is a secret. */
const secretVariable = /(TOKEN|KEY|SECRET|PASSWORD)S?$/;
/** A shorter value would blank out ordinary words. */
const minSecretLength = 4;

/** The values that never go to the log: those of secret variables, and the credentials this request presented. */
export function secretsOf(env: object, presented: string[]): string[] {
  const configured = Object.entries(env).flatMap(([name, value]) =>
    secretVariable.test(name) && typeof value === "string" ? value.split(",").map((part) => part.trim()) : [],
  );
  return [...configured, ...presented].filter((secret) => secret.length >= minSecretLength);
}

/** `text` with every secret, and everything that looks like a bearer credential, replaced; at most 500 characters. */
export function redact(text: string, secrets: string[]): string {
  let clean = text;
  for (const secret of secrets) clean = clean.replaceAll(secret, "[redacted]");
  clean = clean.replace(/\b(bearer|x-api-key:?)\s+\S+/gi, "$1 [redacted]");
  return clean.length > maxMessageLength ? `${clean.slice(0, maxMessageLength)}…` : clean;
}

/**
 * One JSON line about an unexpected failure. Carries the route's pattern rather than the address, and no message of a
 * parser, because those quote what they were given.
 */
export function failureLine(
  thrown: unknown,
  about: { requestId: string; method: string; route: string },
  secrets: string[],
): string {
  return JSON.stringify({
    level: "error",
    event: "request_failed",
    ...about,
    error: describeError(thrown, secrets),
  });
}

function describeError(thrown: unknown, secrets: string[]): { [key: string]: unknown } {
  if (!(thrown instanceof Error)) return { name: typeof thrown };
  const frames = (thrown.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    name: thrown.name,
    ...(thrown instanceof SyntaxError ? {} : { message: redact(thrown.message, secrets) }),
    at: frames.slice(0, maxFrames).map((frame) => redact(frame.trim(), secrets)),
    ...(thrown.cause === undefined ? {} : { cause: describeError(thrown.cause, secrets) }),
  };
}
