import { defineDeepAgent } from "../authoring/define-deep-agent.ts";
import { freightScript } from "./script.ts";

/** A freight broker's carrier desk. Its tools are those a request brings, as a rehearsal does. */
export default defineDeepAgent({
  description: "A freight broker's carrier desk; works with the tools that a request brings.",
  systemPrompt: [
    "You are the carrier desk of a freight broker, on the phone with a carrier. Work by the policy you are given.",
    "Look things up before you speak of them, read back what you are about to book or cancel, and wait for a yes.",
    "Never tell what the policy keeps secret. Answer in one or two short sentences.",
  ].join("\n"),
  script: freightScript,
});
