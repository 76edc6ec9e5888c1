import { type FormEvent, useState } from "react";
import { isLoopback, setToken, useToken } from "../api/token.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";

/** Asks for the token a page cannot do without. */
export function TokenGate() {
  const { token } = useToken();
  const [text, setText] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== "") setToken(text);
  };
  return (
    <form className="card token-gate" onSubmit={submit}>
      <span className="state-icon">
        <Icon name="key" size={22} />
      </span>
      <h1 tabIndex={-1}>
        {token === "" || isLoopback ? "This Worker asks for a token" : "The token is not accepted"}
      </h1>
      <p className="soft">
        One of those in <code>AGENT_HTTP_TOKEN</code>. It stays in this tab’s session storage, goes to this
        Worker only, and is gone when the tab is closed.
      </p>
      <TextField
        label="Token"
        type="password"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={setText}
        required
      />
      <Button type="submit" look="primary">
        Use this token
      </Button>
    </form>
  );
}
