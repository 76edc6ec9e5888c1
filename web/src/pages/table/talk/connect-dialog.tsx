import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { endpointFault, ownEndpoint } from "../room/backend.ts";
import type { RoomState, TableRoom } from "../room/table-room.ts";
import { failureWords } from "../room/words.ts";

/** Asks for a backend and says hello to it. It is connected once it said hello back; until then nothing changes. */
export function ConnectDialog({
  room,
  state,
  open,
  onClose,
}: {
  room: TableRoom;
  state: RoomState;
  open: boolean;
  onClose: () => void;
}) {
  const { backend, connecting } = state;
  const [endpoint, setEndpoint] = useState(backend.kind === "connected" ? backend.endpoint : ownEndpoint);
  const [token, setToken] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const connect = async () => {
    const wrong = endpointFault(endpoint.trim());
    setFault(wrong);
    if (wrong !== null) return;
    try {
      await room.connect({ endpoint: endpoint.trim(), token: token.trim() });
      onClose();
    } catch (error) {
      setFault(failureWords(error));
    }
  };
  return (
    <Dialog open={open} onClose={onClose} title="Connect a backend">
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void connect();
        }}
      >
        <p className="soft small">
          Any server that speaks <code>adapttable.agent.v1</code>. It gets the table's columns, filters and
          view, your words, and the rows it asks for; never a hidden column.
        </p>
        <TextField
          label="Endpoint"
          type="url"
          spellCheck={false}
          autoComplete="off"
          maxLength={2_000}
          value={endpoint}
          onChange={setEndpoint}
        />
        <TextField
          label="Token"
          optional
          type="password"
          autoComplete="off"
          maxLength={4_000}
          hint="Sent as a bearer token and kept in this tab only. Empty: this tab's own, to this origin alone."
          value={token}
          onChange={setToken}
        />
        {fault !== null && (
          <p className="notice tone-bad" role="alert">
            <Icon name="alert" size={16} />
            <span className="wrap-anywhere">{fault}</span>
          </p>
        )}
        <div className="row">
          <Button look="primary" type="submit" busy={connecting}>
            Connect
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
