import { expect, test } from "vitest";
import { HttpError } from "../../../../src/http/errors.ts";
import { sessionKeys } from "../../../../src/wires/session-headers.ts";

test("at most one of the two headers is a key of up to 512 characters", () => {
  const keys = (headers: Record<string, string>) => sessionKeys(new Headers(headers));
  expect(keys({})).toEqual({ session: null, conversation: null });
  expect(keys({ "X-Stackbone-Session": "a b" })).toEqual({ session: "a b", conversation: null });
  expect(keys({ "x-stackbone-conversation": "c" })).toEqual({ session: null, conversation: "c" });
  const longest = "k".repeat(512);
  expect(keys({ "x-stackbone-session": longest }).session).toBe(longest);
});

test.each([
  [{ "x-stackbone-session": "" }, "x-stackbone-session"],
  [{ "x-stackbone-conversation": "" }, "x-stackbone-conversation"],
  [{ "x-stackbone-session": "k".repeat(513) }, "x-stackbone-session"],
  [{ "x-stackbone-session": "a", "x-stackbone-conversation": "b" }, "x-stackbone-conversation"],
])("%j is refused, the header named", (headers, param) => {
  try {
    sessionKeys(new Headers(Object.entries(headers)));
    throw new Error("it was taken");
  } catch (thrown) {
    if (!(thrown instanceof HttpError)) throw thrown;
    expect([thrown.status, thrown.details.param]).toEqual([400, param]);
  }
});
