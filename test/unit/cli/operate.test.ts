import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CommandContext } from "../../../src/cli/command-context.ts";
import { operate } from "../../../src/cli/operate/operate.ts";
import { createTerminal } from "../../../src/cli/terminal/terminal.ts";

let presented: (string | undefined)[] = [];
const server = createServer((request, response) => {
  presented.push(request.headers.authorization);
  response.end('{"items":[]}');
});
let port = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => void server.close());

const terminal = createTerminal({ write: () => true }, {});
const context: CommandContext = {
  cwd: "/",
  env: {},
  out: terminal,
  err: terminal,
  writeOut: async () => undefined,
  onInterrupt: () => () => undefined,
  exit: () => undefined,
};

const list = (token?: string) =>
  operate(
    { endpoint: `http://127.0.0.1:${port}`, json: false, ...(token === undefined ? {} : { token }) },
    context,
    ({ api }) => api.get("/api/runs"),
    () => undefined,
  );

test("a local Greenroom is told dev, as the console tells it, unless a token is given", async () => {
  presented = [];
  expect([await list(), await list(""), await list("mine")]).toEqual([0, 0, 0]);
  expect(presented).toEqual(["Bearer dev", "Bearer dev", "Bearer mine"]);
});
