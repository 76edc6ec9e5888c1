import { useEffect, useRef, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Toaster } from "../ui/toast.tsx";
import { useHealth } from "./health.ts";
import { PageView } from "./page-view.tsx";
import { usePlace } from "./router.ts";
import { routes } from "./routes.ts";
import { ThemeSwitch } from "./theme-switch.tsx";
import { useContract } from "./use-contract.ts";
import { useWaiting } from "./waiting.ts";

/** What surrounds every page: the navigation, how the Worker is, and the theme. */
export function Shell() {
  const { path } = usePlace();
  const at = path[0] ?? "";
  const [open, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const title = routes.find((route) => route.at === at)?.label ?? "Not found";
  const where = path.join("/");
  const first = useRef(true);

  useEffect(() => {
    document.title = at === "" ? "Greenroom" : `${title} · Greenroom`;
  }, [at, title]);

  // A page that is opened by a link begins at its top, for eyes and for a screen reader.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is the reason, not an input.
  useEffect(() => {
    setOpen(false);
    if (first.current) {
      first.current = false;
      return;
    }
    scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [where]);

  return (
    <div className="shell">
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        Skip to the page
      </button>
      <header className="shell-bar">
        <Brand />
        <Button
          look="quiet"
          icon={open ? "cross" : "menu"}
          aria-label={open ? "Close the menu" : "Open the menu"}
          aria-expanded={open}
          aria-controls="nav"
          onClick={() => setOpen(!open)}
        />
      </header>
      <nav id="nav" aria-label="Console" className={`shell-side ${open ? "is-open" : ""}`}>
        <Brand />
        <Nav at={at} />
        <div className="shell-foot">
          <HealthLine />
          <ThemeSwitch />
        </div>
      </nav>
      <main ref={main} id="main" className="shell-main" tabIndex={-1}>
        <PageView />
      </main>
      <Toaster />
    </div>
  );
}

function Brand() {
  return (
    <a className="brand" href="#/">
      <img src="/icon.svg" alt="" width="26" height="26" />
      Greenroom
    </a>
  );
}

function Nav({ at }: { at: string }) {
  const contract = useContract();
  const waiting = useWaiting();
  const listed = routes.filter(({ needs }) => needs === undefined || contract?.capabilities.includes(needs));
  return (
    <ul className="nav">
      {listed.map((route) => (
        <li key={route.at}>
          <a href={`#/${route.at}`} aria-current={route.at === at ? "page" : undefined}>
            <Icon name={route.icon} />
            {route.label}
            {route.at === "inbox" && waiting > 0 && (
              <span className="nav-count">
                {waiting}
                <span className="visually-hidden"> waiting</span>
              </span>
            )}
          </a>
        </li>
      ))}
    </ul>
  );
}

function HealthLine() {
  const { data, error } = useHealth();
  const state = error !== null ? "gone" : data === null ? "asking" : data.status;
  const texts = { ok: "All works", failing: "Needs attention", gone: "No answer", asking: "Asking…" };
  return (
    <a className="health-line" href="#/settings" data-state={state}>
      <span className="health-dot" aria-hidden="true" />
      <span className="visually-hidden">Worker: </span>
      {texts[state]}
    </a>
  );
}
