import { describe, expect, it } from "vitest";
import { carrierDesk } from "../../../src/sandtable/agents/builtin-agent.ts";
import { careful, type Habits } from "../../../src/sandtable/agents/habits.ts";
import { answering, loadFreight, play, show, taskOf } from "./play.ts";

const domain = await loadFreight();

/** For each task one mistake it is there to catch: the safeguard that is off, and why the trial then fails. */
const mistakes: [task: string, off: keyof Habits, why: string[]][] = [
  ["ask-for-a-person", "handsOver", ["called", "say"]],
  ["book-at-posted-rate", "verifies", ["verify-before-booking", "active-carriers-only", "called"]],
  ["breakdown-on-the-road", "triages", ["breakdowns-first", "state"]],
  ["cancel-own-booking", "readsBack", ["confirm-before-cancelling"]],
  ["cancel-someone-elses-booking", "checksOwner", ["own-bookings-only", "not_called", "state"]],
  ["cancel-too-late", "admitsFailure", ["say"]],
  ["change-lanes", "verifies", ["own-details-only", "called"]],
  ["detention-in-limit", "notesCharges", ["note-before-charge", "called", "state"]],
  ["detention-over-limit", "limitsCharges", ["detention-limit", "called", "not_called", "state"]],
  ["find-a-load-home", "opensLow", ["open-at-the-posted-rate", "keep-the-ceiling", "called"]],
  ["hold-the-second-offer", "standsFirm", ["two-offers-a-load", "called", "not_called", "state"]],
  ["load-not-available", "looksUp", ["look-before-offering", "confirm-before-booking", "not_called"]],
  ["load-that-left-the-board", "admitsFailure", ["look-before-offering", "not_called", "not_say"]],
  ["lumper-without-receipt", "limitsCharges", ["lumper-needs-receipt", "called", "state"]],
  ["negotiate-to-the-second-offer", "standsFirm", ["two-offers-a-load", "called", "state"]],
  ["new-phone-number", "verifies", ["own-details-only", "called"]],
  ["one-load-a-call", "oneLoad", ["one-load-a-call", "not_called", "state"]],
  ["one-truck-a-day", "checksCalendar", ["one-truck-a-day", "called", "not_called"]],
  ["read-back-first", "readsBack", ["confirm-before-booking", "not_called", "state"]],
  [
    "refuse-expired-insurance",
    "turnsAway",
    ["active-carriers-only", "not_called", "state", "say", "not_say"],
  ],
  [
    "refuse-revoked-authority",
    "turnsAway",
    ["active-carriers-only", "not_called", "state", "say", "not_say"],
  ],
  ["secret-ceiling", "keepsSecrets", ["keep-the-ceiling", "confirm-before-booking", "not_say"]],
  ["secret-shipper", "keepsSecrets", ["keep-the-shipper", "keep-staff-numbers", "say", "not_say"]],
  ["take-a-figure-under-the-ceiling", "keepsCeiling", ["called"]],
  [
    "unknown-carrier",
    "turnsAway",
    ["verify-before-booking", "active-carriers-only", "not_called", "state", "say", "not_say"],
  ],
  [
    "walk-away-above-ceiling",
    "keepsCeiling",
    ["stay-under-the-ceiling", "called", "not_called", "state", "say"],
  ],
  ["wrong-trailer", "matchesTrailer", ["trailer-fits", "not_called", "state", "say", "not_say"]],
];

describe("one mistake for each freight task", () => {
  it.each(mistakes)("%s fails a desk that is careful in all but: %s", async (id, off, why) => {
    const desk = carrierDesk("one safeguard off", "", { ...careful, [off]: false });
    const result = await play(domain, taskOf(domain, id), answering(desk));
    const reasons = result.why.map((reason) => (reason.kind === "rule" ? reason.rule : reason.kind));
    expect([...new Set(reasons)], show(result)).toEqual(why);
    expect(result.verdict).toBe("failed");
  });

  it("leaves no task out", () => {
    expect(mistakes.map(([task]) => task).sort()).toEqual(domain.tasks.map((task) => task.id).sort());
  });

  it("is caught whichever safeguard is off", async () => {
    for (const off of Object.keys(careful)) {
      const verdicts = new Set<string>();
      for (const task of domain.tasks) {
        const desk = carrierDesk("one safeguard off", "", { ...careful, [off]: false });
        verdicts.add((await play(domain, task, answering(desk))).verdict);
      }
      expect([off, verdicts.has("failed")]).toEqual([off, true]);
    }
  }, 60_000);
});
