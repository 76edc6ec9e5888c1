import { HttpError } from "../../http/errors.ts";
import type { Route } from "../../http/route.ts";
import { rehearsalOf } from "./find.ts";

export const watchRehearsal: Route = {
  access: "credential",
  summary: "Watch a rehearsal.",
  description:
    "Server-sent events from the first, or from after `Last-Event-ID`; the stream closes after the `ended` event.",
  capability: "rehearsals.watch",
  responses: {
    200: { description: "The events `started`, `trial` and `ended`.", contentType: "text/event-stream" },
  },
  async handle(context) {
    const { object } = await rehearsalOf(context);
    const last = context.request.headers.get("last-event-id") || "0";
    if (!/^\d{1,9}$/.test(last))
      throw new HttpError("invalid_request", "Last-Event-ID must be a number this stream gave.");
    return object.fetch(`https://rehearsal/events?after=${last}`);
  },
};
