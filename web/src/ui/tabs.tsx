import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";

export interface Tab<T extends string> {
  id: T;
  label: ReactNode;
  content: ReactNode;
}

/** Tabs as a keyboard knows them: arrows, Home and End move, and the panel follows. */
export function Tabs<T extends string>({
  label,
  tabs,
  selected,
  onSelect,
}: {
  /** What the tabs are of, for a screen reader. */
  label: string;
  tabs: Tab<T>[];
  selected: T;
  onSelect: (id: T) => void;
}) {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const current = tabs.find((tab) => tab.id === selected) ?? tabs[0];

  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.id === current?.id);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    const next = tabs[(to + tabs.length) % tabs.length];
    if (next === undefined) return;
    event.preventDefault();
    onSelect(next.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };

  return (
    <div className="tabs">
      <div ref={list} role="tablist" aria-label={label} className="tab-list" onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${base}-${tab.id}`}
            data-tab={tab.id}
            aria-selected={tab.id === current?.id}
            aria-controls={`${base}-panel`}
            tabIndex={tab.id === current?.id ? 0 : -1}
            onClick={() => onSelect(tab.id)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${base}-panel`}
        aria-labelledby={`${base}-${current?.id}`}
        className="tab-panel"
      >
        {current?.content}
      </div>
    </div>
  );
}
