import { safeText } from "../../../src/sandtable/report/safe-text.ts";
import type { Json } from "../../../src/turn/json.ts";

/** Characters of one value that are shown before the rest is folded away. */
const shownCharacters = 4_000;

/** A JSON value as text. A long one starts folded. */
export function JsonView({ value }: { value: Json | undefined }) {
  const text = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "nothing");
  const safe = safeText(text);
  if (safe.length <= shownCharacters) return <pre className="json">{safe}</pre>;
  return (
    <details className="json-more">
      <summary>
        {safe.slice(0, 160)}… <span className="soft">({safe.length.toLocaleString("en")} characters)</span>
      </summary>
      <pre className="json">{safe.slice(0, 200_000)}</pre>
    </details>
  );
}

/** The members of an object as a list of names and values. */
export function Facts({ of }: { of: { [key: string]: Json } }) {
  const entries = Object.entries(of);
  if (entries.length === 0) return <p className="soft small">No arguments.</p>;
  return (
    <dl className="facts">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{safeText(name)}</dt>
          <dd>
            {typeof value === "object" && value !== null ? (
              <JsonView value={value} />
            ) : (
              <Value value={value} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A short value as it would be written in JSON, but texts without their quotes. */
export function Value({ value }: { value: Json | undefined }) {
  if (value === undefined) return <span className="soft">nothing</span>;
  if (typeof value === "string")
    return <span className="wrap-anywhere pre-line">{value === "" ? '""' : safeText(value)}</span>;
  return <code className="wrap-anywhere">{safeText(JSON.stringify(value))}</code>;
}
