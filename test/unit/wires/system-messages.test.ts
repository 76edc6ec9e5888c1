import { expect, test } from "vitest";
import { systemMessage, withoutRepeatedSystem } from "../../../src/wires/system-messages.ts";

test("the same instructions have the same id, others another", () => {
  const first = systemMessage("Be kind.");
  expect(first).toEqual({ role: "system", id: first.id, text: "Be kind." });
  expect(first.id).toMatch(/^system-[0-9a-f]{16}$/);
  expect(systemMessage("Be kind.").id).toBe(first.id);
  const others = ["Be kind", "be kind.", ".dnik eB", "", "Be kind. ", "Be kind.\0"];
  expect(new Set(others.map((text) => systemMessage(text).id)).has(first.id)).toBe(false);
});

test("instructions said twice in one request are taken once, where they first stand", () => {
  const user = { role: "user" as const, id: "u", parts: [{ type: "text" as const, text: "Hi" }] };
  const kind = systemMessage("Be kind.");
  expect(withoutRepeatedSystem([kind, user, kind, systemMessage("Be brief.")])).toEqual([
    kind,
    user,
    systemMessage("Be brief."),
  ]);
});
