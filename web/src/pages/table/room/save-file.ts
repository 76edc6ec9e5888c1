import type { ExportedFile } from "../../../../../src/table/index.ts";

/** Hands an exported file to the person; its address lives just long enough for that. */
export function saveFile({ name, mediaType, text }: ExportedFile): void {
  const url = URL.createObjectURL(new Blob([text], { type: mediaType }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
