import { InvalidArgumentError } from "commander";

/** A number of rows an endpoint gives in one page. Throws what commander prints. */
export function pageSize(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > 100)
    throw new InvalidArgumentError("It must be a whole number from 1 to 100.");
  return value;
}

/** Any JSON. Throws what commander prints. */
export function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new InvalidArgumentError(
      `It is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
