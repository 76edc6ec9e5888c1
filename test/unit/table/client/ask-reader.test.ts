import { describe, expect, it } from "vitest";
import type { AskReader } from "../../../../src/table/client/ask-reader.ts";
import type { AskUser } from "../../../../src/table/protocol/messages.ts";
import { backend, edit, reply } from "./fake-backend.ts";
import { fakeSession, ran } from "./fake-session.ts";

const question = {
  id: "q",
  question: "Which Ana?",
  options: [
    { id: "r1", label: "Ana Costa" },
    { id: "r2", label: "Ana Lima" },
  ],
};

async function ask(answer: Awaited<ReturnType<AskReader>>) {
  const asked: AskUser[] = [];
  const { client, turns } = backend([
    reply({ text: "One moment.", askUser: question, toolCalls: [edit, { id: "d", name: "describe" }] }),
    reply({ text: "Raised.", toolCalls: [edit] }),
  ]);
  const session = fakeSession();
  const report = await client.send(session, "raise Ana", {
    askUser: async (put) => {
      asked.push(put);
      return answer;
    },
  });
  return { report, asked, session, second: turns()[1] };
}

describe("a question of the backend", () => {
  it("goes to the reader, and the answer back under its id, before anything runs", async () => {
    const { report, asked, session, second } = await ask({ optionId: "r2" });
    expect(asked).toEqual([{ ...question, allowFreeText: true }]);
    // It wins over what the reply asked of the client, and the commands beside it wait.
    expect(session.described).toEqual([]);
    expect(second?.toolResults).toEqual([
      {
        id: "q",
        result: { question: "Which Ana?", offered: question.options, optionId: "r2", chose: "Ana Lima" },
      },
    ]);
    expect(second?.pendingCalls).toEqual([edit]);
    expect(ran(session)).toHaveLength(1);
    expect(report.text).toBe("Raised.");
  });

  it("may be answered in words although options are there", async () => {
    const { second } = await ask({ text: "  both " });
    expect(second?.toolResults).toEqual([
      { id: "q", result: { question: "Which Ana?", offered: question.options, text: "both" } },
    ]);
  });

  it.each([undefined, {}, { text: " " }, { optionId: "r9" }])("is unanswered by %j", async (answer) => {
    const { report, session, second } = await ask(answer);
    expect(second).toBeUndefined();
    expect(report).toMatchObject({
      text: "One moment.",
      results: [],
      unresolved: { code: "question-unanswered", pending: ["edit.cells"] },
    });
    expect(session.executed).toEqual([]);
  });

  it("has nobody to go to when the host gives no way", async () => {
    const { client } = backend([reply({ askUser: question })]);
    const report = await client.send(fakeSession(), "raise Ana");
    expect(report.unresolved).toMatchObject({ code: "no-reader-channel", pending: [] });
  });

  it("uses the client's way when the turn brings none", async () => {
    const { client } = backend([reply({ askUser: question }), reply({ text: "Thanks." })], {
      askUser: async () => ({ optionId: "r1" }),
    });
    expect((await client.send(fakeSession(), "raise Ana")).text).toBe("Thanks.");
  });

  it("is given up with the turn, even when the reader never answers", async () => {
    const controller = new AbortController();
    const { client } = backend([reply({ askUser: question })]);
    const sending = client.send(fakeSession(), "raise Ana", {
      signal: controller.signal,
      askUser: () => {
        setTimeout(() => controller.abort(), 5);
        return new Promise(() => undefined);
      },
    });
    await expect(sending).rejects.toMatchObject({ code: "cancelled" });
  });
});
