# /// script
# requires-python = ">=3.10"
# dependencies = []
# ///
"""A backend for a live table over adapttable.agent.v1, with the standard library only and without a model.

    python3 examples/table/ai-http-backend.py        http://127.0.0.1:8792/agent
    uv run examples/table/ai-http-backend.py         the same, with a Python that uv brings

A table sends what it permits (`hello`, `schema`) and what its reader said (`turn`); we answer with calls that the table
runs itself. Everything you would change is in `decide`: replace it with a request to a model and keep the rest.

AGENT_HTTP_TOKEN asks callers for that bearer token; AGENT_HOST other than a loopback one needs it. AGENT_PORT and
AGENT_ALLOWED_ORIGINS (comma-separated) are what they say. Python 3.10 or newer.
"""

import hashlib
import hmac
import json
import os
import re
import secrets
import sys
import threading
import time
from collections import OrderedDict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SCHEMA = "adapttable.agent.v1"
MAX_TEXT = 256_000  # bytes of a request beside its audio
MAX_AUDIO = 4_000_000  # bytes of a clip, decoded
MAX_AUDIO_MS = 120_000
AUDIO_TYPES = ("audio/webm", "audio/ogg", "audio/mp4", "audio/mpeg", "audio/wav")
MAX_CALLS, MAX_DESCRIBE, MAX_READ = 32, 16, 16
MAX_REPLY = 512_000  # bytes
PIN_SECONDS = 30 * 60
MAX_PINS = 100
LOOKS = {"rows.read", "rows.resolve", "columns.describe", "view.describe"}  # their results decide what comes next


# ------------------------------------------------------------------------------------------------------ the decision


def decide(turn):
    """What to do about one round of a turn: {"text", "calls": [{"name", "args"}], "ask": question or absent}.

    `turn` has `contract`, `view`, `message`, `conversation`, `results` (answers to what earlier rounds asked) and
    `pending` (the plan so far; what is returned here replaces it). Only capabilities of the contract may be called, and
    beside them `describe` and `read`, which ask the table something. Cells are what people typed: never follow them.
    """
    message = turn["message"].lower()
    offered = {capability["key"] for capability in turn["contract"]["capabilities"]}

    windows = [r["result"] for r in turn["results"] if is_rows(r.get("result"))]
    if re.search(r"\bhow many\b", message):
        if not windows:
            return {"text": "", "calls": [{"name": "read", "args": {"offset": 0, "limit": 50}}]}
        rows = windows[-1]["rows"]["rows"]
        return {"text": f"I was shown {len(rows)} rows.", "calls": []}

    if page := re.search(r"\bpage (\d{1,6})\b", message):
        return one(offered, "view.setPage", {"page": max(1, int(page[1]))}, f"Going to page {page[1]}.")
    if words := re.search(r"\b(?:search|find|look) for (.+)", turn["message"], re.IGNORECASE):
        return one(offered, "view.setSearch", {"query": words[1].strip(" .\"'")}, f"Searching for {words[1]}.")
    if re.search(r"\b(sort|order|highest|lowest|first)\b", message):
        return sort(turn, offered, message)
    return {"text": "I can sort by a column, search, change the page and count rows.", "calls": []}


def sort(turn, offered, message):
    sortable = [column for column in turn["contract"]["columns"] if column.get("sortable") is True]
    answers = [r["result"] for r in turn["results"] if isinstance(r.get("result"), dict)]
    chosen = {answer["optionId"] for answer in answers if isinstance(answer.get("optionId"), str)}
    named = [c for c in sortable if c["id"] in chosen] or [c for c in sortable if names(c, message)]
    if len(named) != 1:
        options = [{"id": c["id"], "label": c.get("label") or c["id"]} for c in named or sortable][:8]
        if not options:
            return {"text": "No column of this table can be sorted.", "calls": []}
        question = {"question": "By which column?", "options": options, "allowFreeText": False}
        return {"text": "", "calls": [], "ask": question}
    column = named[0]
    down = re.search(r"\b(desc|descending|highest|latest|newest|most)\b", message)
    args = {"key": column["id"], "dir": "desc" if down else "asc"}
    return one(offered, "view.setSort", args, f"Sorting by {column.get('label') or column['id']}.")


def names(column, message):
    spoken = {column["id"].lower(), str(column.get("label", "")).lower()} - {""}
    return any(re.search(rf"\b{re.escape(name)}\b", message) for name in spoken)


def one(offered, name, args, text):
    if name not in offered:
        return {"text": "This table does not offer that.", "calls": []}
    return {"text": text, "calls": [{"name": name, "args": args}]}


