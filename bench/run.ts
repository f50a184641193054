// npm run bench -- <name> [--json] [options]: runs bench/<name>.ts. Each benchmark compares with a peer or a limit in the same
// run and prints a table, or with --json one JSON object. Progress goes to standard error. `npm run bench -- --smallest` shows that
// every benchmark still works: each runs for seconds, without data from elsewhere, and its figures mean nothing.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { shorten } from "./support/lasting.ts";
import { type Benchmark, printReport } from "./support/report.ts";

const MOST_MS = 300_000;

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts") && file !== path.basename(import.meta.filename))
  .map((file) => path.basename(file, ".ts"))
  .sort();
const isSmallest = process.argv.includes("--smallest");
const [name = "", ...given] = process.argv.slice(2).filter((each) => each !== "--smallest");

if (names.includes(name)) await measure(name);
else if (name === "" && isSmallest) await tryAll();
else {
  console.error(`npm run bench -- <name> [--json], where <name> is one of: ${names.join(", ")}`);
  process.exitCode = name === "" ? 0 : 2;
}

async function measure(name: string): Promise<void> {
  if (isSmallest) shorten();
  const { run, SMALLEST } = (await import(`./${name}.ts`)) as { run: Benchmark; SMALLEST: string[] };
  const load = { before: os.loadavg()[0] ?? 0, after: 0 };
  const tables = await run([...(isSmallest ? SMALLEST : []), ...given.filter((each) => each !== "--json")]);
  load.after = os.loadavg()[0] ?? 0;
  const empty = Object.keys(tables).filter((title) => tables[title]?.length === 0);
  if (empty.length > 0 || Object.keys(tables).length === 0)
    throw new Error(`No row is in: ${empty.join(", ") || name}`);
  const machine = { cpus: os.cpus().length, load, node: process.versions.node };
  printReport({ name, machine, tables }, given.includes("--json"));
}

/** Each in its own process, so that none depends on what another left. Ends with "N passed, N failed". */
async function tryAll(): Promise<void> {
  const waiting = [...names];
  const failed: string[] = [];
  const work = async () => {
    for (let name = waiting.shift(); name; name = waiting.shift()) {
      const begun = performance.now();
      const { works, output } = await tryOut(name);
      if (!works) failed.push(name);
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      console.log(`${works ? "works" : "FAILS"}: ${name}, ${seconds} s\n${output}`);
    }
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, work));
  console.log(`${names.length - failed.length} passed, ${failed.length} failed`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}

/** Returns the tables of a benchmark, with its progress and error if it fails. */
async function tryOut(name: string): Promise<{ works: boolean; output: string }> {
  const child = spawn(process.execPath, [import.meta.filename, name, "--smallest"], {
    timeout: MOST_MS,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [tables, progress, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { works: code === 0, output: code === 0 ? tables : tables + progress };
}
