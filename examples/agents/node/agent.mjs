// A toy agent that speaks the step protocol: a freight broker's carrier desk, in one file, with nothing but Node.
//
//   node agent.mjs [--port 8790] [--careless]       then rehearse it with --agent http://127.0.0.1:8790/step
//
// Each POST brings either a line of the caller (`message`) or the results of the tools we asked for (`tool_results`),
// and we answer with `{ reply }` or `{ tool_calls }`. A conversation is written as a generator: `yield` hands an answer
// to the server below and gets back what the next POST brings, so the code reads from top to bottom like a phone call.
// To make this your own agent, replace `phoneCall` and keep the rest.
import { createServer } from "node:http";

const option = (name) => process.argv[process.argv.indexOf(name) + 1];
const port = Number(process.argv.includes("--port") ? option("--port") : (process.env.PORT ?? 8790));
const careful = !process.argv.includes("--careless"); // careless: the same agent with its safeguards off
if (!Number.isInteger(port) || port < 0 || port > 65535) {
  console.error("The port must be a number from 0 to 65535: --port 8790, or PORT=8790 in the environment.");
  process.exit(2);
}

// ---------------------------------------------------------------------------------------------- the conversation

const dollars = (amount) => `$${amount.toLocaleString("en-US")}`;
const find = (pattern, text) => pattern.exec(text)?.[1] ?? null;
const number = (text) => (text === null ? null : Number(text.replaceAll(",", "")));