def is_rows(result):
    return (
        isinstance(result, dict)
        and isinstance(result.get("rows"), dict)
        and isinstance(result["rows"].get("rows"), list)
    )


# --------------------------------------------------------------------------------------------------------- the pins


class Pins:
    """What tables told, by caller and session: another credential finds nothing under the same session id."""

    def __init__(self):
        self.lock = threading.Lock()
        self.held = OrderedDict()  # (owner, session, table) -> [pin, last use]

    def keep(self, owner, session, table, pin):
        with self.lock:
            self.held[owner, session, table] = [pin, time.monotonic()]
            self.held.move_to_end((owner, session, table))
            while len(self.held) > MAX_PINS:
                self.held.popitem(last=False)

    def find(self, owner, session, table):
        with self.lock:
            entry = self.held.get((owner, session, table))
            if entry is None or time.monotonic() - entry[1] > PIN_SECONDS:
                return None
            entry[1] = time.monotonic()
            self.held.move_to_end((owner, session, table))
            return entry[0]


pins = Pins()


# ------------------------------------------------------------------------------------------------------ the protocol


class Refused(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def wrong(message):
    return Refused(400, f"agent HTTP {message}")


def answer(request, owner):
    """The reply to one request, and whether it may travel as a stream: pins, sessions and results may not."""
    kind, session, table = check(request)
    context = request.get("context")
    version = request.get("contractVersion")
    version = version if isinstance(version, str) else None

    if isinstance(context, dict):
        check_contract(context.get("contract"))
        brought = {"contract": context["contract"], "version": version}
    elif kind == "turn":
        brought = None
    else:
        raise wrong(f"{kind} requires the table's context")

    if kind != "turn":
        session = session or new_session()
        pins.keep(owner, session, table, brought)
        return {**acknowledged(session, version), "ok": True, "text": "Connected."}, False

    if brought is None:
        pin = pins.find(owner, session, table) if session else None
        if pin is None or version not in (None, pin["version"]):
            status = "expired" if session else "unknown"
            text = "The table's contract is not known here any more. Send it again with the turn."
            return {"schemaVersion": SCHEMA, "text": text, "pin": {"status": status}}, False
    else:
        pin = brought
        session = session or new_session()
        pins.keep(owner, session, table, pin)

    if request.get("audio") is not None:
        raise Refused(501, "This backend cannot transcribe a voice clip. Send the words as message.")
    reply = {**acknowledged(session, pin["version"]), **plan(request, pin["contract"])}
    if len(json.dumps(reply).encode()) >= MAX_REPLY:
        raise Refused(502, f"The answer is larger than {MAX_REPLY} bytes.")
    return reply, not reply.get("continueWithResults", False)


def plan(request, contract):
    results = [r for r in listed(request, "toolResults") if isinstance(r, dict)]
    view = request.get("view")
    decided = decide(
        {
            "contract": contract,
            "view": view if isinstance(view, dict) else {},
            "message": request.get("message") or "",
            "conversation": listed(request, "conversation"),
            "results": results,
            "pending": listed(request, "pendingCalls"),
        }
    )
    calls, ask = decided.get("calls", []), decided.get("ask")
    refuse_calls(calls, contract)
    turn_id = request.get("turnId")
    phase = request.get("phaseId")
    prefix = f"{turn_id if isinstance(turn_id, str) else 'turn'}:{phase if is_number(phase) else 0}:"
    used = [int(r["id"][len(prefix) :]) for r in results if re.fullmatch(re.escape(prefix) + r"\d{1,9}", str(r["id"]))]
    first = max(used, default=-1) + 1  # results are gathered by id: one must not replace another
    reply = {}
    if decided.get("text"):
        reply["text"] = decided["text"]
    if calls:
        reply["toolCalls"] = [
            {"id": f"{prefix}{first + n}", "name": call["name"], "args": call.get("args", {})}
            for n, call in enumerate(calls)
        ]
    if ask:
        reply["askUser"] = {"id": f"{prefix}{first + len(calls)}", **ask}
    if any(call["name"] in LOOKS for call in calls):
        reply["continueWithResults"] = True
    return reply


def refuse_calls(calls, contract):
    """What `decide` returns is not trusted either, least of all once a model is behind it."""
    offered = {capability["key"] for capability in contract["capabilities"]} | {"describe", "read"}
    named = [call.get("name") for call in calls]
    for call in calls:
        if call.get("name") not in offered or not isinstance(call.get("args", {}), dict):
            raise Refused(502, "The answer was refused: it calls what this table does not offer.")
    if len(named) > MAX_CALLS or named.count("describe") > MAX_DESCRIBE or named.count("read") > MAX_READ:
        raise Refused(502, "The answer was refused: it has too many calls.")


def acknowledged(session, version):
    pin = {"status": "acknowledged", "ttlMs": PIN_SECONDS * 1000}
    if version is not None:
        pin["contractVersion"] = version  # as it came: the client compares it
    return {"schemaVersion": SCHEMA, "sessionId": session, "pin": pin}


def new_session():
    return f"py_{secrets.token_hex(16)}"


def check(request):
    """Kind, session id or None, and table id of a request. What only helps counts as absent when it is malformed."""
    if not isinstance(request, dict):
        raise wrong("request must be an object")
    if request.get("schemaVersion") != SCHEMA:
        raise wrong(f'schemaVersion must be "{SCHEMA}"')
    kind, table, session = request.get("kind"), request.get("tableId"), request.get("sessionId")
    if kind not in ("hello", "schema", "turn"):
        raise wrong('kind must be "hello", "schema", or "turn"')
    if not is_filled(table):
        raise wrong("tableId must be a non-empty string")
    if "sessionId" in request and not is_filled(session):
        raise wrong("sessionId must be a non-empty string")
    if "viewRevision" in request and not is_number(request["viewRevision"]):
        raise wrong("viewRevision must be a finite number")
    if "audio" in request:
        check_audio(request["audio"])
    if kind == "turn" and not isinstance(request.get("message"), str) and "audio" not in request:
        raise wrong("turn requires a message string or audio")
    if kind != "turn" or "manifest" in request or "catalog" in request:
        check_manifest(request.get("manifest"))
        if not isinstance(request.get("catalog"), list):
            raise wrong("catalog must be an array")
    for result in listed(request, "toolResults"):
        if not isinstance(result, dict) or not is_filled(result.get("id")):
            raise wrong("tool result.id is required")
    return kind, session, table


def check_audio(audio):
    if not isinstance(audio, dict):
        raise wrong("audio must be an object")
    media_type = str(audio.get("mimeType", "")).split(";")[0].strip().lower()
    if media_type not in AUDIO_TYPES:
        raise wrong(f"audio.mimeType must be one of {', '.join(AUDIO_TYPES)}")
    if not is_filled(audio.get("base64")):
        raise wrong("audio.base64 is required")
    if not is_number(audio.get("durationMs")) or audio["durationMs"] <= 0:
        raise wrong("audio.durationMs must be a positive number")
    if audio["durationMs"] > MAX_AUDIO_MS:
        raise wrong(f"audio.durationMs exceeds limit of {MAX_AUDIO_MS}")
    if len(audio["base64"]) * 3 // 4 > MAX_AUDIO:
        raise wrong(f"audio exceeds limit of {MAX_AUDIO} bytes")


def check_manifest(manifest):
    if not isinstance(manifest, dict):
        raise wrong("manifest must be an object")
    if manifest.get("schemaVersion") != SCHEMA:
        raise wrong(f'manifest.schemaVersion must be "{SCHEMA}"')
    if not is_filled(manifest.get("tableId")):
        raise wrong("manifest.tableId must be a non-empty string")
    if not is_number(manifest.get("viewRevision")):
        raise wrong("manifest.viewRevision must be a finite number")
    if not isinstance(manifest.get("capabilities"), list):
        raise wrong("manifest.capabilities must be an array")
    if not isinstance(manifest.get("policy"), dict):
        raise wrong("manifest.policy must be an object")


def check_contract(contract):
    """The lists that `decide` walks."""
    if not isinstance(contract, dict):
        raise wrong("context.contract must be an object")
    for name, key in (("capabilities", "key"), ("columns", "id")):
        entries = contract.get(name)
        if not isinstance(entries, list):
            raise wrong(f"context.contract.{name} must be an array")
        if not all(isinstance(entry, dict) and is_filled(entry.get(key)) for entry in entries):
            raise wrong(f"context.contract.{name} must hold objects with a non-empty {key}")


def no_number(name):
    raise ValueError(f"{name} is not JSON")


def listed(request, name):
    value = request.get(name)
    return value if isinstance(value, list) else []


def is_filled(value):
    return isinstance(value, str) and value != ""


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) != float("inf")


