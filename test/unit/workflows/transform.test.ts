import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseAst } from "vite";
import { describe, expect, it } from "vitest";
import { compileWorkflow } from "../../../src/workflows/transform/compile-workflow.ts";
import { printProblem } from "../../../src/workflows/transform/problem.ts";
import { registryModule } from "../../../src/workflows/transform/registry-module.ts";
import { isNode, type SyntaxNode } from "../../../src/workflows/transform/syntax.ts";

function parse(source: string): SyntaxNode {
  const program: unknown = parseAst(source, { lang: "ts" });
  if (!isNode(program)) throw new Error("no program");
  return program;
}

/** The problems of a file, as they are printed. */
function problems(source: string, name = "order"): string[] {
  const compiled = compileWorkflow(`src/workflows/${name}.workflow.ts`, source, parse);
  return compiled.ok ? [] : compiled.problems.map(printProblem);
}

function compiled(source: string, name = "order") {
  const made = compileWorkflow(`src/workflows/${name}.workflow.ts`, source, parse);
  if (!made.ok) throw new Error(made.problems.map(printProblem).join("\n"));
  return made.workflow;
}

const at = (line: number, column: number) => `src/workflows/order.workflow.ts:${line}:${column}`;

/** The sample of the contract, as it is printed there. */
const seed = `import { z } from '@stackbone/sdk';
import { requestApproval } from '@stackbone/sdk/workflow';

export async function refundWorkflow(input: {
  orderId: string;
  amount: number;
  approvalToken: string;
}) {
  'use workflow';

  const decision = await requestApproval({
    token: input.approvalToken,
    topic: 'refund',
    payload: { orderId: input.orderId, amount: input.amount },
    title: 'Approve refund',
    timeout: '24h',
    fallback: 'reject',
  });

  if (decision.status !== 'approved') {
    return { orderId: input.orderId, refunded: false };
  }
  // …perform the refund in a 'use step'…
  return { orderId: input.orderId, refunded: true };
}
`;

const agentStep = `import { callDeepAgent } from '@stackbone/sdk/workflow';

async function askAgent(question: string) {
  'use step';
  return callDeepAgent('lead-qualifier', question);
}

export async function orderWorkflow(input: { question: string }) {
  'use workflow';
  return askAgent(input.question);
}
`;

describe("a workflow's file", () => {
  it("compiles as the contract prints it, its imports pointed at what is here", () => {
    const { name, functionName, code, options } = compiled(seed, "refund");
    expect({ name, functionName, options }).toEqual({
      name: "refund",
      functionName: "refundWorkflow",
      options: [],
    });
    expect(code).toContain('import { z } from "zod";');
    expect(code).toContain('import { requestApproval } from "../authoring/index.ts";');
    const body = seed.slice(seed.indexOf("export async"));
    expect(code.endsWith(body)).toBe(true);
  });

  it("has its steps wrapped in place, on their own lines", () => {
    const { code } = compiled(agentStep);
    expect(code).toContain(`async function askAgent(question: string) {
  const step$: StepFunction$ = askAgent; return runStep$(step$, "askAgent", async () => {
  return callDeepAgent('lead-qualifier', question);
}); }`);
    expect(code).toContain(
      'import { runStep as runStep$, type StepFunction as StepFunction$ } from "../authoring/step.ts";',
    );
  });

  it("may write steps as constants, and use modules beside it", () => {
    const { code, options } = compiled(`import * as z from "zod";
import { rates } from "./rates.ts";
import { shop } from "../shop.ts";
export const inputSchema = z.object({});
export const schedules = [{ cron: "0 6 * * 1" }];
export const charge = async ({ amount = 1 }: { amount?: number }) => {
  "use step";
  const { later } = await import("./later.ts");
  return later(rates, shop, amount);
};
charge.maxRetries = 5;
export const orderWorkflow = async () => {
  "use workflow";
  return charge({});
};
`);
    expect(options).toEqual(["inputSchema", "schedules"]);
    expect(code).toContain('from "../rates.ts"');
    expect(code).toContain('from "../../shop.ts"');
    expect(code).toContain('import("../later.ts")');
    expect(code).toContain('return runStep$(step$, "charge", async () => {');
    expect(code).toContain("}); };\ncharge.maxRetries = 5;");
  });

  it("is listed by name", () => {
    const module = registryModule([
      { name: "send-mail", functionName: "sendMailWorkflow", options: ["inputSchema"], code: "" },
      { name: "a", functionName: "aWorkflow", options: [], code: "" },
    ]);
    expect(module).toContain(
      'import * as a from "./compiled/a.ts";\nimport * as send_mail from "./compiled/send-mail.ts";',
    );
    expect(module).toContain('workflow("a", a.aWorkflow, {}),');
    expect(module).toContain(
      'workflow("send-mail", send_mail.sendMailWorkflow, { inputSchema: send_mail.inputSchema }),',
    );
  });

  it("that is one of ours compiles to what is committed", () => {
    for (const name of ["refund", "ask-agent", "follow-up", "weekly-digest", "playground"]) {
      const read = (path: string) =>
        readFileSync(fileURLToPath(new URL(`../../../src/workflows/${path}`, import.meta.url)), "utf8");
      expect(compiled(read(`${name}.workflow.ts`), name).code).toBe(read(`compiled/${name}.ts`));
    }
  });
});

