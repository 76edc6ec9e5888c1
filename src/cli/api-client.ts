import type { DomainProblem } from "../sandtable/domain/problem.ts";
import type { Gate, Results, Summary } from "../sandtable/report/results.ts";
import { callEndpoint, type Endpoint, type EndpointInit, streamHeaders } from "./call-endpoint.ts";
import { CliError } from "./cli-error.ts";

/** Body of `POST /api/rehearsals`. */
export interface StartBody {
  domain: { files: Record<string, string> };
  agent:
    | { kind: "agent" | "builtin"; name: string }
    | {
        kind: "http";
        url: string;
        headers: Record<string, string>;
        label?: { kind: "module"; name: string };
      };
  trials: number;
  concurrency: number;
  tasks: string[];
  tags: string[];
  seed: number;
  maxSteps: number;
  stepTimeoutMs: number | null;
  failUnder: string[];
  floors: string[];
}

export interface RehearsalStatus {
  runId: string;
  status: Results["status"];
  planned: number;
  finished: number;
  summary?: Summary;
  gates?: Gate[];
}

/** A rehearsal in a list. */
export interface RehearsalRow {
  runId: string;
  domain: string;
  status: Results["status"];
  startedAt: string;
}

/** The endpoint could not be reached, or answered that it cannot serve now; trying again may help. */
export class Unreachable extends CliError {
  override name = "Unreachable";
}

/** The domain is refused, here or by the endpoint: every problem with its place. */
export class DomainRefused extends CliError {
  override name = "DomainRefused";
  readonly problems: DomainProblem[];
  /** Text of the domain's files, to show the lines from; empty when they are not at hand. */
  readonly files: Record<string, string>;
  /** The folder as the person named it; empty when it is not known. */
  readonly folder: string;
  constructor(message: string, problems: DomainProblem[], files: Record<string, string> = {}, folder = "") {
    super(message);
    this.problems = problems;
    this.files = files;
    this.folder = folder;
  }
}

/** The rehearsals of one Greenroom endpoint. Every method throws `CliError` with what the endpoint said. */
export class ApiClient {
  readonly #endpoint: Endpoint;
  /** `url` is an origin, optionally with a path before `/api`. */
  constructor(url: string, token: string) {
    this.#endpoint = { url: url.replace(/\/+$/, ""), token };
  }

  async start(body: StartBody): Promise<{ runId: string; planned: number }> {
    const response = await this.#call("POST", "/api/rehearsals", { body: JSON.stringify(body) });
    return (await response.json()) as { runId: string; planned: number };
  }

  async status(runId: string): Promise<RehearsalStatus> {
    return (await (await this.#call("GET", of(runId))).json()) as RehearsalStatus;
  }

  /** The newest rehearsals, newest first: at most 100. */
  async list(): Promise<RehearsalRow[]> {
    const response = await this.#call("GET", "/api/rehearsals?limit=100");
    return ((await response.json()) as { items: RehearsalRow[] }).items;
  }

  async cancel(runId: string): Promise<void> {
    await (await this.#call("POST", `${of(runId)}/cancel`)).body?.cancel();
  }

  /** Text of results.json. */
  async results(runId: string): Promise<string> {
    return (await this.#call("GET", `${of(runId)}/results`)).text();
  }

  /** The event stream from after `lastEventId`; its body ends when the rehearsal does. */
  async events(runId: string, lastEventId: string | null, signal: AbortSignal): Promise<Response> {
    return this.#call("GET", `${of(runId)}/events`, { headers: streamHeaders(lastEventId), signal });
  }

  async #call(method: string, path: string, init: EndpointInit = {}): Promise<Response> {
    const { url } = this.#endpoint;
    const response = await callEndpoint(
      this.#endpoint,
      method,
      path,
      init,
      (reason) => new Unreachable(`${url} cannot be reached: ${reason}`),
    );
    if (response.ok) return response;
    throw await refusal(url, response);
  }
}

function of(runId: string): string {
  return `/api/rehearsals/${encodeURIComponent(runId)}`;
}

async function refusal(url: string, response: Response): Promise<CliError> {
  const text = await response.text().catch(() => "");
  let error: { code?: string; message?: string; requestId?: string; problems?: DomainProblem[] } = {};
  try {
    error = (JSON.parse(text) as { error?: typeof error }).error ?? {};
  } catch {
    // Not one of ours: a proxy's page, or another service altogether.
  }
  if (typeof error.message !== "string") {
    const hint =
      response.status >= 300 && response.status < 400 ? " (a redirect, which is not followed)" : "";
    const message = `${url} answered ${response.status}${hint}; is it a Greenroom endpoint?`;
    return response.status >= 500 ? new Unreachable(message) : new CliError(message);
  }
  if (Array.isArray(error.problems)) return new DomainRefused(error.message, error.problems);
  const id = error.requestId === undefined ? "" : ` (request ${error.requestId})`;
  if (response.status === 401) return new CliError(`${url} refused the token: ${error.message}`);
  if (response.status >= 500)
    return new Unreachable(`${url} answered ${response.status}: ${error.message}${id}`);
  return new CliError(error.message);
}
