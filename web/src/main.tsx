import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./ui/tokens.css";
import "./ui/base.css";
import "./ui/ui.css";
import "./app/shell.css";
import { Shell } from "./app/shell.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no place for the console");
createRoot(root).render(
  <StrictMode>
    <Shell />
  </StrictMode>,
);
