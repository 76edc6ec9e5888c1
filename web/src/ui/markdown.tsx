import { lazy, Suspense } from "react";
import { safeText } from "../../../src/sandtable/report/safe-text.ts";

const View = lazy(async () => ({ default: (await import("./markdown-view.tsx")).MarkdownView }));

/**
 * Markdown of an agent: no HTML, no picture from elsewhere, links to http, https and mailto only. Shows the plain text
 * until the renderer is there.
 */
export function Markdown({ text }: { text: string }) {
  const safe = safeText(text);
  return (
    <div className="markdown">
      <Suspense fallback={<p className="markdown-plain">{safe}</p>}>
        <View text={safe} />
      </Suspense>
    </div>
  );
}
