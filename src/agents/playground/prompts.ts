/** A prompt the playground understands. */
export interface PlaygroundPrompt {
  /** What to send. Names and numbers in it are examples. */
  say: string;
  /** What a client sees. */
  shows: string;
  /** What the request must bring: a durable session, or a tool of the client's. */
  needs?: "session" | "client tool" | "session and client tool";
}

/** All prompts, simple ones first. Those that call tools can be put together in one message, in any order. */
export const playgroundPrompts: readonly PlaygroundPrompt[] = [
  { say: "Hello", shows: "plain text: anything else is said back" },
  { say: "What is the weather in Paris?", shows: "a server tool" },
  { say: "What is the weather in Paris and Oslo?", shows: "two tools in parallel" },
  {
    say: "Say something first, then tell me the weather in Paris.",
    shows: "text and a tool call in one answer",
  },
  { say: "Delete notes.txt", shows: "a tool that waits for approval", needs: "session" },
  { say: "Delete notes.txt and report.txt", shows: "two approvals at once", needs: "session" },
  { say: "Ask the helper for the weather in Rome", shows: "a subagent with a tool" },
  { say: "Ask the helper to delete notes.txt", shows: "an approval inside a subagent", needs: "session" },
  { say: "Use my tool", shows: "the first tool the client declared", needs: "client tool" },
  {
    say: "Use my tool, tell me the weather in Paris, and delete notes.txt",
    shows: "client, server and gated tools in one answer",
    needs: "session and client tool",
  },
  { say: "Set the color to blue", shows: "a change of the shared state" },
  { say: "What is in the note?", shows: "`note`, which the client may write" },
  { say: "What is in the state?", shows: "the shared state as JSON" },
  { say: "Think about tea", shows: "reasoning, then text" },
  { say: "Count to 100", shows: "text in a hundred pieces" },
  { say: "Count slowly to 80", shows: "a slow answer of eighty pieces" },
  { say: "Remember the word kiwi", shows: "text; then ask for it in a later turn" },
  { say: "What was the word?", shows: "what an earlier turn said" },
  { say: "Use the failing tool", shows: "a tool that fails, and the answer after it" },
  { say: "Use the slow tool for 500 ms", shows: "a tool that takes time and reports progress" },
  { say: "Long tool output", shows: "a tool result of 20,000 characters" },
  { say: "Call a tool that is not there", shows: "a call that is answered with an error" },
  { say: "Call a tool with wrong arguments", shows: "arguments that do not fit the tool" },
  {
    say: "Call a tool with arguments of 600000 characters",
    shows: "arguments that are too long to be kept",
  },
  {
    say: "Fail as rate_limited",
    shows: "a model that fails; also unavailable, auth, bad_request, stalled, malformed",
  },
  { say: "Fail after some text as unavailable", shows: "a model that fails in the middle of its answer" },
  { say: "Never stop", shows: "a model that calls tools until the step limit ends the turn" },
  { say: "Unicode", shows: "text that is easily cut in the wrong place" },
  { say: "Say nothing", shows: "an empty answer" },
  { say: "What did I send?", shows: "the kinds of images, audio and files in the message" },
];
