import { describe, expect, it } from "vitest";
import { phasePlan } from "../../../../src/table/client/phase-plan.ts";
import { schemaVersion } from "../../../../src/table/protocol/limits.ts";
import type { ToolCall } from "../../../../src/table/protocol/messages.ts";

const sort: ToolCall = { id: "a", name: "view.setSort", args: { key: "salary", dir: "asc" } };
const edit: ToolCall = { id: "b", name: "edit.cells", args: { edits: [] } };

function plan() {
  const phase = phasePlan({ tableId: 'a"b', turnId: "t", phaseId: 2 });
  return { phase, absorb: (...toolCalls: ToolCall[]) => phase.absorb({ schemaVersion, toolCalls }) };
}

describe("phasePlan", () => {
  it("gives each call of a final plan an identity that no table's name can forge", () => {
    const { absorb } = plan();
    expect(absorb(sort, edit)).toEqual({
      kind: "run",
      plan: [
        { ...sort, idempotencyKey: 'http-call:{"tableId":"a\\"b","turnId":"t","phaseId":2,"index":0}' },
        { ...edit, idempotencyKey: 'http-call:{"tableId":"a\\"b","turnId":"t","phaseId":2,"index":1}' },
      ],
    });
  });

  it("takes the final plan again as what it is, and refuses another one", () => {
    const { absorb } = plan();
    const first = absorb(sort);
    expect(absorb({ id: "z", name: "view.setSort", args: { dir: "asc", key: "salary" } })).toEqual(first);
    expect(absorb()).toEqual(first);
    expect(() => absorb(edit)).toThrow(expect.objectContaining({ code: "plan-conflict" }));
    expect(absorb(sort)).toEqual(first);
  });

  it("keeps what it had when a reply with ids alike is refused", () => {
    const { phase, absorb } = plan();
    absorb(sort, { id: "d", name: "describe", args: {} });
    expect(() => absorb(edit, { ...edit })).toThrow(expect.objectContaining({ code: "duplicate-call-id" }));
    expect(phase.pending()).toEqual([sort]);
  });
});
