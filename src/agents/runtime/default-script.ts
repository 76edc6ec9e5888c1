import type { Script } from "../authoring/script.ts";

/** Answers for an agent that has neither a key nor a script of its own, and says so. */
export const defaultScript: Script = ({ user }) => [
  {
    text: `No model is configured, so a script answers. You said: ${user === "" ? "(nothing)" : user}`,
  },
];
