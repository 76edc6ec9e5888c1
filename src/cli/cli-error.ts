/**
 * An error whose message is meant for the person at the terminal: it says what is wrong and what to do about it.
 * The command prints it without a stack and exits with 2.
 */
export class CliError extends Error {
  override name = "CliError";
  /** Lines printed below the message, such as the places of a domain's problems. */
  readonly details: string[];
  constructor(message: string, details: string[] = [], options?: ErrorOptions) {
    super(message, options);
    this.details = details;
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
