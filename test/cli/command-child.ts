// Runs src/cli.ts for each message of its parent, with one copy of the program's modules: a process of its own takes a second of the
// processor to read them.
import { PassThrough } from "node:stream";
import { cost } from "../../src/directory/passwords.ts";
import { END_SIGNALS } from "../../src/shared/signals.ts";
import type { Ended, Order } from "./samespot-command.ts";

Object.assign(cost, { N: 2 ** 10, p: 1 }); // as in test/support/password-cost.ts
const streams = { stdout: process.stdout, stderr: process.stderr };
let runs = 0;
let last: Promise<unknown> = Promise.resolve();

process.on("message", (order: Order) => {
  last = last.then(async () => process.send?.(await run(order)));
});
process.once("disconnect", () => process.exit()); // the parent is gone

async function run({ env, args, input }: Order): Promise<Ended> {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv.splice(2, process.argv.length, ...args);
  Object.defineProperty(process, "stdin", { value: new PassThrough().end(input), configurable: true });
  process.exitCode = undefined;
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    streams[name].write = (text: string | Uint8Array) => {
      output[name] += text;
      return true;
    };
  await import(`../../src/cli.ts?${++runs}`); // waits for the end of the command
  for (const signal of END_SIGNALS) process.removeAllListeners(signal);
  streams.stdout.removeAllListeners("error");
  return { code: Number(process.exitCode ?? 0), ...output };
}
