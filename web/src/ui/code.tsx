import { useState } from "react";
import { Button } from "./button.tsx";
import { toast } from "./toast.tsx";

/** Copies a text and says so. */
function CopyButton({
  text,
  label = "Copy",
  quiet = true,
}: {
  text: string;
  label?: string;
  quiet?: boolean;
}) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), 1_500);
    } catch {
      toast({ tone: "bad", text: "This browser does not let the page copy. Select the text instead." });
    }
  };
  return (
    <Button small look={quiet ? "quiet" : "default"} icon={copied ? "check" : "copy"} onClick={copy}>
      <span aria-live="polite">{copied ? "Copied" : label}</span>
    </Button>
  );
}

/** A text to take along, as it is: code, a command, an address. */
export function CodeBlock({ code, label }: { code: string; label?: string }) {
  return (
    <figure className="code-block">
      <figcaption>
        <span>{label ?? ""}</span>
        <CopyButton text={code} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard. */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </figure>
  );
}
