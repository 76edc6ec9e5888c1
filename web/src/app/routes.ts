import type { ComponentType } from "react";
import { HomePage } from "../pages/home/home-page.tsx";
import type { IconName } from "../ui/icon.tsx";

/** What a page is given: the rest of the path after its own segment, and the query. */
export interface PageProps {
  path: string[];
  query: URLSearchParams;
}

export type PageRoute = {
  /** First segment of the address; empty: home. */
  at: string;
  label: string;
  icon: IconName;
  /** Listed only where the Worker has this capability (`/api/contract`); absent: always. */
  needs?: string;
} & ({ page: ComponentType<PageProps> } | { load: () => Promise<ComponentType<PageProps>> });

/** Every page of the console, in the order of the navigation. One with `load` costs nothing until it is opened. */
export const routes: PageRoute[] = [
  { at: "", label: "Home", icon: "home", page: HomePage },
  {
    at: "chat",
    label: "Chat",
    icon: "chat",
    load: async () => (await import("../pages/chat/chat-page.tsx")).ChatPage,
  },
  {
    at: "table",
    label: "Live table",
    icon: "table",
    load: async () => (await import("../pages/table/table-page.tsx")).TablePage,
  },
  {
    at: "rehearsals",
    label: "Rehearsals",
    icon: "rehearsal",
    load: async () => (await import("../pages/rehearsals/rehearsals-page.tsx")).RehearsalsPage,
  },
  {
    at: "inbox",
    label: "Inbox",
    icon: "inbox",
    load: async () => (await import("../pages/inbox/inbox-page.tsx")).InboxPage,
  },
  {
    at: "workflows",
    label: "Workflows",
    icon: "workflow",
    needs: "workflows.list",
    load: async () => (await import("../pages/workflows/workflows-page.tsx")).WorkflowsPage,
  },
  {
    at: "runs",
    label: "Runs",
    icon: "runs",
    load: async () => (await import("../pages/runs/runs-page.tsx")).RunsPage,
  },
  {
    at: "settings",
    label: "Settings",
    icon: "settings",
    load: async () => (await import("../pages/settings/settings-page.tsx")).SettingsPage,
  },
];
