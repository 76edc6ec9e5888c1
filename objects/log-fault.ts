/** Writes a fault of ours to the log, with what names it and nothing a client said. */
export function logFault(event: string, error: unknown): void {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  console.error(JSON.stringify({ level: "error", event, error: `${name}: ${message.slice(0, 300)}` }));
}
