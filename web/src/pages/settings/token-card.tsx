import { type FormEvent, useState } from "react";
import { isLoopback, setToken, useToken } from "../../api/token.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { TextField } from "../../ui/field.tsx";
import { toast } from "../../ui/toast.tsx";

/** Which token this tab uses, and another one. */
export function TokenCard() {
  const { token, given, needed } = useToken();
  const [text, setText] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === "") return;
    setToken(text);
    setText("");
    toast({ tone: "ok", text: "This tab uses the new token." });
  };
  return (
    <Card
      title="Token"
      actions={
        needed ? (
          <Badge tone="warn" icon="alert">
            needed
          </Badge>
        ) : (
          <Badge tone="ok" icon="check">
            {given ? "yours" : "not needed here"}
          </Badge>
        )
      }
    >
      <form className="stack" onSubmit={submit}>
        <p className="soft small">
          {!given && isLoopback && !needed ? (
            <>
              This Worker runs on this machine, where any token does until <code>AGENT_HTTP_TOKEN</code> is
              set. The console says <code>{token}</code>, as the snippets do, so that both see the same
              sessions.
            </>
          ) : (
            <>
              Kept in this tab’s session storage, sent to this Worker only, gone when the tab is closed. What
              you see belongs to your token: another one has sessions and runs of its own.
            </>
          )}
        </p>
        <TextField
          label={given ? "Another token" : "Token"}
          type="password"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={setText}
        />
        <div className="row">
          <Button type="submit" look="primary" disabled={text.trim() === ""}>
            Use it
          </Button>
          {given && <Button onClick={() => setToken("")}>Forget it</Button>}
        </div>
      </form>
    </Card>
  );
}
