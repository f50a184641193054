// npm run bench -- <name> [--json] [options]: runs bench/<name>.ts. Each benchmark compares with a peer or a limit in the same
// run and prints a table, or with --json one JSON object. Progress goes to standard error.
import { readdirSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { type Benchmark, printReport } from "./support/report.ts";

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts") && file !== path.basename(import.meta.filename))
  .map((file) => path.basename(file, ".ts"))
  .sort();
const [name = "", ...given] = process.argv.slice(2);

if (names.includes(name)) await measure(name);
else {
  console.error(`npm run bench -- <name> [--json], where <name> is one of: ${names.join(", ")}`);
  process.exitCode = name === "" ? 0 : 2;
}

async function measure(name: string): Promise<void> {
  const { run } = (await import(`./${name}.ts`)) as { run: Benchmark };
  const load = { before: os.loadavg()[0] ?? 0, after: 0 };
  const tables = await run(given.filter((each) => each !== "--json"));
  load.after = os.loadavg()[0] ?? 0;
  const machine = { cpus: os.cpus().length, load, node: process.versions.node };
  printReport({ name, machine, tables }, given.includes("--json"));
}
