import { type ComponentType, useEffect, useState } from "react";
import { useToken } from "../api/token.ts";
import { Button } from "../ui/button.tsx";
import { Empty, Loading } from "../ui/states.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { usePlace } from "./router.ts";
import { type PageProps, type PageRoute, routes } from "./routes.ts";
import { TokenGate } from "./token-gate.tsx";

const loaded = new Map<string, ComponentType<PageProps>>();

/** The page the address names. Pages that call the API wait for the token; home and settings do without. */
export function PageView() {
  const { path, query } = usePlace();
  const { needed } = useToken();
  const [at = "", ...rest] = path;
  const route = routes.find((one) => one.at === at);

  if (route === undefined) {
    return (
      <Empty icon="alert" title="There is no such page" action={<a href="#/">Back to the start</a>}>
        <code className="wrap-anywhere">#/{path.join("/")}</code>
      </Empty>
    );
  }
  if (needed && at !== "" && at !== "settings") return <TokenGate />;
  return (
    <ErrorBoundary resetKey={at}>
      <RoutePage key={at} route={route} path={rest} query={query} />
    </ErrorBoundary>
  );
}

function RoutePage({ route, ...props }: { route: PageRoute } & PageProps) {
  const load = "load" in route ? route.load : null;
  const [Page, setPage] = useState<ComponentType<PageProps> | null>(() =>
    "page" in route ? route.page : (loaded.get(route.at) ?? null),
  );
  const [error, setError] = useState<unknown>(null);
  const [round, setRound] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round is a reason to ask again.
  useEffect(() => {
    if (load === null || loaded.has(route.at)) return;
    let gone = false;
    load().then(
      (page) => {
        loaded.set(route.at, page);
        if (!gone) setPage(() => page);
      },
      (failure: unknown) => {
        if (!gone) setError(failure ?? true);
      },
    );
    return () => {
      gone = true;
    };
  }, [load, route.at, round]);

  if (Page !== null) return <Page {...props} />;
  if (error !== null) {
    const retry = () => {
      setError(null);
      setRound(round + 1);
    };
    return <NotLoaded retry={retry} />;
  }
  return <Loading lines={6} />;
}

/** A part of the console did not come: the Worker is away, or has a newer console than this tab. */
function NotLoaded({ retry }: { retry: () => void }) {
  return (
    <Empty
      icon="offline"
      title="This page could not be loaded"
      action={
        <div className="row">
          <Button icon="refresh" onClick={retry}>
            Try again
          </Button>
          <Button onClick={() => location.reload()}>Reload the console</Button>
        </div>
      }
    >
      The Worker may be restarting, this browser may be offline, or a newer console is there: then reload it.
    </Empty>
  );
}