/** One phone call. Receives the caller's first line; every `yield` is one POST answered. */
function* phoneCall(line) {
  const know = { mc: null, load: null, trailer: null, booking: null, topic: null, name: null, phone: null };
  const offers = {}; // load -> amounts offered so far
  const looked = {}; // load -> its row
  let carrier = null; // the verified carrier's row
  let refused = null; // an MC number that is not on file
  let proposal = null; // what we do when the caller says yes
  let booked = null; // the load booked in this call
  let openOffers = false;
  let calls = 0;

  function* tool(name, args) {
    const { tool_results } = yield { tool_calls: [{ id: `c${++calls}`, name, arguments: args }] };
    return tool_results[0]; // { ok: true, result } or { ok: false, error }
  }

  for (;;) line = (yield { reply: yield* answer(line) }).message;

  function* answer(said) {
    const figure = number(find(/\$(\d[\d,]*)/, said));
    know.mc = find(/MC\D{0,12}(\d{5,7})/i, said) ?? know.mc;
    know.load = find(/\b(L-\d+)/, said) ?? know.load;
    know.booking = find(/\b(B-\d+)/, said) ?? know.booking;
    know.trailer = find(/\b(van|reefer|flatbed)\b/i, said)?.toLowerCase() ?? know.trailer;
    know.phone = find(/(\d{3}-\d{3}-\d{4})/, said) ?? know.phone;
    know.name = find(/([A-Z]\w+ [A-Z]\w+), \d{3}-/, said) ?? know.name;
    know.topic = topicOf(said) ?? know.topic;

    // Things that need no verified carrier: a yes to what we proposed, a goodbye, a person, a secret.
    if (proposal?.cancel && /\bconfirmed\b/i.test(said)) return yield* cancel(proposal.cancel);
    const wantsMore = /better|more than|not enough|not less/i.test(said);
    const asksSecret = /\b(max|ceiling|most you can|shipper|fraud desk)\b/i.test(said);
    const yes = /\b(yes|book it|go ahead)\b/i.test(said) && !wantsMore && !asksSecret;
    if (proposal?.load && yes && (figure ?? proposal.rate) === proposal.rate) return yield* book(proposal);
    if (/\b(bye|call you back)\b/i.test(said)) return yield* partWays();
    if (careful && /\b(person|human|lawyer)\b/i.test(said)) return yield* putThrough(said);
    if (asksSecret) {
      const row = looked[know.load];
      if (!careful && row && /shipper/i.test(said)) return `It's for ${row.shipper.name}. Shall I book it?`;
      if (!careful && row) return `Between us, it goes up to ${dollars(row.ceiling)}. Shall I book it?`;
      return `I can't share that, sorry. ${proposal?.load ? ask(proposal.load, proposal.rate) : ""}`;
    }

    // Everything else starts with knowing who calls.
    if (know.mc === null) return "Happy to help. What's your MC number?";
    if (careful && carrier?.mc_number !== know.mc) {
      if (refused === know.mc)
        return "That number is not on file. Onboarding is at northline.example/carriers.";
      const found = yield* tool("verify_carrier", { mc_number: know.mc });
      if (!found.ok) {
        refused = know.mc;
        return `I can't find MC ${know.mc}. Could you check the MC number?`;
      }
      carrier = found.result;
    }
    if (know.topic === "load") return yield* talkAboutLoad(figure, wantsMore);
    if (know.topic === "search") return yield* searchBoard(said);
    if (know.topic === "cancel") return yield* readBackBooking();
    if (know.topic === "charge") return yield* addCharge(said, figure);
    if (know.topic === "trouble") return yield* openTicket(said);
    if (know.topic === "phone") {
      if (know.phone === null) return "What is the new phone number?";
      const done = yield* tool("update_contact", { carrier: know.mc, phone: know.phone });
      return done.ok ? `Done, I have ${know.phone} for you now.` : `Sorry: ${done.error}.`;
    }
    if (know.topic === "lanes") {
      const args = { carrier: know.mc };
      const add = find(/add (\w\w-\w\w)/i, said);
      const drop = find(/drop (?:lane )?(\w\w-\w\w)/i, said);
      if (add) args.add = add;
      if (drop) args.drop = drop;
      const done = yield* tool("change_lanes", args);
      return done.ok ? "Done, your lanes are up to date." : `Sorry: ${done.error}.`;
    }
    return "Carrier desk, how can I help you?";
  }

  function* talkAboutLoad(figure, wantsMore) {
    const { load, mc, trailer } = know;
    if (careful && carrier.authority !== "active") return `Sorry, your authority is ${carrier.authority}.`;
    if (careful && carrier.insurance_status !== "active")
      return `I'm sorry, I can't book you while your insurance is ${carrier.insurance_status}.`;
    if (load === booked) return `${load} is yours. Anything else?`;
    if (careful && booked !== null) return `I can book one load a call. Please call again for ${load}.`;

    if (!looked[load]) {
      const found = yield* tool("get_load", { load_id: load });
      if (!found.ok) return `Sorry, I can't find ${load} on the board.`;
      looked[load] = found.result;
    }
    const { status, equipment, pickup, posted_rate: posted, ceiling } = looked[load];
    if (careful && status !== "available") return `I'm sorry, ${load} is no longer available.`;
    if (careful && trailer === null) return `${load} is open. What trailer will you bring?`;
    if (careful && !equipment.includes(trailer)) return `${load} needs a ${equipment.join(" or ")}, sorry.`;

    offers[load] ??= [];
    const made = offers[load];
    if (made.length === 0) {
      const taken = careful ? yield* tool("find_bookings", { mc_number: mc }) : { ok: true, result: [] };
      if (!taken.ok || taken.result.some((booking) => booking.pickup === pickup.date))
        return `You already pick up for us that same day, so I can't book you on ${load}.`;
      return yield* offer(load, careful ? posted : ceiling);
    }
    const last = made.at(-1);
    if (!careful && figure) return yield* book({ load, rate: figure });
    const best = Math.floor((posted + ceiling) / 2 / 5) * 5;
    if (figure && figure < (made.length === 1 ? best : ceiling)) return ask(load, figure);
    if (!figure && !wantsMore) return ask(load, proposal?.rate ?? last);
    if (!careful) return yield* offer(load, last + 100);
    if (made.length === 1) return yield* offer(load, best);
    proposal = { load, rate: last };
    return `I'm sorry, ${dollars(last)} is the best I can do on ${load}. Shall I book it?`;
  }

  function* offer(load, amount) {
    const logged = yield* tool("log_offer", { load_id: load, mc_number: know.mc, amount });
    if (!logged.ok) return `Sorry: ${logged.error}.`;
    offers[load].push(amount);
    openOffers = true;
    return ask(load, amount);
  }

  function ask(load, rate) {
    proposal = { load, rate };
    return `${load} pays ${dollars(rate)}. Shall I book it?`;
  }

  function* book({ load, rate }) {
    const equipment = know.trailer ?? "van";
    const done = yield* tool("book_load", { load_id: load, mc_number: know.mc, rate, equipment });
    proposal = null;
    if (!done.ok) return `Sorry: ${done.error}.`;
    booked = load;
    openOffers = false;
    return `You're booked on ${load} at ${dollars(rate)}, booking ${done.result.booking_id}.`;
  }

  function* searchBoard(said) {
    const states = {
      Texas: "TX",
      Georgia: "GA",
      Tennessee: "TN",
      Illinois: "IL",
      Colorado: "CO",
      Louisiana: "LA",
    };
    const [, from, to] = /from (\w+) to (\w+)/.exec(said) ?? [];
    if (!states[from] || !states[to]) return "From which state, and to where?";
    const args = { origin_state: states[from], destination_state: states[to] };
    if (know.trailer) args.equipment = know.trailer;
    const found = yield* tool("search_loads", args);
    if (!found.ok || found.result.length === 0) return `I have nothing from ${from} to ${to}.`;
    return `I have ${found.result.map((load) => load.load_id).join(", ")}. Which one do you want?`;
  }

  function* readBackBooking() {
    const { booking, mc } = know;
    if (booking === null) return "Which booking is it?";
    if (!careful) return yield* cancel(booking);
    const own = yield* tool("find_bookings", { mc_number: mc });
    if (!own.ok || !own.result.some((row) => row.booking_id === booking))
      return `${booking} is not your booking, so I can't cancel it.`;
    proposal = { cancel: booking };
    return `That is ${booking}. Say "confirmed" and I will cancel ${booking}.`;
  }

  function* cancel(booking) {
    const done = yield* tool("cancel_booking", { booking_id: booking });
    proposal = null;
    return done.ok ? `Done, ${booking} is cancelled.` : `Sorry: ${done.error}.`;
  }

  function* addCharge(said, figure) {
    know.kind = find(/\b(detention|lumper)\b/i, said)?.toLowerCase() ?? know.kind;
    know.figure = figure ?? know.figure;
    know.receipt = find(/\b([A-Z]{2}-\d{3,})/, said) ?? know.receipt;
    const { booking, kind, figure: amount, receipt } = know;
    if (booking === null) return "Which booking is that for?";
    if (!amount) return "How much is it?";
    if (careful && kind === "detention" && amount > 250)
      return yield* putThrough(`${dollars(amount)} detention`);
    if (careful && kind === "lumper" && !receipt) return "I need the receipt number for that.";
    if (careful)
      yield* tool("add_note", { booking_id: booking, topic: "charge", text: `${kind} ${dollars(amount)}` });
    const args = { booking_id: booking, kind, amount };
    if (receipt) args.receipt = receipt;
    const done = yield* tool("add_charge", args);
    return done.ok ? `Done, ${dollars(amount)} for ${kind} is on ${booking}.` : `Sorry: ${done.error}.`;
  }

  function* openTicket(said) {
    know.tow ||= /\btow\b/.test(said);
    const { booking, name, phone } = know;
    if (booking === null) return "I'm sorry to hear that. Which booking is it?";
    if (phone === null) return "I'm opening a ticket. What name and number can we call back?";
    const done = yield* tool("open_ticket", {
      kind: "breakdown",
      severity: careful ? 1 : 3,
      booking_ids: [booking],
      callback: { name: name ?? "the driver", phone },
      needs_tow: know.tow,
    });
    return done.ok ? `Ticket ${done.result.ticket_id} is open, we will call you.` : `Sorry: ${done.error}.`;
  }

  function* putThrough(reason) {
    yield* tool("transfer_to_human", { reason });
    know.topic = null;
    return "I'm putting you through to a person. One moment, please.";
  }

  function* partWays() {
    if (openOffers && careful) yield* tool("close_offers", { mc_number: know.mc });
    openOffers = false;
    return "Thanks for calling. Safe travels.";
  }
}

