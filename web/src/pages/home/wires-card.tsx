import { useState } from "react";
import { useAgents } from "../../api/agents.ts";
import { Card } from "../../ui/card.tsx";
import { CodeBlock } from "../../ui/code.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { wiresFor } from "./snippets.ts";

/** Snippets for each wire, filled in with this origin and an agent of this Worker. */
export function WiresCard({ token }: { token: string }) {
  const { data: agents } = useAgents();
  const names = agents?.map(({ name }) => name) ?? ["support"];
  const [picked, setPicked] = useState("support");
  const [question, setQuestion] = useState("What plans do you offer?");
  const [wire, setWire] = useState("openai");
  const agent = names.includes(picked) ? picked : (names[0] ?? "support");
  const wires = wiresFor({ origin: location.origin, token, agent, question });
  const about = agents?.find(({ name }) => name === agent)?.description;

  return (
    <Card title="Get in with a client you already have" note="Every agent answers on every wire.">
      <div className="stack">
        <div className="wires-values">
          <SelectField label="Agent" value={agent} onChange={setPicked} options={names} hint={about} />
          <TextField label="Question" value={question} onChange={setQuestion} maxLength={500} />
        </div>
        <Tabs
          label="Wires"
          selected={wire}
          onSelect={setWire}
          tabs={wires.map(({ id, name, about: line, snippets }) => ({
            id,
            label: name,
            content: (
              <div className="stack">
                <p className="soft">{line}</p>
                <div className="snippets">
                  {snippets.map((snippet) => (
                    <CodeBlock key={snippet.label} {...snippet} />
                  ))}
                </div>
              </div>
            ),
          }))}
        />
      </div>
    </Card>
  );
}
