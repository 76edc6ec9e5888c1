import { CliError } from "../cli-error.ts";

/** What the commands that operate a Greenroom end with. */
export const operateCodes = {
  ok: 0,
  other: 1,
  notSignedIn: 2,
  notRunning: 3,
  notFound: 4,
  denied: 5,
} as const;

/** A refusal as the operating commands tell it: a code for programs, words for people, and the exit code. */
export class OperateError extends CliError {
  override name = "OperateError";
  /** Such as `not_found`: the endpoint's own code where it gave one. */
  readonly code: string;
  readonly exitCode: number;
  /** What to do about it. */
  readonly suggestion: string | undefined;
  /** Every place that is wrong in what was sent. */
  readonly issues: string[];
  constructor(code: string, message: string, exitCode: number, suggestion?: string, issues: string[] = []) {
    super(message, suggestion === undefined ? issues : [...issues, suggestion]);
    this.code = code;
    this.exitCode = exitCode;
    this.suggestion = suggestion;
    this.issues = issues;
  }

  /** As `--json` prints it. */
  toJson(): { [key: string]: unknown } {
    const { code, message, issues, suggestion } = this;
    return {
      error: {
        code,
        message,
        ...(issues.length === 0 ? {} : { issues }),
        ...(suggestion === undefined ? {} : { suggestion }),
      },
    };
  }
}
