import { HttpError } from "../../http/errors.ts";

/** The reply for anything thrown: `{"error": message}`. What nobody foresaw says nothing but where to look. */
export function adapttableError(thrown: unknown, requestId: string): Response {
  if (thrown instanceof HttpError) return errorReply(thrown.status, thrown.message, thrown.headers);
  return errorReply(
    500,
    `Something went wrong on our side. Quote the request id ${requestId} when you report it.`,
  );
}

/** An error as the wire has them. */
export function errorReply(
  status: number,
  message: string,
  headers: { [name: string]: string } = {},
): Response {
  return Response.json({ error: message }, { status, headers });
}
