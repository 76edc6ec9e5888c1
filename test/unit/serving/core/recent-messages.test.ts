import { expect, test } from "vitest";
import { RecentMessages } from "../../../../objects/recent-messages.ts";
import { tailWeight, weightOf } from "../../../../src/agents/runtime/session-store.ts";
import { user } from "./session.ts";

const message = (n: number, weight: number) => ({ n, weight, message: user(`u${n}`, "x") });
const ids = (recent: RecentMessages) => recent.messages().map(({ id }) => id);

test("as few of the newest are kept as weigh enough, the one that tips the scale among them", () => {
  const third = tailWeight / 3;
  const recent = new RecentMessages([message(1, third), message(2, third)]);
  expect(ids(recent)).toEqual(["u1", "u2"]);
  recent.push(message(3, third));
  expect(ids(recent)).toEqual(["u1", "u2", "u3"]);
  recent.push(message(4, 1));
  expect(ids(recent)).toEqual(["u1", "u2", "u3", "u4"]);
  recent.push(message(5, third));
  expect(ids(recent)).toEqual(["u2", "u3", "u4", "u5"]);
  recent.push(message(6, 3 * tailWeight));
  expect(ids(recent)).toEqual(["u6"]);
  expect([recent.first, recent.newest()?.id]).toEqual([6, "u6"]);
});

test("nothing is kept of nothing", () => {
  const recent = new RecentMessages([]);
  expect([recent.first, recent.messages(), recent.newest()]).toEqual([1, [], undefined]);
});

test("a picture weighs a sixteenth of its length", () => {
  const data = "A".repeat(1_600);
  const picture = { type: "media" as const, kind: "image" as const, mediaType: "image/png", data };
  const said = { role: "user" as const, id: "u", parts: [{ type: "text" as const, text: "look" }, picture] };
  const { length } = JSON.stringify(said);
  expect(weightOf(said, length)).toBe(length - 1_500);
  expect(weightOf(user("u", "look"), 70)).toBe(70);
});
