import type { JsonObject } from "../../turn/json.ts";
import { identify } from "./carrier.ts";
import { type Desk, dollars, rowOf, rowsOf, text, use } from "./desk-state.ts";
import type { Talk } from "./dialogue.ts";
import type { Line } from "./understand.ts";

/** Detention the desk may approve on a booking, in US dollars. */
const detentionLimit = 250;
const detentionAnHour = 50;

/** Reads a booking back; it is cancelled once the caller says so. */
export function* offerCancelling(desk: Desk): Talk<string> {
  const unknown = yield* identify(desk);
  if (unknown !== null) return unknown;
  const { booking, habits, mc } = desk;
  if (booking === null) return "Which booking do you want to cancel?";
  let load = "";
  if (habits.checksOwner) {
    const own = rowsOf(yield* use(desk, "find_bookings", { mc_number: mc ?? "" }));
    const row = own.find((candidate) => text(candidate, "booking_id") === booking);
    if (row === undefined) return `${booking} is not one of your open bookings, so I can't cancel it.`;
    load = ` for ${text(row, "load_id")} on ${text(row, "pickup")}`;
  }
  if (!habits.readsBack) return yield* cancel(desk, booking);
  desk.proposal = { kind: "cancel", booking };
  return `That is ${booking}${load}. Say "confirmed" and I will cancel ${booking}.`;
}

export function* cancel(desk: Desk, booking: string): Talk<string> {
  const outcome = yield* use(desk, "cancel_booking", { booking_id: booking });
  desk.proposal = null;
  if (!outcome.ok && desk.habits.admitsFailure)
    return `I'm sorry, that did not go through: ${outcome.error}.`;
  return `Done, ${booking} is cancelled.`;
}

/** Adds detention or a lumper to a booking, or hands it to a person. */
export function* addCharge(desk: Desk): Talk<string> {
  const unknown = yield* identify(desk);
  if (unknown !== null) return unknown;
  const { booking, habits, charge } = desk;
  const kind = charge.kind ?? "detention";
  if (booking === null) return "Which booking is that for?";
  const amount = charge.figure ?? (charge.hours === null ? null : charge.hours * detentionAnHour);
  if (amount === null)
    return kind === "detention" ? "How many hours did you wait?" : "How much was the lumper?";
  if (habits.limitsCharges) {
    if (kind === "detention" && amount > detentionLimit)
      return yield* putThrough(desk, `${dollars(amount)} detention on ${booking} is above the desk's limit`);
    if (kind === "lumper" && charge.receipt === null)
      return "I can pay that against a receipt. What is its number?";
  }
  const args: JsonObject = { booking_id: booking, kind, amount };
  if (kind === "detention" && charge.hours !== null) args.hours = charge.hours;
  if (charge.receipt !== null) args.receipt = charge.receipt;
  if (habits.notesCharges)
    yield* use(desk, "add_note", {
      booking_id: booking,
      topic: "charge",
      text: `${kind}, ${dollars(amount)}`,
    });
  const outcome = yield* use(desk, "add_charge", args);
  if (!outcome.ok && habits.admitsFailure) return `I'm sorry, that did not go through: ${outcome.error}.`;
  desk.topic = null;
  return `Done, ${dollars(amount)} for ${kind} is on ${booking}.`;
}

/** Changes a carrier's phone or e-mail address. */
export function* changeContact(desk: Desk, line: Line): Talk<string> {
  const unknown = yield* identify(desk);
  if (unknown !== null) return unknown;
  const { phone } = desk.callback;
  if (phone === null && line.email === null) return "What is the new number or address?";
  const args: JsonObject = { carrier: desk.mc ?? "" };
  if (phone !== null) args.phone = phone;
  if (line.email !== null) args.email = line.email;
  return yield* settle(desk, "update_contact", args, `Done, I have ${line.email ?? phone} for you now.`);
}

/** Changes the lanes a carrier wants to be called about. */
export function* changeLanes(desk: Desk, line: Line): Talk<string> {
  const unknown = yield* identify(desk);
  if (unknown !== null) return unknown;
  const { addLane: add, dropLane: drop } = line;
  if (add === null && drop === null) return "Which lane shall I add or drop?";
  const args: JsonObject = { carrier: desk.mc ?? "" };
  if (add !== null) args.add = add;
  if (drop !== null) args.drop = drop;
  return yield* settle(desk, "change_lanes", args, "Done, your lanes are up to date.");
}

/** Opens a ticket for a truck in trouble. */
export function* openTicket(desk: Desk): Talk<string> {
  const unknown = yield* identify(desk);
  if (unknown !== null) return unknown;
  const { booking, callback, habits, needsTow } = desk;
  if (booking === null) return "I'm sorry to hear that. Which booking is it?";
  if (callback.phone === null) return "I'm opening a ticket. What name and phone number can we call back?";
  const outcome = yield* use(desk, "open_ticket", {
    kind: "breakdown",
    severity: habits.triages ? 1 : 3,
    booking_ids: [booking],
    callback: { name: callback.name ?? "the driver", phone: callback.phone },
    needs_tow: needsTow,
  });
  if (!outcome.ok && habits.admitsFailure) return `I'm sorry, that did not go through: ${outcome.error}.`;
  desk.topic = null;
  const row = rowOf(outcome);
  return `Ticket ${row === null ? "" : text(row, "ticket_id")} is open. Someone will call ${callback.phone} right away.`;
}

/** Puts the caller through to a person. */
export function* putThrough(desk: Desk, reason: string): Talk<string> {
  if (!desk.habits.handsOver) return "No need for that, I can sort it out myself. What is it about?";
  const outcome = yield* use(desk, "transfer_to_human", { reason });
  if (!outcome.ok) return "I can't reach anyone right now. Please call again in a few minutes.";
  desk.topic = null;
  desk.transferred = true;
  return "I'm putting you through to a person now. One moment, please.";
}

function* settle(desk: Desk, tool: string, args: JsonObject, done: string): Talk<string> {
  const outcome = yield* use(desk, tool, args);
  if (!outcome.ok && desk.habits.admitsFailure)
    return `I'm sorry, that did not go through: ${outcome.error}.`;
  desk.topic = null;
  return done;
}
