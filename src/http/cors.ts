/** What a client's SDK reads off a reply. Without `x-should-retry` one in a browser sends a refused turn again. */
const exposedHeaders = "x-request-id, request-id, x-should-retry, retry-after, x-greenroom-model";

/** Headers a page may send. */
const requestHeaders = [
  "accept",
  "anthropic-beta",
  "anthropic-dangerous-direct-browser-access",
  "anthropic-version",
  "authorization",
  "content-type",
  "idempotency-key",
  "last-event-id",
  "x-api-key",
  "x-request-id",
  "x-stackbone-conversation",
  "x-stackbone-session",
];

/** Families of headers that clients add by themselves and rename between releases. */
const requestHeaderFamilies = /^(anthropic|x-stainless)-[a-z0-9-]{1,60}$/;

/** How long a browser may remember a preflight, seconds. */
const preflightMaxAgeS = 600;

/** Whether `request` is a browser asking permission for another request. */
export function isPreflight(request: Request): boolean {
  return (
    request.method === "OPTIONS" &&
    request.headers.has("origin") &&
    request.headers.has("access-control-request-method")
  );
}

/** The answer to a preflight: 204 whatever the origin; what it permits is added by `addCorsHeaders`. */
export function preflightResponse(request: Request, methods: string[]): Response {
  const asked = (request.headers.get("access-control-request-headers") ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => requestHeaderFamilies.test(name) && !requestHeaders.includes(name));
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": methods.join(", "),
      "access-control-allow-headers": [...requestHeaders, ...new Set(asked)].join(", "),
      "access-control-max-age": String(preflightMaxAgeS),
      vary: "Access-Control-Request-Headers",
    },
  });
}

/**
 * Lets a page of a listed origin read the reply and its request id. A page of any other origin is served the same
 * reply without these headers, so its browser keeps it from the page. Never allows cookies; always varies by origin.
 */
export function addCorsHeaders(headers: Headers, origin: string | null, allowedOrigins: string[]): void {
  headers.append("vary", "Origin");
  if (origin === null || !allowedOrigins.includes(origin)) return;
  headers.set("access-control-allow-origin", origin);
  headers.set("access-control-expose-headers", exposedHeaders);
}