describe("what cannot work is refused with its place:", () => {
  const body = (code: string) => `export async function orderWorkflow(input: unknown) {
  "use workflow";
  ${code}
}
`;

  for (const [code, shown] of [
    ["return Date.now();", "Date.now reads the clock"],
    ["return new Date();", "new Date() reads the clock"],
    ["return Date();", "Date() reads the clock"],
    ["return Math.random();", "Math.random is random"],
    ["return [1].map(Math.random);", "Math.random is random"],
    ["return crypto.randomUUID();", "crypto.randomUUID is random"],
    ["return globalThis.crypto.randomUUID();", "crypto.randomUUID is random"],
    ['return fetch("https://example.com");', "fetch talks to the world"],
    ['return globalThis["fetch"]("https://example.com");', "fetch talks to the world"],
    [
      "await new Promise((done) => setTimeout(done, 5));",
      "setTimeout is a timer that a restart forgets (use sleep())",
    ],
    ["return performance.now();", "performance.now reads the clock"],
    ["return process.env.KEY;", "process.env reads the surroundings, which another deployment can change"],
  ] as const) {
    it(code, () => {
      const column = code.indexOf(shown.split(" ")[0]?.split("(")[0] ?? "");
      const [first, ...rest] = problems(body(code));
      expect(rest).toEqual([]);
      expect(first).toContain(
        `${shown}, and the body of orderWorkflow is played again after each wait: call it in a function that begins with 'use step'`,
      );
      expect(first).toMatch(/^src\/workflows\/order\.workflow\.ts:3:\d+ /);
      if (column > 0 && !code.includes("globalThis") && !code.includes("new Date"))
        expect(first).toContain(at(3, column + 3));
    });
  }

  it("the same in a function that the body calls, and not where a step or nobody does", () => {
    const source = `import { stamp } from "./stamp.ts";
function helper() {
  return deeper();
}
const deeper = () => Math.random();
const unused = () => Date.now();
async function roll() {
  "use step";
  return unused() + Math.random() + Date.now();
}
export async function orderWorkflow() {
  "use workflow";
  await roll();
  return helper() + stamp();
}
`;
    expect(problems(source)).toEqual([
      `${at(5, 22)} Math.random is random, and deeper(), which the body of orderWorkflow calls and which is part of it is played again after each wait: call it in a function that begins with 'use step'`,
    ]);
  });

  it("not what only looks like it", () => {
    expect(
      problems(
        `${body(`const at = new Date(2026, 1, 1);
  const fetch = (x: number) => x;
  const rows = [{ fetch: 1, setTimeout: 2 }];
  type Clock = typeof Date.now;
  return [fetch(1), at, rows[0]?.fetch, ((Math: { random(): number }) => Math.random())({ random: () => 4 })];`)}`,
      ),
    ).toEqual([]);
  });

  it("a step inside of a workflow", () => {
    const source = `export async function orderWorkflow(input: { id: string }) {
  "use workflow";
  const charge = async () => {
    "use step";
    return input.id;
  };
  return charge();
}
`;
    expect(problems(source)).toEqual([
      `${at(4, 5)} a step cannot be defined inside of another function: what it takes from around it is gone when it runs again. Move it to the top level of the file and hand over what it needs`,
    ]);
  });

  it("a step in a class, one that is not async, one that is a generator", () => {
    const source = `class Shop {
  async pay() {
    "use step";
  }
}
function charge() {
  "use step";
  return new Shop();
}
async function* many() {
  "use step";
}
export async function orderWorkflow() {
  "use workflow";
}
`;
    expect(problems(source)).toEqual([
      `${at(3, 5)} a step cannot be defined in a class or an object: what it takes from around it is gone when it runs again. Move it to the top level of the file and hand over what it needs`,
      `${at(6, 1)} the step charge must be async`,
      `${at(10, 1)} the step many cannot be a generator`,
    ]);
  });

  it("directives that are none, or not first", () => {
    const source = `async function charge() {
  const a = 1;
  "use step";
  return a;
}
async function pay() {
  "use steps";
}
export async function orderWorkflow() {
  "use workflow";
  return [charge(), pay()];
}
`;
    expect(problems(source)).toEqual([
      `${at(3, 3)} 'use step' must be the first statement of a function`,
      `${at(7, 3)} 'use steps' is no directive; there are 'use workflow' and 'use step'`,
    ]);
  });

  it("that is exported as default, or uses the authoring module as a whole, is held to the same", () => {
    expect(problems('export default async function orderWorkflow() { "use workflow"; }')).toContain(
      `${at(1, 16)} a workflow goes by its name: leave out "default"`,
    );
    const whole = `import * as wf from "greenroom/workflow";
export async function orderWorkflow() { "use workflow"; await wf.progress(1); await wf.sleep(1); await one(); }
async function one() { "use step"; await wf.sleep(1); }`;
    expect(problems(whole)).toEqual([
      `${at(2, 63)} progress() works in a step, not in the body of orderWorkflow: call it in a function that begins with 'use step'`,
      `${at(3, 42)} sleep() works in the body of a workflow, not in the step one`,
    ]);
  });

  it("a file without its workflow, or with another one's", () => {
    expect(problems("export const a = 1;\n")).toEqual([
      `${at(1, 1)} the file exports no function orderWorkflow that begins with 'use workflow'`,
    ]);
    expect(problems(`export async function orderFlow() {\n  "use workflow";\n}\n`)).toEqual([
      `${at(1, 8)} the workflow of this file must be called orderWorkflow; it is called orderFlow`,
    ]);
    expect(problems("export async function orderWorkflow() {}\n")).toEqual([
      `${at(1, 8)} orderWorkflow must begin with 'use workflow'`,
    ]);
    expect(problems(`async function orderWorkflow() {\n  "use workflow";\n}\n`)).toEqual([
      `${at(1, 1)} orderWorkflow must be exported`,
    ]);
    expect(
      problems(
        `export async function orderWorkflow() {\n  "use workflow";\n}\nexport async function twoWorkflow() {\n  "use workflow";\n}\n`,
      ),
    ).toEqual([`${at(4, 8)} the workflow of this file is orderWorkflow; give twoWorkflow a file of its own`]);
    expect(problems("", "Order_Two")).toEqual([
      `src/workflows/Order_Two.workflow.ts:1:1 "Order_Two": the file's name is the workflow's, in small letters, digits and "-"`,
    ]);
  });

  it("a name used twice", () => {
    const source = `import { charge } from "./charge.ts";
async function charge(a: number) {
  "use step";
  return a;
}
${body("return charge(1);")}`;
    expect(problems(source)).toEqual([`${at(2, 16)} the name charge is used twice; line 1 has it already`]);
  });

  it("what works in a step alone in a body, and the other way round", () => {
    const source = `import { callDeepAgent, requestApproval as ask, sleep } from "./authoring/index.ts";
async function wait() {
  "use step";
  await sleep("1h");
  await ask({ token: "t", topic: "t", payload: 1 });
}
export async function orderWorkflow() {
  "use workflow";
  await wait();
  return callDeepAgent("support", "Hi");
}
`;
    expect(problems(source)).toEqual([
      `${at(4, 9)} sleep() works in the body of a workflow, not in the step wait`,
      `${at(5, 9)} requestApproval() works in the body of a workflow, not in the step wait`,
      `${at(10, 10)} callDeepAgent() works in a step, not in the body of orderWorkflow: call it in a function that begins with 'use step'`,
    ]);
  });

  it("a schedule that is no cron expression, and what is no TypeScript", () => {
    expect(
      problems(`export const schedules = [{ cron: "0 25 * * *" }, { cron: "* * *" }];\n${body("return 1;")}`),
    ).toEqual([
      expect.stringContaining(`${at(1, 35)} the schedule "0 25 * * *" is no cron expression: `),
      `${at(1, 59)} the schedule "* * *" is not five fields: minute hour day month weekday`,
    ]);
    expect(problems("const a = ;\n")).toEqual([`${at(1, 11)} is no TypeScript: Unexpected token`]);
  });
});
