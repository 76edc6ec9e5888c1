/** An expression that cannot be read or evaluated. `message` is one line, without the source. */
export class CelError extends Error {
  /** Position in the source it is about, from 0; undefined when it is about no place. */
  readonly offset: number | undefined;

  constructor(message: string, offset?: number) {
    super(message);
    this.name = "CelError";
    this.offset = offset;
  }
}
