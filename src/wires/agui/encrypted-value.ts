import type { ReasoningBlock } from "../../turn/index.ts";

/** Marks a hidden thought; a signature never begins so. */
const redactedMark = "redacted:";

/** What a client keeps beside a thought and sends back with it, opaque to it; `undefined` when there is nothing. */
export function encryptedValue({
  signature,
  redacted,
}: Pick<ReasoningBlock, "signature" | "redacted">): string | undefined {
  return redacted === undefined ? signature : `${redactedMark}${redacted}`;
}

/** What `encryptedValue` was made of. */
export function readEncryptedValue(
  value: string | null | undefined,
): Pick<ReasoningBlock, "signature" | "redacted"> {
  if (value === null || value === undefined || value === "") return {};
  return value.startsWith(redactedMark)
    ? { redacted: value.slice(redactedMark.length) }
    : { signature: value };
}
