import { parseArgs } from "node:util";
import { embeddedBrain } from "../../../src/table/brains/embedded/index.ts";
import { judgeRequest } from "./play-request.ts";
import { loadRequests } from "./requests.ts";

const { values } = parseArgs({
  options: { all: { type: "boolean", default: false }, only: { type: "string" } },
});
const brain = embeddedBrain();

for (const which of ["seen", "unseen"] as const) {
  const requests = loadRequests(which).filter(
    ({ id }) => values.only === undefined || id.startsWith(values.only),
  );
  const byTable = new Map<string, { right: number; all: number }>();
  for (const request of requests) {
    const problem = await judgeRequest(brain, request);
    const count = byTable.get(request.table) ?? { right: 0, all: 0 };
    byTable.set(request.table, { right: count.right + (problem === null ? 1 : 0), all: count.all + 1 });
    // What fails of the unseen ones is never shown: knowing it would be tuning against it.
    if (problem !== null && which === "seen" && values.all)
      console.log(`${request.id} ${JSON.stringify(request.say)}\n    ${problem}`);
  }
  const right = [...byTable.values()].reduce((sum, count) => sum + count.right, 0);
  const parts = [...byTable].map(([table, count]) => `${table} ${count.right}/${count.all}`).join(", ");
  const percent = requests.length === 0 ? 0 : (100 * right) / requests.length;
  console.log(`${which}: ${right} of ${requests.length} (${percent.toFixed(1)} %): ${parts}`);
}
