import type { HostFilter } from "../../../../../src/table/index.ts";
import type { Json, JsonObject } from "../../../../../src/turn/json.ts";
import { CheckField, SelectField, TextField } from "../../../ui/field.tsx";

const textOperators = [
  { value: "contains", label: "contains" },
  { value: "notContains", label: "does not contain" },
  { value: "eq", label: "is" },
  { value: "startsWith", label: "starts with" },
  { value: "endsWith", label: "ends with" },
];
const spans = [
  { value: "", label: "Any time, or the days below" },
  { value: "today", label: "Today" },
  { value: "thisWeek", label: "This week" },
  { value: "thisMonth", label: "This month" },
  { value: "previousMonth", label: "Last month" },
  { value: "last:30", label: "Last 30 days" },
  { value: "last:90", label: "Last 90 days" },
  { value: "next:7", label: "Next 7 days" },
];

/** One filter by hand; it reads and writes the same bag an agent does. */
export function FilterField({
  filter,
  bag,
  onChange,
}: {
  filter: HostFilter;
  bag: JsonObject;
  /** New entries of this filter; null takes one out. */
  onChange: (entries: Record<string, Json>) => void;
}) {
  const { key, label, type, options = [] } = filter;
  const text = (name: string) => {
    const value = bag[name];
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  };
  switch (type) {
    case "text":
      return (
        <fieldset className="filter">
          <legend>{label}</legend>
          <div className="filter-pair">
            <SelectField
              label={<span className="visually-hidden">How {label} is compared</span>}
              value={text(`${key}Op`) || "contains"}
              options={textOperators}
              onChange={(operator) => onChange({ [`${key}Op`]: operator })}
            />
            <TextField
              label={<span className="visually-hidden">{label}</span>}
              value={text(key)}
              onChange={(value) =>
                onChange(value === "" ? { [key]: null, [`${key}Op`]: null } : { [key]: value })
              }
            />
          </div>
        </fieldset>
      );
    case "numberRange":
      return (
        <fieldset className="filter">
          <legend>{label}</legend>
          <div className="filter-pair">
            <TextField
              label={<span className="small soft">at least</span>}
              inputMode="decimal"
              value={text(`${key}Min`)}
              onChange={(value) => onChange(range(key, "Min", "Max", value, text(`${key}Max`)))}
            />
            <TextField
              label={<span className="small soft">at most</span>}
              inputMode="decimal"
              value={text(`${key}Max`)}
              onChange={(value) => onChange(range(key, "Max", "Min", value, text(`${key}Min`)))}
            />
          </div>
        </fieldset>
      );
    case "dateRange": {
      const relative = bag[`${key}Op`] === "relative" ? text(`${key}From`) : "";
      const known = spans.some(({ value }) => value === relative);
      return (
        <fieldset className="filter">
          <legend>{label}</legend>
          <SelectField
            label={<span className="visually-hidden">{label}, a span</span>}
            value={relative}
            options={known ? spans : [...spans, { value: relative, label: relative.replace(":", " ") }]}
            onChange={(span) =>
              onChange({
                [`${key}From`]: span === "" ? null : span,
                [`${key}To`]: null,
                [`${key}Op`]: span === "" ? null : "relative",
              })
            }
          />
          {relative === "" && (
            <div className="filter-pair">
              <TextField
                label={<span className="small soft">from</span>}
                type="date"
                value={text(`${key}From`)}
                onChange={(value) => onChange(range(key, "From", "To", value, text(`${key}To`)))}
              />
              <TextField
                label={<span className="small soft">to</span>}
                type="date"
                value={text(`${key}To`)}
                onChange={(value) => onChange(range(key, "To", "From", value, text(`${key}From`)))}
              />
            </div>
          )}
        </fieldset>
      );
    }
    case "boolean":
    case "select":
      return (
        <SelectField
          label={label}
          value={text(key)}
          options={[
            { value: "", label: "Any" },
            ...(type === "boolean"
              ? [
                  { value: "true", label: "Yes" },
                  { value: "false", label: "No" },
                ]
              : options.map((option) => ({ value: String(option.value), label: option.label }))),
          ]}
          onChange={(value) => onChange({ [key]: value === "" ? null : value })}
        />
      );
    default: {
      const held = bag[key];
      const chosen = (Array.isArray(held) ? held : held === undefined ? [] : [held]).map(String);
      return (
        <fieldset className="filter">
          <legend>{label}</legend>
          <div className="filter-options">
            {options.map((option) => {
              const value = String(option.value);
              return (
                <CheckField
                  key={value}
                  label={option.label}
                  checked={chosen.includes(value)}
                  onChange={(checked) => {
                    const next = checked ? [...chosen, value] : chosen.filter((one) => one !== value);
                    onChange({ [key]: next.length === 0 ? null : next });
                  }}
                />
              );
            })}
          </div>
        </fieldset>
      );
    }
  }
}

/** The entries of a range after one of its ends was typed. */
function range(key: string, end: string, other: string, value: string, otherValue: string) {
  const low = end === "Min" || end === "From";
  const operator =
    value === "" && otherValue === ""
      ? null
      : value !== "" && otherValue !== ""
        ? "between"
        : (value !== "") === low
          ? "gte"
          : "lte";
  return {
    [`${key}${end}`]: value === "" ? null : value,
    [`${key}${other}`]: otherValue === "" ? null : otherValue,
    [`${key}Op`]: operator,
  };
}
