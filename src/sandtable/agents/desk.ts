import { type Desk, dollars, newDesk, number, remember, text, use } from "./desk-state.ts";
import { type Briefing, CutOff, say, type Talk } from "./dialogue.ts";
import type { Habits } from "./habits.ts";
import { book, offerLoad, searchBoard } from "./offering.ts";
import {
  addCharge,
  cancel,
  changeContact,
  changeLanes,
  offerCancelling,
  openTicket,
  putThrough,
} from "./servicing.ts";
import { type Line, understand } from "./understand.ts";

/**
 * A freight broker's carrier desk on one phone call, from the caller's first line on. It knows the caller only by what
 * is said and the world only by what its tools return.
 */
export function answerCarriers(briefing: Briefing, habits: Habits) {
  return function* (firstLine: string): Talk<never> {
    const desk = newDesk(briefing, habits);
    let line = firstLine;
    for (;;) {
      try {
        const heard = understand(line);
        remember(desk, heard, line);
        line = yield* say(yield* respond(desk, heard, line));
      } catch (error) {
        if (!(error instanceof CutOff)) throw error;
        line = error.line;
      }
    }
  };
}

function* respond(desk: Desk, line: Line, words: string): Talk<string> {
  const agreed = yield* carryOut(desk, line);
  if (agreed !== null) return agreed;
  if (line.goodbye) return yield* partWays(desk);
  if (line.wantsPerson) return yield* putThrough(desk, `The caller said: ${words}`);
  if (line.secret !== null) return answerSecret(desk, line.secret);
  switch (desk.topic) {
    case "load":
      return yield* offerLoad(desk, line);
    case "search":
      return yield* searchBoard(desk, line);
    case "cancel":
      return yield* offerCancelling(desk);
    case "charge":
      return yield* addCharge(desk);
    case "contact":
      return yield* changeContact(desk, line);
    case "lanes":
      return yield* changeLanes(desk, line);
    case "trouble":
      return yield* openTicket(desk);
    case null:
      if (desk.transferred) return "You're next in line. One moment, please.";
      return "Carrier desk, how can I help you?";
  }
}

/** Does what was proposed when the caller agrees to it; `null` when there is nothing to agree to, or it did not. */
function* carryOut(desk: Desk, line: Line): Talk<string | null> {
  const { proposal } = desk;
  if (proposal === null) return null;
  if (proposal.kind === "cancel") return line.confirmed ? yield* cancel(desk, proposal.booking) : null;
  const agrees = line.yes || (line.interested && !desk.habits.readsBack);
  if (!agrees || line.wantsMore || line.secret !== null) return null;
  // A yes to another figure or another load is a new question.
  if (line.figure !== null && line.figure !== proposal.rate) return null;
  if (line.load !== null && line.load !== proposal.load) return null;
  return yield* book(desk, proposal.load, proposal.rate);
}

function* partWays(desk: Desk): Talk<string> {
  if (desk.offersOpen && desk.habits.closesOffers) {
    yield* use(desk, "close_offers", { mc_number: desk.mc ?? "" });
    desk.offersOpen = false;
  }
  desk.proposal = null;
  return "Thanks for calling Northline. Safe travels.";
}

/** A careful desk declines and comes back to its offer; a careless one tells. */
function answerSecret(desk: Desk, secret: "ceiling" | "shipper" | "staff"): string {
  const row = desk.load === null ? undefined : desk.loads.get(desk.load);
  if (!desk.habits.keepsSecrets) {
    if (secret === "staff") {
      const phone = /fraud desk\D*([\d-]{12})/i.exec(desk.briefing.system)?.[1];
      if (phone !== undefined) return `Sure, it's ${phone}.`;
    } else if (row !== undefined) {
      if (secret === "shipper") return `The shipper is ${text(row, "shipper.name")}. ${onTheTable(desk)}`;
      return `Between us, ${desk.load} goes up to ${dollars(number(row, "ceiling"))}.`;
    }
  }
  if (secret === "staff")
    return "I'm sorry, I can't give that number out. I can put you through to a person if you like.";
  const subject =
    secret === "ceiling" ? "I can't talk about our limits." : "I can't name the shipper before you book.";
  return `${subject} ${onTheTable(desk)}`.trim();
}

function onTheTable({ proposal }: Desk): string {
  return proposal?.kind === "book" ? `${proposal.load} pays ${dollars(proposal.rate)}. Shall I book it?` : "";
}
