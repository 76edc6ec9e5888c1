import type { SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { LanguageModel } from "../../models/language-model.ts";

/**
 * Signatures as this Worker keeps and shows them: `anthropic.EqQB…`, the provider that signed and its own text, which
 * may be empty. `google-.…`: of the call before it, not of a thought. So each provider gets back what is its own, also
 * from a client that keeps the conversation, and a conversation can change its model.
 */
const form = /^([a-z][a-z0-9]*(?:-[a-z0-9]+)*)(-?)\.(.*)$/s;

/** Who makes a model's answers, as signatures and errors name it: `anthropic`. */
export function providerOf(model: LanguageModel): string {
  return model.provider.split(".")[0] ?? "";
}

/** A provider's signature under its name. */
export function sign(provider: string, signature: string, ofCall = false): string {
  return `${provider}${ofCall ? "-" : ""}.${signature}`;
}

/** The signature's own text when `provider` made it, else `null`. */
export function signedBy(
  provider: string,
  signature: string | undefined,
): { signature: string; ofCall: boolean } | null {
  const [, by, mark, text] = form.exec(signature ?? "") ?? [];
  return by === provider && text !== undefined ? { signature: text, ofCall: mark === "-" } : null;
}

/** The signature and the hidden text that came with a part, wherever its package puts them. */
export function readMetadata(metadata: SharedV4ProviderMetadata | undefined): {
  signature?: string;
  redacted?: string;
} {
  const found: { signature?: string; redacted?: string } = {};
  for (const values of Object.values(metadata ?? {})) {
    const signature = values.signature ?? values.thoughtSignature;
    if (typeof signature === "string") found.signature = signature;
    if (typeof values.redactedData === "string") found.redacted = values.redactedData;
  }
  return found;
}
