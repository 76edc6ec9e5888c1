"""A toy agent that speaks the step protocol: a freight broker's carrier desk, with the standard library only.

    python3 agent.py [--port 8791]        then rehearse it with --agent http://127.0.0.1:8791/step

Each POST brings either a line of the caller (`message`) or the results of the tools we asked for (`tool_results`),
and we answer with {"reply": ...} or {"tool_calls": [...]}. A conversation is written as a generator: `yield` hands an
answer to the server below and gets back what the next POST brings, so the code reads from top to bottom like a phone
call. To make this your own agent, replace `PhoneCall` and keep the rest. Python 3.10 or newer.
"""

import argparse
import json
import os
import re
import sys
import threading
from collections import OrderedDict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


# ---------------------------------------------------------------------------------------------- the conversation


def find(pattern, text, flags=re.IGNORECASE):
    match = re.search(pattern, text, flags)
    return match.group(1) if match else None


def dollars(amount):
    return f"${amount:,}"


def topic_of(said):
    for topic, pattern in [
        ("trouble", r"\bbroken? down\b"),
        ("cancel", r"\bcancel\b"),
        ("charge", r"\b(detention|lumper)\b"),
        ("lanes", r"\b(add|drop)\b.*\b[A-Z]{2}-[A-Z]{2}\b"),
        ("phone", r"\bphone\b"),
        ("load", r"\bL-\d+"),
        ("search", r"\bfrom \w+ to \w+"),
    ]:
        if re.search(pattern, said, re.IGNORECASE):
            return topic
    return None


