/**
 * Ends a text before the sequence that is complete first, wherever its pieces are cut. What may be the beginning of a
 * sequence is held back until it shows. Not every model takes sequences to stop at, and few say which it was.
 */
export class StopText {
  /** The sequence that ended the text; `null`: none has. */
  hit: string | null = null;
  private readonly sequences: readonly string[];
  private held = "";

  constructor(sequences: readonly string[]) {
    this.sequences = sequences.filter((sequence) => sequence !== "");
  }

  /** Takes the next piece; returns what can be given out. Nothing comes after a hit. */
  push(piece: string): string {
    if (this.hit !== null) return "";
    if (this.sequences.length === 0) return piece;
    const text = this.held + piece;
    let first = { at: 0, end: Number.POSITIVE_INFINITY };
    for (const sequence of this.sequences) {
      const at = text.indexOf(sequence);
      const end = at + sequence.length;
      if (at < 0 || end > first.end || (end === first.end && at > first.at)) continue;
      first = { at, end };
      this.hit = sequence;
    }
    if (this.hit !== null) {
      this.held = "";
      return text.slice(0, first.at);
    }
    const kept = Math.max(...this.sequences.map((sequence) => overlap(text, sequence)));
    this.held = text.slice(text.length - kept);
    return text.slice(0, text.length - kept);
  }

  /** The text is over: what was held back was no sequence. */
  flush(): string {
    const { held } = this;
    this.held = "";
    return held;
  }
}

/** How many characters at the end of a text are a beginning of the sequence. */
function overlap(text: string, sequence: string): number {
  for (let length = Math.min(sequence.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(sequence.slice(0, length))) return length;
  return 0;
}
