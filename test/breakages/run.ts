// `npm run breakages [-- ID…]`: applies each breakage to a copy of the code and runs the tests named after its id. If they pass,
// a test is missing. Ends with "N noticed, N not".
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { startEmbedded } from "../../src/db/embedded/embedded.ts";
import { breakages } from "./all.ts";
import { type Breakage, TYPES } from "./breakage.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const LEFT_OUT = ["node_modules", ".git", "data"];
const MODULES = ["node_modules", "test/clients/node_modules"];
const isOwn = (file: string) => path.basename(file) !== "node_modules";
const COPIES = 2;

const wanted = process.argv.slice(2);
const queue = breakages.filter(({ id }) => wanted.length === 0 || wanted.includes(id));
const folder = mkdtempSync(path.join(tmpdir(), "samespot-breakages-"));
chmodSync(folder, 0o755); // the server may run as another user
const database = await startEmbedded({ dir: path.join(folder, "server"), settings: { fsync: "off" } });
const outcomes: { breakage: Breakage; outcome: string }[] = [];
try {
  await Promise.all(Array.from({ length: COPIES }, (_, index) => work(makeCopy(`copy-${index}`))));
} finally {
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
const missed = outcomes.filter(({ outcome }) => !outcome.startsWith("noticed"));
console.log(`${outcomes.length - missed.length} noticed, ${missed.length} not`);
process.exitCode = missed.length > 0 || outcomes.length === 0 ? 1 : 0;

function makeCopy(name: string): string {
  const copy = path.join(folder, name);
  for (const entry of readdirSync(ROOT).filter((each) => !LEFT_OUT.includes(each)))
    cpSync(path.join(ROOT, entry), path.join(copy, entry), { recursive: true, filter: isOwn });
  for (const modules of MODULES.filter((each) => existsSync(path.join(ROOT, each))))
    symlinkSync(path.join(ROOT, modules), path.join(copy, modules));
  return copy;
}

async function work(copy: string): Promise<void> {
  for (let breakage = queue.shift(); breakage; breakage = queue.shift()) {
    const begun = performance.now();
    const outcome = await tryOut(copy, breakage);
    outcomes.push({ breakage, outcome });
    const seconds = Math.round((performance.now() - begun) / 1000);
    console.log(`${breakage.id} ${breakage.breaks} (${path.basename(breakage.test)}, ${seconds} s): ${outcome}`);
  }
}

async function tryOut(copy: string, { id, file, find, replace, test }: Breakage): Promise<string> {
  const target = path.join(copy, file);
  const whole = readFileSync(target, "utf8");
  if (whole.split(find).length !== 2) return "DOES NOT FIT THE FILE";
  writeFileSync(
    target,
    whole.replace(find, () => replace),
  );
  const { passed, failure } = await (test === TYPES ? runTypes(copy) : runTests(copy, test, id));
  writeFileSync(target, whole);
  if (failure !== undefined) return `noticed (${failure})`;
  return passed > 0 ? "NOT NOTICED" : "NO TEST OF THIS NAME COULD RUN";
}

/** Runs the tests whose names begin with the id, and returns the first failure. */
async function runTests(copy: string, test: string, id: string): Promise<{ passed: number; failure?: string }> {
  const report = path.join(copy, "report.json");
  rmSync(report, { force: true });
  const vitest = path.join(copy, "node_modules/vitest/vitest.mjs");
  const child = spawn(
    process.execPath,
    [vitest, "run", test, "-t", `\\b${id}: `, "--reporter=json", `--outputFile=${report}`],
    { cwd: copy, env: { ...process.env, TEST_DATABASE_URL: database.url }, stdio: "ignore" },
  );
  await once(child, "exit");
  const { numPassedTests: passed, testResults } = JSON.parse(readFileSync(report, "utf8")) as Report;
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .find((each) => each.status === "failed");
  if (!failed) return { passed };
  return { passed, failure: failed.failureMessages[0]?.split("\n", 1)[0]?.slice(0, 100) ?? "" };
}

/** Runs the type check, and returns the first error. */
async function runTypes(copy: string): Promise<{ passed: number; failure?: string }> {
  const child = spawn("npm", ["run", "--silent", "types"], { cwd: copy, stdio: ["ignore", "pipe", "ignore"] });
  const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return child.exitCode === 0 ? { passed: 1 } : { passed: 0, failure: output.split("\n", 1)[0]?.slice(0, 100) ?? "" };
}

interface Report {
  numPassedTests: number;
  testResults: { assertionResults: { status: string; failureMessages: string[] }[] }[];
}
