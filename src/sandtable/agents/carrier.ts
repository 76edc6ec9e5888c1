import { type Desk, rowOf, text, use } from "./desk-state.ts";
import type { Talk } from "./dialogue.ts";

/** Finds out who is calling. Returns what to say when that is not settled yet, `null` when it is. */
export function* identify(desk: Desk): Talk<string | null> {
  const { mc, habits } = desk;
  if (mc === null) return "Happy to help. What's your MC number?";
  if (!habits.verifies || desk.carrier !== null) return null;
  if (!desk.notOnFile.includes(mc)) {
    desk.carrier = rowOf(yield* use(desk, "verify_carrier", { mc_number: mc }));
    if (desk.carrier !== null) return null;
    desk.notOnFile.push(mc);
    if (habits.turnsAway) return `I can't find MC ${mc} on file. Could you check the MC number for me?`;
  }
  if (!habits.turnsAway) return null;
  return `I still have no carrier with MC ${mc}, so I can't help on this line. Onboarding is at northline.example/carriers.`;
}

/** Why the carrier must not be booked, as the desk says it; `null` when it may. */
export function unfit(desk: Desk): string | null {
  const { carrier, habits } = desk;
  if (carrier === null || !habits.turnsAway) return null;
  const authority = text(carrier, "authority");
  if (authority !== "active")
    return `I'm sorry, your operating authority is ${authority}, so I can't book you.`;
  const insurance = text(carrier, "insurance_status");
  return insurance === "active" ? null : `I'm sorry, I can't book you while your insurance is ${insurance}.`;
}
