/** Deeper nesting than any tool's input has; what writes JSON recursively would fail on more. */
const maxDepth = 64;

const whitespace = /[ \t\n\r]/;
const word = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
/** What a word is made of while its end is not in sight. */
const wordCharacter = /[-+.0-9A-Za-z]/;
const unfinishedEscape = /^\\(?:u[0-9a-fA-F]{0,3})?$/;
const finishedEscape = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})$/;

/** What comes next. Text that stops in a safe state can be closed by a quote and brackets; other states hold it back. */
type State =
  | "start"
  | "first-key"
  | "next-key"
  | "key"
  | "colon"
  | "first"
  | "value"
  | "string"
  | "word"
  | "next"
  | "end";
const safe: ReadonlySet<State> = new Set(["first-key", "first", "string", "next", "end"]);

/**
 * Reads the arguments of a tool call while a model writes them. What `push` gives out can always be closed into a JSON
 * object, and `close` closes it: text that was one comes out as it went in, and text that was not comes out as the
 * longest beginning of it that makes one. So whoever is shown the pieces ends up with JSON.
 */
export class CallArguments {
  private given = "";
  /** Given out by the piece that is being read. */
  private fresh = "";
  private held = "";
  private state: State = "start";
  private broken = false;
  /** The brackets that are open, as they will be closed. */
  private readonly closers: ("}" | "]")[] = [];
  /** A word or an escape that is being read. */
  private token = "";

  /** Takes the next piece; returns what can be given out. */
  push(piece: string): string {
    this.fresh = "";
    for (const character of piece) {
      if (this.broken) break;
      this.held += character;
      const next = this.after(character);
      if (next === null) {
        this.broken = true;
        break;
      }
      this.state = next;
      if (safe.has(next) && this.token === "") {
        this.fresh += this.held;
        this.held = "";
      }
    }
    this.given += this.fresh;
    return this.fresh;
  }

  /** Nothing came but space. */
  isEmpty(): boolean {
    return this.state === "start" && !this.broken;
  }

  /**
   * Ends the text. `rest` is the last of what is to be given out and `text` all of it; `complete`: the model's text
   * was a JSON object, or there was none, which is how some models call a tool without arguments.
   */
  close(): { rest: string; text: string; complete: boolean } {
    const complete = this.isEmpty() || (this.state === "end" && !this.broken);
    const quote = this.state === "string" ? '"' : "";
    const rest = this.given === "" ? "{}" : `${quote}${this.closers.toReversed().join("")}`;
    return { rest, text: this.given + rest, complete };
  }

  /** The state after this character; `null` when it has no place here. */
  private after(character: string): State | null {
    const { state } = this;
    if (state === "string" || state === "key") return this.inString(character);
    if (state === "word") {
      if (wordCharacter.test(character)) return this.inWord(character);
      if (!word.test(this.token)) return null;
      this.token = "";
      // The word is over one character before it shows.
      this.fresh += this.held.slice(0, -character.length);
      this.held = character;
      this.state = "next";
      return this.after(character);
    }
    if (whitespace.test(character)) return state;
    switch (state) {
      case "start":
        return character === "{" ? this.open("}") : null;
      case "first-key":
        return character === "}" ? this.shut(character) : character === '"' ? "key" : null;
      case "next-key":
        return character === '"' ? "key" : null;
      case "colon":
        return character === ":" ? "value" : null;
      case "first":
        return character === "]" ? this.shut(character) : this.startOfValue(character);
      case "value":
        return this.startOfValue(character);
      case "next":
        if (character !== ",") return this.shut(character);
        return this.closers.at(-1) === "}" ? "next-key" : "value";
      case "end":
        return null;
    }
  }

  private startOfValue(character: string): State | null {
    if (character === '"') return "string";
    if (character === "{") return this.open("}");
    if (character === "[") return this.open("]");
    return wordCharacter.test(character) ? this.inWord(character) : null;
  }

  private inString(character: string): State | null {
    if (this.token !== "") {
      this.token += character;
      if (finishedEscape.test(this.token)) this.token = "";
      else if (!unfinishedEscape.test(this.token)) return null;
      return this.state;
    }
    if (character === '"') return this.state === "key" ? "colon" : "next";
    if (character < " ") return null;
    if (character === "\\") this.token = character;
    return this.state;
  }

  private inWord(character: string): State | null {
    this.token += character;
    // Longer than any number that means something.
    return this.token.length > 400 ? null : "word";
  }

  private open(closer: "}" | "]"): State | null {
    if (this.closers.length === maxDepth) return null;
    this.closers.push(closer);
    return closer === "}" ? "first-key" : "first";
  }

  private shut(character: string): State | null {
    if (character !== this.closers.at(-1)) return null;
    this.closers.pop();
    return this.closers.length === 0 ? "end" : "next";
  }
}
