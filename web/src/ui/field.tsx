import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from "react";

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** What is wrong with the value. */
  error?: string | null;
  optional?: boolean;
}

/** A label, a control, a hint and an error that belong together. The control takes `id` and `aria-*` from the callback. */
export function Field({
  label,
  hint,
  error,
  optional,
  children,
}: FieldProps & {
  children: (control: { id: string; "aria-describedby"?: string; "aria-invalid"?: true }) => ReactNode;
}) {
  const id = useId();
  const notes = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {optional === true && <span className="soft"> (optional)</span>}
      </label>
      {children({
        id,
        ...(notes === "" ? {} : { "aria-describedby": notes }),
        ...(error ? { "aria-invalid": true as const } : {}),
      })}
      {hint && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
    </div>
  );
}

type Omitted = "onChange" | "value" | "id";

/** One line of text. */
export function TextField({
  label,
  hint,
  error,
  optional,
  value,
  onChange,
  ...rest
}: FieldProps & { value: string; onChange: (value: string) => void } & Omit<
    InputHTMLAttributes<HTMLInputElement>,
    Omitted
  >) {
  return (
    <Field label={label} hint={hint} error={error ?? null} optional={optional === true}>
      {(control) => (
        <input
          className="input"
          {...rest}
          {...control}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/** Several lines of text. */
export function TextArea({
  label,
  hint,
  error,
  optional,
  value,
  onChange,
  ...rest
}: FieldProps & { value: string; onChange: (value: string) => void } & Omit<
    TextareaHTMLAttributes<HTMLTextAreaElement>,
    Omitted
  >) {
  return (
    <Field label={label} hint={hint} error={error ?? null} optional={optional === true}>
      {(control) => (
        <textarea
          className="input"
          rows={3}
          {...rest}
          {...control}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/** One of a few values, each a text or a value with a label. */
export function SelectField({
  label,
  hint,
  error,
  optional,
  value,
  onChange,
  options,
  ...rest
}: FieldProps & {
  value: string;
  onChange: (value: string) => void;
  options: (string | { value: string; label: string })[];
} & Omit<SelectHTMLAttributes<HTMLSelectElement>, Omitted>) {
  return (
    <Field label={label} hint={hint} error={error ?? null} optional={optional === true}>
      {(control) => (
        <select
          className="input"
          {...rest}
          {...control}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {options.map((option) => {
            const { value: one, label: text } =
              typeof option === "string" ? { value: option, label: option } : option;
            return (
              <option key={one} value={one}>
                {text}
              </option>
            );
          })}
        </select>
      )}
    </Field>
  );
}

/** Yes or no. */
export function CheckField({
  label,
  hint,
  checked,
  onChange,
}: {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  const id = useId();
  return (
    <div className="check-field">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p id={`${id}-hint`} className="field-hint">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

/** One of a few choices that are all in view. */
export function ChoiceField<T extends string>({
  label,
  value,
  onChange,
  options,
}: {
  label: ReactNode;
  value: T;
  onChange: (value: T) => void;
  options: { value: T; label: ReactNode }[];
}) {
  const name = useId();
  return (
    <fieldset className="choice-field">
      <legend>{label}</legend>
      <div className="choices">
        {options.map((option) => (
          <label key={option.value} className="choice">
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