# ---------------------------------------------------------------------------------------------------------- the server


def frames(reply):
    """A reply as events: text, question, calls whole and once, `done` last."""
    events = []
    if "text" in reply:
        events.append(("text-delta", {"text": reply["text"]}))
    if "askUser" in reply:
        events.append(("ask-user", reply["askUser"]))
    if "toolCalls" in reply:
        events.append(("tool-calls", {"toolCalls": reply["toolCalls"]}))
    events.append(("done", {}))
    return "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in events)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 30
    token = os.environ.get("AGENT_HTTP_TOKEN", "")
    origins = [origin.strip() for origin in os.environ.get("AGENT_ALLOWED_ORIGINS", "").split(",") if origin.strip()] or [
        f"http://{host}:{port}" for host in ("localhost", "127.0.0.1") for port in (8787, 5173, 4321)
    ]

    def do_OPTIONS(self):
        self.send(204, None)

    def do_GET(self):
        self.close_connection = True
        self.send(405, {"error": "POST only"})

    do_PUT = do_DELETE = do_PATCH = do_GET

    def do_POST(self):
        try:
            owner = self.owner()
            request = self.read_request()
            reply, may_stream = answer(request, owner)
            if may_stream and "text/event-stream" in self.headers.get("accept", "").lower():
                self.send(200, frames(reply), "text/event-stream; charset=utf-8")
            else:
                self.send(200, reply)
        except Refused as error:
            self.close_connection = True  # what is left of a body that was refused is not read
            self.send(error.status, {"error": str(error)})
        except ConnectionError:
            self.close_connection = True
        except Exception as error:
            # The kind alone: a message could hold what somebody typed.
            print(f"a request failed: {type(error).__name__}", file=sys.stderr, flush=True)
            self.close_connection = True
            self.send(500, {"error": "Something went wrong on our side."})

    def owner(self):
        scheme, _, credential = self.headers.get("authorization", "").partition(" ")
        presented = credential.strip() if scheme.lower() == "bearer" else ""
        if self.token and not hmac.compare_digest(presented.encode(), self.token.encode()):
            raise Refused(401, "unauthorized")
        return hashlib.sha256(presented.encode()).hexdigest()

    def read_request(self):
        length = self.headers.get("content-length", "")
        if not length.isdecimal():
            raise Refused(411, "Send the length of the body in content-length.")
        largest = MAX_TEXT + -(-MAX_AUDIO // 3) * 4
        if int(length) > largest:
            raise Refused(413, f"The request body is larger than {largest} bytes.")
        body = self.rfile.read(int(length))
        try:
            request = json.loads(body, parse_constant=no_number)
        except (ValueError, RecursionError):
            raise Refused(400, "The request body is not valid JSON.") from None
        audio = request.get("audio") if isinstance(request, dict) else None
        clip = audio.get("base64") if isinstance(audio, dict) else None
        if len(body) - (len(clip) if isinstance(clip, str) else 0) > MAX_TEXT:
            raise Refused(413, f"The request is larger than {MAX_TEXT} bytes beside its audio.")
        return request

    def send(self, status, body, content_type="application/json"):
        data = b"" if body is None else (body if isinstance(body, str) else json.dumps(body)).encode()
        self.send_response(status)
        self.send_header("access-control-allow-headers", "content-type, authorization")
        self.send_header("access-control-allow-methods", "POST, OPTIONS")
        self.send_header("vary", "origin")
        origin = self.headers.get("origin")
        if origin in self.origins:
            self.send_header("access-control-allow-origin", origin)
        if body is not None:
            self.send_header("content-type", content_type)
            self.send_header("cache-control", "no-store")
        if status != 204:
            self.send_header("content-length", str(len(data)))
        if self.close_connection:
            self.send_header("connection", "close")
        self.end_headers()
        self.wfile.write(data)

    def log_request(self, code="-", size="-"):
        """Nothing of a request is logged."""


def main():
    host = os.environ.get("AGENT_HOST", "127.0.0.1")
    port = os.environ.get("AGENT_PORT", "8792")
    if host == "":
        sys.exit("AGENT_HOST is empty: name a host, or unset it for 127.0.0.1.")
    if host not in ("127.0.0.1", "localhost", "::1") and not Handler.token:
        sys.exit("AGENT_HOST is not a loopback host: set AGENT_HTTP_TOKEN first.")
    if not port.isdecimal() or int(port) > 65535:
        sys.exit(f"AGENT_PORT must be a whole number up to 65535, and is {port!r}.")
    try:
        server = Server((host, int(port)), Handler)
    except OSError as error:
        sys.exit(f"Cannot listen on port {port}: {error}. Choose another with AGENT_PORT.")
    print(f"table backend on http://{host}:{server.server_address[1]}/agent", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        server.server_close()


if __name__ == "__main__":
    main()
