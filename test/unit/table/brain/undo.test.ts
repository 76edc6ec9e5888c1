import { describe, expect, it } from "vitest";
import type { TableView } from "../../../../src/table/protocol/contract.ts";
import type { ConversationLine } from "../../../../src/table/protocol/messages.ts";
import { askBrain } from "./ask-brain.ts";

const sentence = "only the Core team, highest salary first";
const set: Partial<TableView> = { filters: { team: ["Core"] }, sortBy: "salary", sortDir: "desc" };

function viewWith(change: Partial<TableView>): TableView {
  return { revision: 1, page: 1, limit: 10, search: "", ...change };
}

async function said(message: string, view: Partial<TableView>): Promise<ConversationLine[]> {
  const { text } = await askBrain(message, { view: viewWith(view) });
  return [
    { role: "user", text: message },
    { role: "assistant", text },
  ];
}

function undo(view: Partial<TableView>, conversation: ConversationLine[]) {
  return askBrain("undo that", { view: viewWith(view), conversation });
}

describe("undoing a sentence", () => {
  it("leaves a filter and a sort that were there before the sentence set them again", async () => {
    const reply = await askBrain(sentence, { view: viewWith(set) });
    expect(reply.calls).toEqual([]);
    expect(reply.text).toContain("The filters were set so already. The order was so already.");
    const { calls, text } = await undo(set, await said(sentence, set));
    expect(calls).toEqual([]);
    expect(text).toBe(`"${sentence}" changed nothing, so there is nothing to take back.`);
  });

  it("takes back only the part that changed something", async () => {
    const before = { filters: { team: ["Core"] } };
    const { calls } = await undo(set, await said(sentence, before));
    expect(calls).toEqual([{ name: "view.setSort", args: { key: null } }]);
  });

  it("leaves what an earlier sentence set, even where no answers are remembered", async () => {
    const conversation = ["only Core", sentence].map((text) => ({ role: "user" as const, text }));
    const { calls } = await undo(set, conversation);
    expect(calls).toEqual([{ name: "view.setSort", args: { key: null } }]);
  });

  it("takes its own filter off and leaves one that was set by hand", async () => {
    const { calls } = await undo(
      { filters: { remote: "true", team: ["Core"] } },
      await said("only Core", { filters: { remote: "true" } }),
    );
    expect(calls).toEqual([{ name: "view.setFilters", args: { filters: { remote: "true" } } }]);
  });

  it("takes back all of a sentence that changed all", async () => {
    const { calls } = await undo(set, await said(sentence, {}));
    expect(calls).toEqual([
      { name: "view.setFilters", args: { filters: {} } },
      { name: "view.setSort", args: { key: null } },
    ]);
  });
});
