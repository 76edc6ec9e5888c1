import { messageOf, Refusal } from "./refusal.ts";
import type { UndoResult } from "./session-types.ts";
import type { TableHost } from "./table-host.ts";
import { canRestore, restore, type ViewChange } from "./view-changes.ts";

/** View changes remembered to be taken back: the newest ones. */
const maxRemembered = 100;

/** The view changes that were made through a session and not taken back. */
export class UndoStack {
  private readonly changes = new Map<string, ViewChange>();

  /** Remembers a change, unless it changed nothing or the host cannot set it back. */
  push(id: string, change: ViewChange, host: TableHost): void {
    if (!canRestore(host, change)) return;
    this.changes.set(id, change);
    const oldest = this.changes.keys().next().value;
    if (this.changes.size > maxRemembered && oldest !== undefined) this.changes.delete(oldest);
  }

  has(id: string): boolean {
    return this.changes.has(id);
  }

  /** Takes back one change, the newest unless named. What cannot be taken back stays to be tried again. */
  async undo(host: TableHost, id?: string): Promise<Omit<UndoResult, "revision">> {
    const wanted = id ?? [...this.changes.keys()].at(-1);
    const change = wanted === undefined ? undefined : this.changes.get(wanted);
    if (wanted === undefined || change === undefined) {
      return failed("nothing-to-undo", "there is no change of the view to take back");
    }
    try {
      if (!(await restore(host, change))) {
        return failed("undo-stale", "the same part of the view has been changed since");
      }
    } catch (error) {
      return failed("apply-failed", messageOf(error));
    }
    this.changes.delete(wanted);
    return { ok: true, id: wanted };
  }

  /** `undo` of the newest, for a call: throws `apply-failed` when it cannot be done. */
  async takeBack(host: TableHost): Promise<void> {
    const { error } = await this.undo(host);
    if (error !== undefined) throw new Refusal("apply-failed", error.message);
  }
}

function failed(
  code: NonNullable<UndoResult["error"]>["code"],
  message: string,
): Omit<UndoResult, "revision"> {
  return { ok: false, error: { code, message } };
}
