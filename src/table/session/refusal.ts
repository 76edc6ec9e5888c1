/** Why a call did not run: thrown inside the session, answered as `error` of a result. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** What an error says, for someone who sees only that. */
export function messageOf(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  return said === "" ? "it gave no reason" : said;
}
