// `npm run test:all [-- STEP…]`: runs every check there is, the cheap ones first, and stops before the dear ones if one of those
// fails. A step that cannot run on this machine says why and counts as skipped. Ends with how long each step took and
// "N passed, N failed".
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "..");
/** Their failure ends the run. Each counts as one check. */
const CHEAP = ["lint", "types", "unused"];
const TIERS = ["test", "test:browser", "test:faults", "test:clients"];
/** Each ends with a line like that of this program, or has a line `ok …` or `not ok …` for each check. */
const PROGRAMS = ["breakages -- --fit", "bench -- --smallest", "image", "alerts", "deployment"];

const COUNTS = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm;

interface Outcome {
  step: string;
  seconds: number;
  passed: number;
  failed: number;
  skipped: number;
  /** Lines that name a check that failed, or failed first. */
  named: string[];
}

const wanted = process.argv.slice(2);
const outcomes: Outcome[] = [];
for (const step of [...CHEAP, ...TIERS, ...PROGRAMS].filter((each) => wanted.length === 0 || wanted.includes(each))) {
  const outcome = await run(step);
  outcomes.push(outcome);
  if (CHEAP.includes(step) && outcome.failed > 0) break;
}
report();

async function run(step: string): Promise<Outcome> {
  console.log(`\n== npm run ${step}`);
  const begun = performance.now();
  const child = spawn("npm", ["run", ...step.split(" ")], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    process.stdout.write(text);
    output += text;
  });
  const [code] = await once(child, "close");
  const { passed, failed, skipped } = CHEAP.includes(step)
    ? { passed: Number(code === 0), failed: Number(code !== 0), skipped: 0 }
    : countsIn(output);
  return {
    step,
    seconds: Math.round((performance.now() - begun) / 1000),
    passed,
    // A step that ends with an error but counts no failure, such as one that could not start, counts as one.
    failed: code === 0 ? failed : Math.max(1, failed),
    skipped: skipped + linesOf(output, "skipped: "),
    named: output.match(/^(?:(?:failed|passed only the second time): |not ok ).*$/gm) ?? [],
  };
}

/** A step may run several programs, so all lines of counts are added up. */
function countsIn(output: string) {
  const lines = [...output.matchAll(COUNTS)];
  if (lines.length === 0) return { passed: linesOf(output, "ok "), failed: linesOf(output, "not ok "), skipped: 0 };
  const sum = (at: number) => lines.reduce((total, line) => total + Number(line[at] ?? 0), 0);
  return { passed: sum(1), failed: sum(2), skipped: sum(3) };
}

function linesOf(output: string, beginning: string): number {
  return output.split("\n").filter((line) => line.startsWith(beginning)).length;
}

function report(): void {
  console.log("");
  for (const { step, seconds, passed, failed } of outcomes)
    console.log(
      `${step.padEnd(14)} ${String(seconds).padStart(5)} s ${String(passed).padStart(6)} passed, ${failed} failed`,
    );
  for (const line of outcomes.flatMap(({ named }) => named)) console.log(line);
  const sum = (key: "passed" | "failed" | "skipped") => outcomes.reduce((total, outcome) => total + outcome[key], 0);
  const skipped = sum("skipped");
  console.log(`${sum("passed")} passed, ${sum("failed")} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  process.exitCode = sum("failed") > 0 || sum("passed") === 0 ? 1 : 0;
}
