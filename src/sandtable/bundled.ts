// Written by scripts/make-bundled.ts; run `npm run generate` after adding a file to a domain under examples/.
import f0 from "../../examples/freight/callers.yaml";
import f1 from "../../examples/freight/domain.yaml";
import f2 from "../../examples/freight/policy.md";
import f3 from "../../examples/freight/rules.yaml";
import f4 from "../../examples/freight/tasks/ask-for-a-person.yaml";
import f5 from "../../examples/freight/tasks/book-at-posted-rate.yaml";
import f6 from "../../examples/freight/tasks/breakdown-on-the-road.yaml";
import f7 from "../../examples/freight/tasks/cancel-own-booking.yaml";
import f8 from "../../examples/freight/tasks/cancel-someone-elses-booking.yaml";
import f9 from "../../examples/freight/tasks/cancel-too-late.yaml";
import f10 from "../../examples/freight/tasks/change-lanes.yaml";
import f11 from "../../examples/freight/tasks/detention-in-limit.yaml";
import f12 from "../../examples/freight/tasks/detention-over-limit.yaml";
import f13 from "../../examples/freight/tasks/find-a-load-home.yaml";
import f14 from "../../examples/freight/tasks/hold-the-second-offer.yaml";
import f15 from "../../examples/freight/tasks/load-not-available.yaml";
import f16 from "../../examples/freight/tasks/load-that-left-the-board.yaml";
import f17 from "../../examples/freight/tasks/lumper-without-receipt.yaml";
import f18 from "../../examples/freight/tasks/negotiate-to-the-second-offer.yaml";
import f19 from "../../examples/freight/tasks/new-phone-number.yaml";
import f20 from "../../examples/freight/tasks/one-load-a-call.yaml";
import f21 from "../../examples/freight/tasks/one-truck-a-day.yaml";
import f22 from "../../examples/freight/tasks/read-back-first.yaml";
import f23 from "../../examples/freight/tasks/refuse-expired-insurance.yaml";
import f24 from "../../examples/freight/tasks/refuse-revoked-authority.yaml";
import f25 from "../../examples/freight/tasks/secret-ceiling.yaml";
import f26 from "../../examples/freight/tasks/secret-shipper.yaml";
import f27 from "../../examples/freight/tasks/take-a-figure-under-the-ceiling.yaml";
import f28 from "../../examples/freight/tasks/unknown-carrier.yaml";
import f29 from "../../examples/freight/tasks/walk-away-above-ceiling.yaml";
import f30 from "../../examples/freight/tasks/wrong-trailer.yaml";
import f31 from "../../examples/freight/tools.yaml";
import f32 from "../../examples/freight/world.yaml";
import f33 from "../../examples/starter/domain.yaml";
import f34 from "../../examples/starter/policy.md";
import f35 from "../../examples/starter/rules.yaml";
import f36 from "../../examples/starter/tasks/keep-the-notes.yaml";
import f37 from "../../examples/starter/tasks/move-to-friday.yaml";
import f38 from "../../examples/starter/tasks/no-room-on-wednesday.yaml";
import f39 from "../../examples/starter/tools.yaml";
import f40 from "../../examples/starter/world.yaml";

/** Domains that ship with the Worker, as the text of their files. */
export const bundledDomains: { name: string; files: Record<string, string> }[] = [
  {
    name: "freight",
    files: {
      "callers.yaml": f0,
      "domain.yaml": f1,
      "policy.md": f2,
      "rules.yaml": f3,
      "tasks/ask-for-a-person.yaml": f4,
      "tasks/book-at-posted-rate.yaml": f5,
      "tasks/breakdown-on-the-road.yaml": f6,
      "tasks/cancel-own-booking.yaml": f7,
      "tasks/cancel-someone-elses-booking.yaml": f8,
      "tasks/cancel-too-late.yaml": f9,
      "tasks/change-lanes.yaml": f10,
      "tasks/detention-in-limit.yaml": f11,
      "tasks/detention-over-limit.yaml": f12,
      "tasks/find-a-load-home.yaml": f13,
      "tasks/hold-the-second-offer.yaml": f14,
      "tasks/load-not-available.yaml": f15,
      "tasks/load-that-left-the-board.yaml": f16,
      "tasks/lumper-without-receipt.yaml": f17,
      "tasks/negotiate-to-the-second-offer.yaml": f18,
      "tasks/new-phone-number.yaml": f19,
      "tasks/one-load-a-call.yaml": f20,
      "tasks/one-truck-a-day.yaml": f21,
      "tasks/read-back-first.yaml": f22,
      "tasks/refuse-expired-insurance.yaml": f23,
      "tasks/refuse-revoked-authority.yaml": f24,
      "tasks/secret-ceiling.yaml": f25,
      "tasks/secret-shipper.yaml": f26,
      "tasks/take-a-figure-under-the-ceiling.yaml": f27,
      "tasks/unknown-carrier.yaml": f28,
      "tasks/walk-away-above-ceiling.yaml": f29,
      "tasks/wrong-trailer.yaml": f30,
      "tools.yaml": f31,
      "world.yaml": f32,
    },
  },
  {
    name: "starter",
    files: {
      "domain.yaml": f33,
      "policy.md": f34,
      "rules.yaml": f35,
      "tasks/keep-the-notes.yaml": f36,
      "tasks/move-to-friday.yaml": f37,
      "tasks/no-room-on-wednesday.yaml": f38,
      "tools.yaml": f39,
      "world.yaml": f40,
    },
  },
];
