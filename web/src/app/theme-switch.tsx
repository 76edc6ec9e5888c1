import { useId } from "react";
import { Icon, type IconName } from "../ui/icon.tsx";
import { setTheme, type Theme, useTheme } from "./theme.ts";

const themes: { theme: Theme; icon: IconName; label: string }[] = [
  { theme: "light", icon: "sun", label: "Light" },
  { theme: "dark", icon: "moon", label: "Dark" },
  { theme: "system", icon: "system", label: "As the system" },
];

/** Light, dark, or whatever the system says. */
export function ThemeSwitch() {
  const current = useTheme();
  const group = useId();
  return (
    <fieldset className="theme-switch">
      <legend className="visually-hidden">Theme</legend>
      {themes.map(({ theme, icon, label }) => (
        <label key={theme} title={label}>
          <input
            type="radio"
            name={group}
            value={theme}
            checked={theme === current}
            onChange={() => setTheme(theme)}
          />
          <Icon name={icon} size={16} />
          <span className="visually-hidden">{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
