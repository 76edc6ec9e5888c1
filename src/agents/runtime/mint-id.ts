/** A fresh id such as `msg_0190a7…`: rising with time, so that ids sort as they were made, and not to be guessed. */
export function mintId(prefix: string): string {
  const time = Date.now().toString(16).padStart(12, "0");
  return `${prefix}${time}${crypto.randomUUID().replaceAll("-", "").slice(0, 20)}`;
}
