import { useState } from "react";
import { currentToken, isLoopback, isTokenGiven } from "../../../api/token.ts";
import { CodeBlock } from "../../../ui/code.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Tabs } from "../../../ui/tabs.tsx";
import { wiresFor } from "../../home/snippets.ts";

const offered = ["openai", "anthropic", "agui"];

/** What was just said, as code for each wire that takes a message. */
export function SnippetsDialog({
  agent,
  threadId,
  said,
  onClose,
}: {
  agent: string;
  threadId: string;
  said: string;
  onClose: () => void;
}) {
  const [wire, setWire] = useState("openai");
  // A token that a person gave stays where it is.
  const token = isLoopback && !isTokenGiven() ? currentToken() : "$GREENROOM_TOKEN";
  const wires = wiresFor({ origin: location.origin, token, agent, question: said });
  return (
    <Dialog open onClose={onClose} title="Say it from code">
      <Tabs
        label="Wires"
        selected={wire}
        onSelect={setWire}
        tabs={wires
          .filter(({ id }) => offered.includes(id))
          .map(({ id, name, snippets }) => ({
            id,
            label: name,
            content: (
              <div className="stack">
                {snippets.map((snippet) => (
                  <CodeBlock key={snippet.label} {...snippet} />
                ))}
                <p className="small soft wrap-anywhere">
                  {id === "agui" ? (
                    <>
                      With <code>{threadId}</code> as the <code>threadId</code> it goes on in this very
                      conversation.
                    </>
                  ) : (
                    <>
                      With the header <code>x-stackbone-session: {threadId}</code> it goes on in this very
                      conversation, and calls that need a person can wait for one.
                    </>
                  )}
                </p>
              </div>
            ),
          }))}
      />
    </Dialog>
  );
}
