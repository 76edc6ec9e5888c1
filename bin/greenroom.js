#!/usr/bin/env node
// The launcher: plain JavaScript that any Node can read. It finds a Node that runs TypeScript, and starts the command.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** From this version on Node runs TypeScript by itself. */
const needed = [22, 18];

const self = fileURLToPath(import.meta.url);
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
// Whatever goes wrong is 2: 1 says that a gate failed, which nobody may take from a crash.
process.on("uncaughtException", (error) => {
  console.error(error);
  process.exit(2);
});
if (major > needed[0] || (major === needed[0] && minor >= needed[1])) {
  await start().catch((error) => {
    console.error(error);
    process.exitCode = 2;
  });
} else restart();

async function start() {
  // Type stripping is announced as experimental; other warnings still show.
  process.removeAllListeners("warning");
  process.on("warning", (warning) => {
    if (warning.name !== "ExperimentalWarning") console.error(`${warning.name}: ${warning.message}`);
  });
  // Started by the older Node below: when that one is killed, this one has nobody to work for.
  const orphaned = () => process.exit(143);
  process.on("disconnect", orphaned);
  try {
    await import("./typescript.js");
    const { main } = await import("../src/cli/main.ts");
    process.exitCode = await main(process.argv.slice(2));
  } finally {
    process.off("disconnect", orphaned);
    if (process.connected) process.disconnect();
  }
}

/** Runs the same command on the Node that was installed with the package. */
function restart() {
  const node = installedNode();
  if (node === undefined) {
    console.error(
      `greenroom: needs Node ${needed.join(".")} or newer; this is ${process.version}, and no newer one is installed beside the package`,
    );
    process.exitCode = 2;
    return;
  }
  const child = spawn(node, [...process.execArgv, self, ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  // A terminal sends Ctrl-C to both, and then the command takes the two for one; other senders mean only this one.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    console.error(`greenroom: ${node} could not be started: ${error.message}`);
    process.exitCode = 2;
  });
  child.on("exit", (code, signal) => {
    if (signal !== null) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else process.exitCode = code ?? 2;
  });
}

/** The node-* package that npm chose for this machine. */
function installedNode() {
  const require = createRequire(import.meta.url);
  const name = `node-${process.platform}-${process.arch}`;
  try {
    const node = path.join(path.dirname(require.resolve(`${name}/package.json`)), "bin", "node");
    return existsSync(node) ? node : undefined;
  } catch {
    return undefined;
  }
}