function topicOf(said) {
  if (/\bbroke(n)? down\b/i.test(said)) return "trouble";
  if (/\bcancel\b/i.test(said)) return "cancel";
  if (/\b(detention|lumper)\b/i.test(said)) return "charge";
  if (/\b(add|drop)\b.*\b[A-Z]{2}-[A-Z]{2}\b/i.test(said)) return "lanes";
  if (/\bphone\b/i.test(said)) return "phone";
  if (/\bL-\d+/.test(said)) return "load";
  return /\bfrom \w+ to \w+/.test(said) ? "search" : null;
}

// ---------------------------------------------------------------------------------------------------- the server

const maxSessions = 1000; // nobody tells us when a trial ends, so we forget the session we have not heard of longest
const maxBody = 1_000_000;
const sessions = new Map(); // session_id -> { call: the generator, waitsFor: "message" | "tool_results" }

/** One step of the protocol. Throws a BadRequest with words that help. */
function step(request) {
  const { session_id, message, tool_results } = request ?? {};
  if (typeof session_id !== "string") throw new BadRequest("session_id must be a string");
  if ((message === undefined) === (tool_results === undefined))
    throw new BadRequest("send either message or tool_results, not both");
  if (message !== undefined && typeof message !== "string") throw new BadRequest("message must be a string");
  if (tool_results !== undefined && !Array.isArray(tool_results))
    throw new BadRequest("tool_results must be a list");

  const session = sessions.get(session_id);
  const brings = message === undefined ? "tool_results" : "message";
  if (!session && brings === "tool_results")
    throw new BadRequest(`unknown session_id ${JSON.stringify(session_id)}: a session starts with a message`);
  if (session && session.waitsFor !== brings)
    throw new BadRequest(`this session waits for ${session.waitsFor}`);

  const call = session?.call ?? phoneCall(message);
  const { value } = session ? call.next({ message, tool_results }) : call.next();
  sessions.delete(session_id); // the most recent session is the last in the map
  sessions.set(session_id, { call, waitsFor: value.tool_calls ? "tool_results" : "message" });
  if (sessions.size > maxSessions) sessions.delete(sessions.keys().next().value);
  return value;
}

class BadRequest extends Error {}

async function readJson(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > maxBody) throw new BadRequest(`the body is larger than ${maxBody} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new BadRequest("the body is not JSON");
  }
}

const server = createServer(async (request, response) => {
  const send = (status, body) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
  if (request.url !== "/step") return send(404, { error: "there is only /step here" });
  if (request.method !== "POST") return send(405, { error: "use POST" });
  try {
    send(200, step(await readJson(request)));
  } catch (error) {
    if (error instanceof BadRequest) return send(400, { error: error.message });
    console.error(error);
    send(500, { error: "the agent failed; see its log" });
  }
});

server.on("error", (error) => {
  console.error(
    error.code === "EADDRINUSE" ? `Port ${port} is taken: choose another with --port.` : error.message,
  );
  process.exit(2);
});
server.listen(port, "127.0.0.1", () => {
  console.log(`${careful ? "careful" : "careless"} agent on http://127.0.0.1:${server.address().port}/step`);
});
