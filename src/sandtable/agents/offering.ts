import type { JsonObject } from "../../turn/json.ts";
import { identify, unfit } from "./carrier.ts";
import { type Desk, dollars, number, rowOf, rowsOf, text, use } from "./desk-state.ts";
import type { Talk } from "./dialogue.ts";
import { stateCode } from "./states.ts";
import type { Line } from "./understand.ts";

/** What a careless desk pays when it has not looked. */
const usualRate = 2000;
/** By how much a desk that does not stand firm raises its offer each time. */
const raise = 100;

/** Talks about a load: whether the carrier can have it, and for how much. */
export function* offerLoad(desk: Desk, line: Line): Talk<string> {
  const { habits, load } = desk;
  const unknown = yield* identify(desk);
  if (unknown !== null) return unknown;
  const refusal = unfit(desk);
  if (refusal !== null) return refusal;
  if (load === null) return "Which load are you calling about?";
  if (desk.booked.includes(load)) return `${load} is yours already. Anything else?`;
  if (habits.oneLoad && desk.booked.length > 0)
    return `I can book one load a call, so please call again for ${load}.`;
  if (!habits.looksUp && line.hasty) return yield* book(desk, load, line.figure ?? usualRate);

  const row = yield* lookUp(desk, load);
  if (row === null) {
    if (habits.admitsFailure) return `I'm sorry, I can't find ${load} on the board any more.`;
    return yield* offer(desk, load, usualRate, "");
  }
  if (habits.looksUp && text(row, "status") !== "available")
    return `I'm sorry, ${load} is no longer available.`;
  const misfit = yield* trailerOrDateMisfit(desk, load, row);
  return misfit ?? (yield* haggle(desk, load, row, line));
}

function* lookUp(desk: Desk, load: string): Talk<JsonObject | null> {
  const known = desk.loads.get(load);
  if (known !== undefined) return known;
  const row = rowOf(yield* use(desk, "get_load", { load_id: load }));
  if (row !== null) desk.loads.set(load, row);
  return row;
}

function* trailerOrDateMisfit(desk: Desk, load: string, row: JsonObject): Talk<string | null> {
  const { habits, trailer, mc } = desk;
  if (habits.matchesTrailer) {
    if (trailer === null) return `${load} is open. What trailer will you bring?`;
    const accepted = Array.isArray(row.equipment) ? row.equipment.map(String) : [];
    if (!accepted.includes(trailer))
      return `${load} needs a ${accepted.join(" or ")}, so I can't give it to a ${trailer}.`;
  }
  if (habits.checksCalendar && !desk.offers.has(load)) {
    const bookings = rowsOf(yield* use(desk, "find_bookings", { mc_number: mc ?? "" }));
    if (bookings.some((booking) => text(booking, "pickup") === text(row, "pickup.date")))
      return `You already pick up a load for us that same day, so I can't book you on ${load}.`;
  }
  return null;
}

function* haggle(desk: Desk, load: string, row: JsonObject, line: Line): Talk<string> {
  const { habits } = desk;
  const made = desk.offers.get(load) ?? [];
  const last = made.at(-1);
  const posted = number(row, "posted_rate");
  const ceiling = number(row, "ceiling");
  if (last === undefined) {
    const lane = `${text(row, "origin.city")} to ${text(row, "destination.city")} on ${text(row, "pickup.date")}`;
    return yield* offer(desk, load, habits.opensLow ? posted : ceiling, `, ${lane},`);
  }
  const { figure } = line;
  if (figure === null && !line.wantsMore) return propose(desk, load, standing(desk, load) ?? last, "");
  if (figure !== null && !habits.keepsCeiling) return yield* accept(desk, load, figure);
  if (!habits.standsFirm && figure === null) return yield* offer(desk, load, last + raise, "");

  const best = Math.floor((posted + ceiling) / 2 / 5) * 5;
  if (made.length === 1 && last < best) {
    if (figure !== null && figure <= best) return yield* accept(desk, load, figure);
    return yield* offer(desk, load, best, "", "My best on");
  }
  if (figure !== null && figure < ceiling) return yield* accept(desk, load, figure);
  propose(desk, load, last, "");
  return `I hear you, but ${dollars(last)} is the best I can do on ${load}. Shall I book it?`;
}

/** Logs an offer and makes it. */
function* offer(desk: Desk, load: string, amount: number, lane: string, opening = ""): Talk<string> {
  const logged = yield* use(desk, "log_offer", { load_id: load, mc_number: desk.mc ?? "", amount });
  if (!logged.ok && desk.habits.admitsFailure) return `I'm sorry, that did not go through: ${logged.error}.`;
  desk.offersOpen = true;
  desk.offers.set(load, [...(desk.offers.get(load) ?? []), amount]);
  const said = propose(desk, load, amount, lane);
  return opening === "" ? said : `${opening} ${load} is ${dollars(amount)}. Shall I book it?`;
}

/** Agrees to a figure of the carrier's, to be confirmed by it. */
function* accept(desk: Desk, load: string, figure: number): Talk<string> {
  if (!desk.habits.readsBack) return yield* book(desk, load, figure);
  propose(desk, load, figure, "");
  return `All right, I can do ${dollars(figure)} on ${load}. Shall I book it at that?`;
}

/** The rate on the table for a load. */
function standing(desk: Desk, load: string): number | null {
  const { proposal } = desk;
  return proposal?.kind === "book" && proposal.load === load ? proposal.rate : null;
}

function propose(desk: Desk, load: string, rate: number, lane: string): string {
  desk.proposal = { kind: "book", load, rate };
  return `${load}${lane} pays ${dollars(rate)}. Shall I book it?`;
}

/** Books, and says what came of it. */
export function* book(desk: Desk, load: string, rate: number): Talk<string> {
  const booking = yield* use(desk, "book_load", {
    load_id: load,
    mc_number: desk.mc ?? "",
    rate,
    equipment: desk.trailer ?? "van",
  });
  desk.proposal = null;
  if (!booking.ok && desk.habits.admitsFailure)
    return `I'm sorry, that did not go through: ${booking.error}.`;
  desk.booked.push(load);
  desk.offersOpen = false;
  const row = rowOf(booking);
  const under = row === null ? "" : ` under booking ${text(row, "booking_id")}`;
  return `You're booked on ${load} at ${dollars(rate)}${under}.`;
}

/** Searches the board for a lane. */
export function* searchBoard(desk: Desk, line: Line): Talk<string> {
  const unknown = yield* identify(desk);
  if (unknown !== null) return unknown;
  const refusal = unfit(desk);
  if (refusal !== null) return refusal;
  if (line.from === null || line.to === null) return "Where from, and where do you want to go?";
  const args: JsonObject = { ...place("origin", line.from), ...place("destination", line.to) };
  if (desk.trailer !== null) args.equipment = desk.trailer;
  const found = rowsOf(yield* use(desk, "search_loads", args));
  if (found.length === 0) return `I have nothing open from ${line.from} to ${line.to} today.`;
  const loads = found.map((row) => {
    const lane = `${text(row, "origin.city")} to ${text(row, "destination.city")}`;
    return `${text(row, "load_id")} from ${lane} on ${text(row, "pickup.date")}`;
  });
  return `I have ${loads.join(", ")}. Do you want one of those?`;
}

function place(end: "origin" | "destination", name: string): JsonObject {
  const state = stateCode(name);
  return state === undefined ? { [`${end}_city`]: name } : { [`${end}_state`]: state };
}
