import { currentToken, isLoopback, isTokenGiven } from "../../api/token.ts";
import { routes } from "../../app/routes.ts";
import { useContract } from "../../app/use-contract.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { WiresCard } from "./wires-card.tsx";
import "./home.css";

const doors: { at: string; icon: IconName; title: string; text: string }[] = [
  {
    at: "chat",
    icon: "chat",
    title: "Talk to an agent",
    text: "Streams, tools, approvals and shared state, over AG-UI.",
  },
  {
    at: "table",
    icon: "table",
    title: "Ask a live table",
    text: "Sort, filter, edit and undo by typing or by voice.",
  },
  {
    at: "rehearsals",
    icon: "rehearsal",
    title: "Rehearse an agent",
    text: "Simulated callers, rules checked on every tool call, pass^k.",
  },
  {
    at: "inbox",
    icon: "inbox",
    title: "Decide what waits",
    text: "Calls and workflows that ask a person first.",
  },
  {
    at: "workflows",
    icon: "workflow",
    title: "Start a workflow",
    text: "Steps that survive restarts, sleep and wait.",
  },
  {
    at: "runs",
    icon: "runs",
    title: "See what ran",
    text: "Turns of agents on every wire, and workflow runs.",
  },
];

/** What Greenroom is, where to go, and how a client gets in. */
export function HomePage() {
  const contract = useContract();
  const open = doors.filter(({ at }) =>
    routes.some(
      (route) =>
        route.at === at && (route.needs === undefined || contract?.capabilities.includes(route.needs)),
    ),
  );
  return (
    <div className="home stack">
      <header className="home-head">
        <h1 tabIndex={-1}>Find out whether your agent keeps the rules before your customers do.</h1>
        <p>
          Greenroom serves agents over the wires their clients already speak, and rehearses them, its own or
          anyone’s, in a simulated world: every tool call is checked against the rules of the customer’s own
          document.
        </p>
      </header>
      <ul className="doors">
        {open.map(({ at, icon, title, text }) => (
          <li key={at}>
            <a href={`#/${at}`} className="door">
              <span className="door-icon">
                <Icon name={icon} size={20} />
              </span>
              <span>
                <strong>{title}</strong>
                <span className="soft">{text}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      <WiresCard token={isLoopback && !isTokenGiven() ? currentToken() : "$GREENROOM_TOKEN"} />
    </div>
  );
}
