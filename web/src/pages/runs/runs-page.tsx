import type { PageProps } from "../../app/routes.ts";
import { RunListView } from "./run-list-view.tsx";
import { RunView } from "./run-view.tsx";
import "./runs.css";

/** The list of runs, or one of them. */
export function RunsPage({ path, query }: PageProps) {
  const [runId] = path;
  return runId === undefined ? <RunListView query={query} /> : <RunView key={runId} runId={runId} />;
}
