import { safeText } from "../../../src/sandtable/report/safe-text.ts";
import type { Block, Message, Part } from "../../../src/turn/index.ts";
import { Badge } from "./badge.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { Facts, JsonView } from "./json-view.tsx";
import { Markdown } from "./markdown.tsx";

const who: Record<Message["role"], { name: string; icon: IconName }> = {
  system: { name: "System", icon: "info" },
  user: { name: "User", icon: "user" },
  assistant: { name: "Agent", icon: "robot" },
  tool: { name: "Result", icon: "tool" },
};

/** A conversation as it is stored: what was said, called and answered. */
export function Messages({ messages }: { messages: Message[] }) {
  return (
    <ol className="messages">
      {messages.map((message) => (
        <li key={message.id} className={`message message-${message.role}`}>
          <p className="message-who">
            <Icon name={who[message.role].icon} size={14} />
            {who[message.role].name}
            {message.role === "tool" && message.isError && <Badge tone="bad">error</Badge>}
          </p>
          <Content message={message} />
        </li>
      ))}
    </ol>
  );
}

function Content({ message }: { message: Message }) {
  switch (message.role) {
    case "system":
      // A policy is longer than what was said under it.
      return (
        <details className="small">
          <summary>{message.text.length.toLocaleString()} characters of instructions</summary>
          <p className="pre-line wrap-anywhere soft">{safeText(message.text)}</p>
        </details>
      );
    case "user":
      return message.parts.map((part, index) => <PartView key={keyOf(part, index)} part={part} />);
    case "assistant":
      return message.blocks.map((block, index) => <BlockView key={keyOf(block, index)} block={block} />);
    case "tool":
      return <JsonView value={message.content} />;
  }
}

function PartView({ part }: { part: Part }) {
  if (part.type === "text") return <p className="pre-line wrap-anywhere">{safeText(part.text)}</p>;
  return (
    <p className="soft">
      [{part.kind}: {safeText(part.name ?? part.mediaType)}]
    </p>
  );
}

function BlockView({ block }: { block: Block }) {
  switch (block.type) {
    case "text":
      return <Markdown text={block.text} />;
    case "reasoning":
      return (
        <details className="small">
          <summary>Reasoning</summary>
          <p className="pre-line wrap-anywhere soft">{safeText(block.text)}</p>
        </details>
      );
    case "call":
      return (
        <div className="message-call">
          <p className="mono wrap-anywhere">{safeText(block.name)}</p>
          <Facts of={block.args} />
        </div>
      );
  }
}

function keyOf(part: { type: string }, index: number): string {
  return `${part.type} ${index}`;
}
