import { type ReactNode, useId } from "react";

interface CardProps {
  title?: ReactNode;
  /** What stands beside the title. */
  actions?: ReactNode;
  /** One line under the title. */
  note?: ReactNode;
  children: ReactNode;
  /** The content goes to the edges, as a table does. */
  flush?: boolean;
  className?: string;
}

/** A box with a heading; the heading names the region. */
export function Card({ title, actions, note, children, flush, className = "" }: CardProps) {
  const id = useId();
  return (
    <section
      className={`card ${flush === true ? "card-flush" : ""} ${className}`}
      aria-labelledby={title ? id : undefined}
    >
      {title && (
        <header className="card-head">
          <div>
            <h2 id={id}>{title}</h2>
            {note && <p className="soft small">{note}</p>}
          </div>
          {actions && <div className="row">{actions}</div>}
        </header>
      )}
      <div className="card-body">{children}</div>
    </section>
  );
}

/** The top of a page: its one `h1`, a line about it, and what can be done. */
export function PageHead({
  title,
  lead,
  actions,
  above,
}: {
  title: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  above?: ReactNode;
}) {
  return (
    <header className="page-head">
      <div className="page-head-text">
        {above && <p className="page-above small">{above}</p>}
        <h1 tabIndex={-1}>{title}</h1>
        {lead && <div className="soft">{lead}</div>}
      </div>
      {actions && <div className="row">{actions}</div>}
    </header>
  );
}