class PhoneCall:
    """One phone call. `talk` gets the caller's first line; every `yield` is one POST answered."""

    def __init__(self):
        self.calls = 0
        self.topic = self.mc = self.load = self.trailer = self.booking = None
        self.name = self.phone = self.kind = self.amount = self.receipt = None
        self.tow = False
        self.carrier = None  # the verified carrier's row
        self.not_on_file = None  # an MC number nobody knows
        self.looked = {}  # load -> its row
        self.offers = {}  # load -> amounts offered so far
        self.open_offers = False
        self.proposal = None  # what we do when the caller agrees: ("book", load, rate) or ("cancel", booking)
        self.booked = None  # the load booked in this call

    def talk(self, line):
        while True:
            reply = yield from self.answer(line)
            line = (yield {"reply": reply})["message"]

    def tool(self, name, **arguments):
        """Calls one tool; its result has `ok` and then `result` or `error`."""
        self.calls += 1
        heard = yield {"tool_calls": [{"id": f"c{self.calls}", "name": name, "arguments": arguments}]}
        return heard["tool_results"][0]

    def answer(self, said):
        figure = find(r"\$(\d[\d,]*)", said)
        figure = int(figure.replace(",", "")) if figure else None
        self.mc = find(r"MC\D{0,12}(\d{5,7})", said) or self.mc
        self.load = find(r"\b(L-\d+)", said) or self.load
        self.booking = find(r"\b(B-\d+)", said) or self.booking
        self.trailer = (find(r"\b(van|reefer|flatbed)\b", said) or self.trailer or "").lower() or None
        self.phone = find(r"(\d{3}-\d{3}-\d{4})", said) or self.phone
        self.name = find(r"([A-Z]\w+ [A-Z]\w+), \d{3}-", said, 0) or self.name
        self.topic = topic_of(said) or self.topic

        # Things that need no verified carrier: a yes to what we proposed, a goodbye, a person, a secret.
        wants_more = bool(re.search(r"better|more than|not enough|not less", said, re.I))
        asks_secret = bool(re.search(r"\b(max|ceiling|most you can|shipper|fraud desk)\b", said, re.I))
        yes = bool(re.search(r"\b(yes|book it|go ahead)\b", said, re.I)) and not wants_more and not asks_secret
        match self.proposal:
            case ("cancel", booking) if "confirmed" in said.lower():
                return (yield from self.cancel(booking))
            case ("book", load, rate) if yes and figure in (None, rate):
                return (yield from self.book(load, rate))
        if re.search(r"\b(bye|call you back)\b", said, re.I):
            return (yield from self.part_ways())
        if re.search(r"\b(person|human|lawyer)\b", said, re.I):
            return (yield from self.put_through(said))
        if asks_secret:
            return f"I can't share that, sorry. {self.on_the_table()}"

        # Everything else starts with knowing who calls.
        if self.mc is None:
            return "Happy to help. What's your MC number?"
        if self.carrier is None or self.carrier["mc_number"] != self.mc:
            if self.not_on_file == self.mc:
                return "That number is not on file. Onboarding is at northline.example/carriers."
            found = yield from self.tool("verify_carrier", mc_number=self.mc)
            if not found["ok"]:
                self.not_on_file = self.mc
                return f"I can't find MC {self.mc}. Could you check the MC number?"
            self.carrier = found["result"]
        match self.topic:
            case "load":
                return (yield from self.talk_about_load(figure, wants_more))
            case "search":
                return (yield from self.search_board(said))
            case "cancel":
                return (yield from self.read_back_booking())
            case "charge":
                return (yield from self.add_charge(said, figure))
            case "trouble":
                return (yield from self.open_ticket(said))
            case "phone" if self.phone is None:
                return "What is the new phone number?"
            case "phone":
                done = yield from self.tool("update_contact", carrier=self.mc, phone=self.phone)
                return f"Done, I have {self.phone} for you now." if done["ok"] else f"Sorry: {done['error']}."
            case "lanes":
                lanes = {"add": find(r"add (\w\w-\w\w)", said), "drop": find(r"drop (?:lane )?(\w\w-\w\w)", said)}
                wanted = {name: lane for name, lane in lanes.items() if lane}
                done = yield from self.tool("change_lanes", carrier=self.mc, **wanted)
                return "Done, your lanes are up to date." if done["ok"] else f"Sorry: {done['error']}."
        return "Carrier desk, how can I help you?"

    def talk_about_load(self, figure, wants_more):
        load = self.load
        if self.carrier["authority"] != "active":
            return f"I'm sorry, your authority is {self.carrier['authority']}, so I can't book you."
        if self.carrier["insurance_status"] != "active":
            return f"I'm sorry, I can't book you while your insurance is {self.carrier['insurance_status']}."
        if load == self.booked:
            return f"{load} is yours. Anything else?"
        if self.booked is not None:
            return f"I can book one load a call. Please call again for {load}."

        if load not in self.looked:
            found = yield from self.tool("get_load", load_id=load)
            if not found["ok"]:
                return f"Sorry, I can't find {load} on the board."
            self.looked[load] = found["result"]
        row = self.looked[load]
        if row["status"] != "available":
            return f"I'm sorry, {load} is no longer available."
        if self.trailer is None:
            return f"{load} is open. What trailer will you bring?"
        if self.trailer not in row["equipment"]:
            return f"{load} needs a {' or '.join(row['equipment'])}, sorry."

        made = self.offers.setdefault(load, [])
        if not made:
            taken = yield from self.tool("find_bookings", mc_number=self.mc)
            if not taken["ok"] or any(b["pickup"] == row["pickup"]["date"] for b in taken["result"]):
                return f"You already pick up for us that same day, so I can't book you on {load}."
            return (yield from self.offer(load, row["posted_rate"]))
        best = (row["posted_rate"] + row["ceiling"]) // 2 // 5 * 5
        if figure and figure < (best if len(made) == 1 else row["ceiling"]):
            return self.ask(load, figure)
        if not figure and not wants_more:
            return self.on_the_table() or self.ask(load, made[-1])
        if len(made) == 1:
            return (yield from self.offer(load, best))
        self.ask(load, made[-1])
        return f"I'm sorry, {dollars(made[-1])} is the best I can do on {load}. Shall I book it?"

    def offer(self, load, amount):
        logged = yield from self.tool("log_offer", load_id=load, mc_number=self.mc, amount=amount)
        if not logged["ok"]:
            return f"Sorry: {logged['error']}."
        self.offers[load].append(amount)
        self.open_offers = True
        return self.ask(load, amount)

    def ask(self, load, rate):
        self.proposal = ("book", load, rate)
        return self.on_the_table()

    def on_the_table(self):
        match self.proposal:
            case ("book", load, rate):
                return f"{load} pays {dollars(rate)}. Shall I book it?"
        return ""

    def book(self, load, rate):
        equipment = self.trailer or "van"
        done = yield from self.tool("book_load", load_id=load, mc_number=self.mc, rate=rate, equipment=equipment)
        self.proposal = None
        if not done["ok"]:
            return f"Sorry: {done['error']}."
        self.booked = load
        self.open_offers = False
        return f"You're booked on {load} at {dollars(rate)}, booking {done['result']['booking_id']}."

    def search_board(self, said):
        states = {"Texas": "TX", "Georgia": "GA", "Tennessee": "TN", "Illinois": "IL", "Colorado": "CO"}
        lane = re.search(r"from (\w+) to (\w+)", said)
        if not lane or lane[1] not in states or lane[2] not in states:
            return "From which state, and to where?"
        arguments = {"origin_state": states[lane[1]], "destination_state": states[lane[2]]}
        if self.trailer:
            arguments["equipment"] = self.trailer
        found = yield from self.tool("search_loads", **arguments)
        if not found["ok"] or not found["result"]:
            return f"I have nothing from {lane[1]} to {lane[2]}."
        return f"I have {', '.join(load['load_id'] for load in found['result'])}. Which one do you want?"

    def read_back_booking(self):
        if self.booking is None:
            return "Which booking is it?"
        own = yield from self.tool("find_bookings", mc_number=self.mc)
        if not own["ok"] or all(row["booking_id"] != self.booking for row in own["result"]):
            return f"{self.booking} is not your booking, so I can't cancel it."
        self.proposal = ("cancel", self.booking)
        return f'That is {self.booking}. Say "confirmed" and I will cancel {self.booking}.'

    def cancel(self, booking):
        done = yield from self.tool("cancel_booking", booking_id=booking)
        self.proposal = None
        return f"Done, {booking} is cancelled." if done["ok"] else f"Sorry: {done['error']}."

    def add_charge(self, said, figure):
        self.kind = (find(r"\b(detention|lumper)\b", said) or self.kind).lower()
        self.amount = figure or self.amount
        self.receipt = find(r"\b([A-Z]{2}-\d{3,})", said) or self.receipt
        if self.booking is None:
            return "Which booking is that for?"
        if self.amount is None:
            return "How much is it?"
        if self.kind == "detention" and self.amount > 250:
            return (yield from self.put_through(f"{dollars(self.amount)} detention on {self.booking}"))
        if self.kind == "lumper" and self.receipt is None:
            return "I need the receipt number for that."
        what = f"{self.kind} {dollars(self.amount)}"
        yield from self.tool("add_note", booking_id=self.booking, topic="charge", text=what)
        arguments = {"booking_id": self.booking, "kind": self.kind, "amount": self.amount}
        if self.receipt:
            arguments["receipt"] = self.receipt
        done = yield from self.tool("add_charge", **arguments)
        return f"Done, {what} is on {self.booking}." if done["ok"] else f"Sorry: {done['error']}."

    def open_ticket(self, said):
        self.tow = self.tow or bool(re.search(r"\btow\b", said))
        if self.booking is None:
            return "I'm sorry to hear that. Which booking is it?"
        if self.phone is None:
            return "I'm opening a ticket. What name and number can we call back?"
        done = yield from self.tool(
            "open_ticket",
            kind="breakdown",
            severity=1,
            booking_ids=[self.booking],
            callback={"name": self.name or "the driver", "phone": self.phone},
            needs_tow=self.tow,
        )
        if not done["ok"]:
            return f"Sorry: {done['error']}."
        return f"Ticket {done['result']['ticket_id']} is open, we will call you."

    def put_through(self, reason):
        yield from self.tool("transfer_to_human", reason=reason)
        self.topic = None
        return "I'm putting you through to a person. One moment, please."

    def part_ways(self):
        if self.open_offers:
            yield from self.tool("close_offers", mc_number=self.mc)
            self.open_offers = False
        return "Thanks for calling. Safe travels."


