import { callEndpoint, type Endpoint, type EndpointInit, streamHeaders } from "../call-endpoint.ts";
import { OperateError, operateCodes } from "./operate-error.ts";

/** A reply of the endpoint, whose members the caller knows from the route's schema. */
export type Reply = { [key: string]: unknown };

/** One running Greenroom, local or hosted, as the operating commands talk to it. Every method throws `OperateError`. */
export class OperateClient {
  readonly #endpoint: Endpoint;
  /** `url` is an origin, optionally with a path before `/api`. */
  constructor(url: string, token: string) {
    this.#endpoint = { url: url.replace(/\/+$/, ""), token };
  }

  async get(path: string): Promise<Reply> {
    return (await (await this.call("GET", path)).json()) as Reply;
  }

  async post(path: string, body?: unknown): Promise<Reply> {
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    return (await (await this.call("POST", path, init)).json()) as Reply;
  }

  /** A stream of events from after `lastEventId`. */
  events(path: string, lastEventId: string | null, signal: AbortSignal): Promise<Response> {
    return this.call("GET", path, { headers: streamHeaders(lastEventId), signal });
  }

  private async call(method: string, path: string, init: EndpointInit = {}): Promise<Response> {
    const response = await callEndpoint(
      this.#endpoint,
      method,
      path,
      init,
      (reason) =>
        new OperateError(
          "not_running",
          `${this.#endpoint.url} cannot be reached: ${reason}`,
          operateCodes.notRunning,
          "Start one with `npm run dev`, or name another with --endpoint URL.",
        ),
    );
    if (response.ok) return response;
    throw await this.refusal(response);
  }

  private async refusal(response: Response): Promise<OperateError> {
    const text = await response.text();
    const { error } = parsed(text);
    if (typeof error?.message !== "string")
      return new OperateError(
        "not_greenroom",
        `${this.#endpoint.url} answered ${response.status}; is it a Greenroom?`,
        operateCodes.other,
      );
    const code = typeof error.code === "string" ? error.code : "error";
    const issues = Array.isArray(error.issues) ? error.issues.map(issueLine) : [];
    if (response.status === 401)
      return new OperateError(
        code,
        error.message,
        operateCodes.notSignedIn,
        "Give the token with --token T, or set GREENROOM_TOKEN.",
      );
    if (response.status === 403) return new OperateError(code, error.message, operateCodes.denied);
    if (response.status === 404) return new OperateError(code, error.message, operateCodes.notFound);
    const id = response.status >= 500 && error.requestId !== undefined ? ` (request ${error.requestId})` : "";
    return new OperateError(code, `${error.message}${id}`, operateCodes.other, undefined, issues);
  }
}

interface ErrorBody {
  error?: { code?: unknown; message?: unknown; requestId?: string; issues?: unknown };
}

function parsed(text: string): ErrorBody {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as ErrorBody) : {};
  } catch {
    // A proxy's page, or another service altogether: the caller says so.
    return {};
  }
}

function issueLine(issue: unknown): string {
  const { path, message } = issue as { path?: unknown; message?: unknown };
  const place = Array.isArray(path) ? path.join(".") : String(path ?? "");
  return place === "" ? String(message) : `${place}: ${String(message)}`;
}
