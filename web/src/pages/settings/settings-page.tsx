import { useHealth } from "../../app/health.ts";
import { setTheme, type Theme, useTheme } from "../../app/theme.ts";
import { useContract } from "../../app/use-contract.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card, PageHead } from "../../ui/card.tsx";
import { ChoiceField } from "../../ui/field.tsx";
import { ResourceView } from "../../ui/states.tsx";
import { TokenCard } from "./token-card.tsx";
import "./settings.css";

const names: Record<string, string> = {
  database: "Database",
  durable: "Durable engine",
  configuration: "Configuration",
};

/** The token, the theme, and how the Worker is. */
export function SettingsPage() {
  const health = useHealth();
  const contract = useContract();
  const theme = useTheme();
  return (
    <>
      <PageHead title="Settings" />
      <div className="settings">
        <TokenCard />
        <Card title="This Worker">
          <ResourceView resource={health}>
            {({ checks }) => (
              <ul className="checks">
                {Object.entries(checks).map(([name, { ok, ms, error }]) => (
                  <li key={name}>
                    <span>{names[name] ?? name}</span>
                    <span className="row">
                      {ms !== undefined && <span className="soft small number">{ms} ms</span>}
                      <Badge tone={ok ? "ok" : "bad"} icon={ok ? "check" : "cross"}>
                        {ok ? "works" : "failing"}
                      </Badge>
                    </span>
                    {error !== undefined && <p className="field-error">{error}</p>}
                  </li>
                ))}
              </ul>
            )}
          </ResourceView>
        </Card>
        <Card title="Appearance">
          <ChoiceField<Theme>
            label="Theme"
            value={theme}
            onChange={setTheme}
            options={[
              { value: "system", label: "As the system" },
              { value: "light", label: "Light" },
              { value: "dark", label: "Dark" },
            ]}
          />
        </Card>
        <Card title="The API behind it">
          <ul className="api-links">
            <li>
              <a href="/openapi.json">/openapi.json</a> <span className="soft">every route</span>
            </li>
            <li>
              <a href="/api/contract">/api/contract</a>{" "}
              <span className="soft">
                {contract === null
                  ? "what it can do"
                  : `version ${contract.version}, ${contract.capabilities.length} capabilities`}
              </span>
            </li>
            <li>
              <a href="/health">/health</a> <span className="soft">deep health</span>
            </li>
            <li>
              <a href="/live">/live</a> <span className="soft">whether it answers</span>
            </li>
          </ul>
        </Card>
      </div>
    </>
  );
}