# ---------------------------------------------------------------------------------------------------- the server

MAX_SESSIONS = 1000  # nobody tells us when a trial ends, so we forget the session we have not heard of longest
MAX_BODY = 1_000_000

sessions = OrderedDict()  # session_id -> (the generator, "message" or "tool_results": what it waits for)
lock = threading.Lock()


class BadRequest(Exception):
    """The request cannot be answered; the text says what to change."""


def step(request):
    """One step of the protocol."""
    if not isinstance(request, dict) or not isinstance(request.get("session_id"), str):
        raise BadRequest("session_id must be a string")
    session_id, message, results = request["session_id"], request.get("message"), request.get("tool_results")
    if (message is None) == (results is None):
        raise BadRequest("send either message or tool_results, not both")
    if message is not None and not isinstance(message, str):
        raise BadRequest("message must be a string")
    if results is not None and not isinstance(results, list):
        raise BadRequest("tool_results must be a list")

    brings = "message" if results is None else "tool_results"
    with lock:
        call, waits_for = sessions.get(session_id, (None, "message"))
        if call is None and brings == "tool_results":
            raise BadRequest(f"unknown session_id {session_id!r}: a session starts with a message")
        if brings != waits_for:
            raise BadRequest(f"this session waits for {waits_for}")
        if call is None:
            call = PhoneCall().talk(message)
            answer = next(call)
        else:
            answer = call.send({"message": message, "tool_results": results})
        sessions[session_id] = (call, "message" if "reply" in answer else "tool_results")
        sessions.move_to_end(session_id)
        if len(sessions) > MAX_SESSIONS:
            sessions.popitem(last=False)
    return answer


