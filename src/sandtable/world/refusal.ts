/** Ends a call that cannot act; the message is the error text the agent gets. */
export class Refusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Refusal";
  }
}
