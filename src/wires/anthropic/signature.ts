/**
 * Stands where a model gave no signature: clients of this wire refuse a thinking block without one, and send it back.
 * Its form is that of a signature of nobody, so no provider is ever shown it.
 */
export const unsigned = "unsigned.";

/** The signature a client sent back, `null` when the model had given none. */
export function signatureOf(signature: string | null | undefined): string | null {
  return signature === null || signature === undefined || signature === "" || signature === unsigned
    ? null
    : signature;
}
