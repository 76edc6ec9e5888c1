import type { TablePolicy } from "../../../../../src/table/index.ts";
import { ChoiceField } from "../../../ui/field.tsx";
import type { RoomState, TableRoom } from "../room/table-room.ts";
import { Popover } from "./popover.tsx";

const writes: { value: TablePolicy["write"]; label: string }[] = [
  { value: "allow", label: "allowed" },
  { value: "deny", label: "denied" },
];
const approvals: { value: TablePolicy["approval"]; label: string }[] = [
  { value: "writes", label: "each write" },
  { value: "destructive", label: "deletions only" },
  { value: "never", label: "never" },
];
const commits: { value: TablePolicy["commit"]; label: string }[] = [
  { value: "stage", label: "wait for Save" },
  { value: "immediate", label: "are saved at once" },
];

/** What the agent may do: the policy, and each column. It holds from the next call on, and refusals can be seen. */
export function RulesPanel({ room, state }: { room: TableRoom; state: RoomState }) {
  const { policy } = state;
  return (
    <Popover label="Agent may" icon="key" title="What the agent may do">
      {() => (
        <div className="stack rules">
          <ChoiceField
            label="Writing"
            value={policy.write}
            options={writes}
            onChange={(write) => room.setPolicy({ write })}
          />
          <ChoiceField
            label="I am asked before"
            value={policy.approval}
            options={approvals}
            onChange={(approval) => room.setPolicy({ approval })}
          />
          <ChoiceField
            label="Its edits"
            value={policy.commit}
            options={commits}
            onChange={(commit) => room.setPolicy({ commit })}
          />
          <table className="permits">
            <caption>Columns</caption>
            <thead>
              <tr>
                <th scope="col">Column</th>
                <th scope="col">sees</th>
                <th scope="col">edits</th>
              </tr>
            </thead>
            <tbody>
              {room.host.columns().map(({ id, label, readable = true, writable = false }) => (
                <tr key={id}>
                  <th scope="row">{label}</th>
                  <td>
                    <input
                      type="checkbox"
                      aria-label={`The agent sees ${label}`}
                      checked={readable}
                      onChange={() => room.host.updateColumn(id, { readable: !readable })}
                    />
                  </td>
                  <td>
                    <input
                      type="checkbox"
                      aria-label={`The agent edits ${label}`}
                      checked={writable}
                      onChange={() => room.host.updateColumn(id, { writable: !writable })}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="small soft">
            With edits saved at once, rows can also be added, moved and deleted: try “delete Ana”.
          </p>
        </div>
      )}
    </Popover>
  );
}
