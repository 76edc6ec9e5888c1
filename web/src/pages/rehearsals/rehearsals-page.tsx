import type { PageProps } from "../../app/routes.ts";
import { ListView } from "./list-view.tsx";
import { RunView } from "./run-view.tsx";
import { StartView } from "./start-view.tsx";
import "./rehearsals.css";

/** The list, the form for a new one, or one rehearsal, as the address says. */
export function RehearsalsPage({ path, query }: PageProps) {
  const [first] = path;
  if (first === undefined) return <ListView />;
  if (first === "new") return <StartView query={query} />;
  return <RunView key={first} runId={first} query={query} />;
}