def parse(body):
    try:
        return json.loads(body)
    except ValueError:
        raise BadRequest("the body is not JSON") from None


class Server(ThreadingHTTPServer):
    request_queue_size = 128  # the default of 5 makes callers of many trials at once wait


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # headers and body are two small writes

    def do_POST(self):
        try:
            body = self.read_body()
            if self.path != "/step":
                return self.send(404, {"error": "there is only /step here"})
            self.send(200, step(parse(body)))
        except BadRequest as error:
            self.send(400, {"error": str(error)})
        except Exception:
            self.log_error("the agent failed")
            self.send(500, {"error": "the agent failed; see its log"})
            raise

    def do_GET(self):
        self.send(405 if self.path == "/step" else 404, {"error": "POST to /step"})

    def read_body(self):
        length = int(self.headers.get("content-length") or 0)
        if length > MAX_BODY:
            self.close_connection = True
            raise BadRequest(f"the body is larger than {MAX_BODY} bytes")
        return self.rfile.read(length)

    def send(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_request(self, code="-", size="-"):
        """Quiet: a rehearsal makes thousands of requests."""


def main():
    parser = argparse.ArgumentParser(description="A toy freight broker that speaks the step protocol.")
    parser.add_argument("--port", type=int, default=os.environ.get("PORT", "8791"), help="0: any free port")
    port = parser.parse_args().port
    try:
        server = Server(("127.0.0.1", port), Handler)
    except (OSError, OverflowError) as error:
        sys.exit(f"Cannot listen on port {port}: {error}. Choose another with --port.")
    print(f"agent on http://127.0.0.1:{server.server_address[1]}/step", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        server.server_close()


if __name__ == "__main__":
    main()
