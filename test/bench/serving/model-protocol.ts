/** What the bench tells the model's process. */
export type ModelOrder = { type: "stats" };

export type ModelNews =
  | { type: "ready"; url: string }
  /** Answers since the last time it was asked, and its CPU for them. */
  | { type: "stats"; answers: number; cpuMs: number };

/** The answer, always the same, in the pieces a stream brings it in. */
export const pieces = [
  ..."Load L-1002 from Dallas to Memphis pays $1,375 and picks up at seven"
    .split(" ")
    .map((word) => `${word} `),
  "tomorrow",
  " morning",
  ".",
  " Shall",
  " I book it?",
];

export const answerText = pieces.join("");

export const modelUsage = { prompt_tokens: 57, completion_tokens: 24, total_tokens: 81 };

/** Between two pieces of a slow answer, milliseconds: some fifty words a second, as quick models speak. */
export const slowGapMs = 20;
