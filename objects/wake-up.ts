import { logFault } from "./log-fault.ts";

/** An object's one alarm, set to the earliest time asked for. Setting it costs a write, so an earlier one stays. */
export class WakeUp {
  private readonly storage: DurableObjectStorage;
  /** When it goes off; `null`: not known in this life. */
  private at: number | null = null;

  constructor(storage: DurableObjectStorage) {
    this.storage = storage;
  }

  /** Goes off at this time, in milliseconds since the epoch, or before. */
  by(at: number): void {
    if (this.at !== null && this.at <= at) return;
    this.at = at;
    this.storage.setAlarm(at).catch((error) => {
      this.at = null;
      logFault("alarm_not_set", error);
    });
  }

  /** It has gone off. */
  rang(): void {
    this.at = null;
  }

  async cancel(): Promise<void> {
    this.at = null;
    await this.storage.deleteAlarm();
  }
}
