import type { Operation } from "fast-json-patch";
import { type Change, readChanges } from "../../../src/sandtable/report/changes.ts";
import { safeText } from "../../../src/sandtable/report/safe-text.ts";
import type { Json } from "../../../src/turn/json.ts";
import { Value } from "./json-view.tsx";

const words = { added: "added", changed: "changed", removed: "removed" } as const;
const signs = { added: "+", changed: "~", removed: "−" } as const;

/** JSON Patch operations as lines a person can follow: where, what stood there, what stands there now. */
export function Changes({
  operations,
  none = "Nothing changed.",
}: {
  operations: Operation[];
  none?: string;
}) {
  const changes = readChanges(operations);
  if (changes.length === 0) return <p className="soft small">{none}</p>;
  return (
    <ul className="changes">
      {changes.map((change, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a path may change twice, and the list never changes its order.
        <ChangeLine key={index} change={change} />
      ))}
    </ul>
  );
}

function ChangeLine({ change: { kind, path, before, after } }: { change: Change }) {
  return (
    <li className={`change change-${kind}`}>
      <span className="change-sign" aria-hidden="true">
        {signs[kind]}
      </span>
      <span className="visually-hidden">{words[kind]} </span>
      <span className="change-path">{path.map(safeText).join(" › ")}</span>
      <span className="change-values">
        {before !== undefined && (
          <del>
            <Stood value={before} />
          </del>
        )}
        {before !== undefined && after !== undefined && <span aria-hidden="true"> → </span>}
        {after !== undefined && (
          <ins>
            <Stood value={after} />
          </ins>
        )}
      </span>
    </li>
  );
}

/** A row as its fields in a line; anything else as it is. */
function Stood({ value }: { value: Json }) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return <Value value={value} />;
  return (
    <span className="change-row">
      {Object.entries(value).map(([field, one], index) => (
        <span key={field}>
          {index > 0 && ", "}
          {safeText(field)}{" "}
          <strong>
            <Value value={one} />
          </strong>
        </span>
      ))}
    </span>
  );
}
