// `npm run breakages [-- ID… | --all | --fit | --since REVISION] [--tier quick]`: checks that each breakage of the .breaks files fits the code. Then applies
// some to copies of the code, one at a time, and runs the tests that are named after its id: if they pass, a test is missing. By
// default those of files and tests changed since the branch left origin/main, as many as fit in five minutes.
// With --tier quick a breakage whose own test `npm test` does not run must be noticed by those tests of `npm test` that have its id,
// stand in the folder of its file, or import it.
// Ends with "N passed, N failed", where a breakage passes if it is noticed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
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
import { parseArgs } from "node:util";
import { startEmbedded } from "../../src/db/embedded/embedded.ts";
import { changedFiles } from "./changed.ts";
import { misfits } from "./fit.ts";
import { type Breakage, readBreakages, TYPES } from "./read.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
process.chdir(ROOT);
const LEFT_OUT = ["node_modules", ".git", "data"];
const MODULES = ["node_modules", "test/clients/node_modules"];
const isOwn = (file: string) => path.basename(file) !== "node_modules";
const COPIES = 2;
const USUAL_MS = 300_000;
/** Folders whose tests stand in others: files are tested as they come into a harmonization. */
const TESTED_IN: Record<string, string> = { files: "harmonize/{file,formats}", checkins: "web/checkins" };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: "boolean", default: false },
    fit: { type: "boolean", default: false },
    since: { type: "string" },
    tier: { type: "string" },
  },
});
const breakages = readBreakages();
const unfit = misfits(breakages);
for (const each of unfit) console.log(`does not fit: ${each}`);
const queue = unfit.length > 0 || values.fit ? [] : chosen();
const isTimed = positionals.length === 0 && !values.all && values.since === undefined;
const end = isTimed ? performance.now() + USUAL_MS : Number.POSITIVE_INFINITY;
const outcomes: { breakage: Breakage; outcome: string }[] = [];
if (queue.length > 0) await tryAll();
const missed = outcomes.filter(({ outcome }) => !outcome.startsWith("noticed"));
if (queue.length > 0) console.log(`${queue.length} more were not tried for want of time: npm run breakages -- --all`);
console.log(
  `${breakages.length - unfit.length} breakages fit the code. ${outcomes.length} were tried, ${missed.length} not noticed.`,
);
console.log(
  `${outcomes.length - missed.length + Number(unfit.length === 0)} passed, ${missed.length + unfit.length} failed`,
);
process.exitCode = missed.length + unfit.length > 0 ? 1 : 0;

function chosen(): Breakage[] {
  if (values.all) return breakages;
  if (positionals.length > 0) return breakages.filter(({ id }) => positionals.includes(id));
  const changed = changedFiles(values.since);
  if (!changed) console.log("Without git and a commit before this one no breakage is tried: name ids, or --all.");
  return breakages.filter(({ file, test }) => changed?.has(file) || changed?.has(test));
}

async function tryAll(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "samespot-breakages-"));
  chmodSync(folder, 0o755); // the server may run as another user
  const database = await startEmbedded({ dir: path.join(folder, "server"), settings: { fsync: "off" } });
  const work = async (copy: string) => {
    for (let breakage = next(); breakage; breakage = next()) {
      const begun = performance.now();
      const outcome = await tryOut(copy, database.url, breakage);
      outcomes.push({ breakage, outcome });
      const seconds = Math.round((performance.now() - begun) / 1000);
      console.log(`${breakage.id} ${breakage.breaks} (${path.basename(breakage.test)}, ${seconds} s): ${outcome}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: COPIES }, (_, index) => work(makeCopy(path.join(folder, `copy-${index}`)))));
  } finally {
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A declaration, because the code above runs before the lines here. */
function next(): Breakage | undefined {
  return performance.now() < end ? queue.shift() : undefined;
}

function makeCopy(copy: string): string {
  for (const entry of readdirSync(ROOT).filter((each) => !LEFT_OUT.includes(each)))
    cpSync(path.join(ROOT, entry), path.join(copy, entry), { recursive: true, filter: isOwn });
  for (const modules of MODULES.filter((each) => existsSync(path.join(ROOT, each))))
    symlinkSync(path.join(ROOT, modules), path.join(copy, modules));
  return copy;
}

async function tryOut(copy: string, url: string, breakage: Breakage): Promise<string> {
  const { file, find, replace, test } = breakage;
  const target = path.join(copy, file);
  const whole = readFileSync(target, "utf8");
  writeFileSync(
    target,
    whole.replace(find, () => replace),
  );
  const { passed, failure } = await (test === TYPES ? runTypes(copy) : runTests(copy, url, breakage));
  writeFileSync(target, whole);
  if (failure !== undefined) return `noticed (${failure})`;
  return passed > 0 ? "NOT NOTICED" : "NO TEST OF THIS NAME COULD RUN";
}

/** Runs the tests whose names begin with the id, and returns the first failure. */
async function runTests(copy: string, url: string, { id, file, test }: Breakage): Promise<Noticed> {
  const isElsewhere = values.tier !== undefined && !isQuick(test);
  const which = isElsewhere ? [...nearTests(id, file), "--bail=1"] : [test, "-t", `\\b${id}: `];
  const tier = values.tier === undefined ? [] : [`--project=${values.tier}`];
  const report = path.join(copy, "report.json");
  rmSync(report, { force: true });
  const vitest = path.join(copy, "node_modules/vitest/vitest.mjs");
  const child = spawn(
    process.execPath,
    [vitest, "run", ...which, ...tier, "--reporter=json", `--outputFile=${report}`],
    {
      cwd: copy,
      env: { ...process.env, TEST_DATABASE_URL: url },
      stdio: "ignore",
    },
  );
  await once(child, "exit");
  if (!existsSync(report)) return { passed: 0 };
  const { numPassedTests: passed, testResults } = JSON.parse(readFileSync(report, "utf8")) as Report;
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .find((each) => each.status === "failed");
  if (!failed) return { passed };
  return { passed, failure: failed.failureMessages[0]?.split("\n", 1)[0]?.slice(0, 100) ?? "" };
}

function isQuick(test: string): boolean {
  return !/\.\w+\.test\.ts$/.test(test);
}

/** Returns the tests of `npm test` with this id, those of the file's folder, and those that import the file. */
function nearTests(id: string, file: string): string[] {
  const folder = path.dirname(file.replace(/^(src|views|public)\//, ""));
  const own = path.join(folder, path.basename(file).replace(/\.\w+$/, ""));
  const elsewhere = TESTED_IN[folder.split("/", 1)[0] ?? ""];
  const near =
    folder === "."
      ? []
      : globSync([
          ...[`test/${folder}/*.test.ts`, `test/${own}/**/*.test.ts`, `test/web/${folder}/*.test.ts`],
          ...(elsewhere === undefined ? [] : [`test/${elsewhere}/*.test.ts`]),
        ]);
  const named = globSync("test/**/*.test.ts").filter((each) => {
    const text = readFileSync(each, "utf8");
    return text.includes(`${id}: `) || text.includes(`/${file}"`);
  });
  const quick = [...new Set([...near, ...named])].filter(isQuick);
  // Without any, an unknown file: vitest would run all.
  return quick.length > 0 ? quick : ["no-test-is-near"];
}

/** Runs the type check, and returns the first error. */
async function runTypes(copy: string): Promise<Noticed> {
  const child = spawn("npm", ["run", "--silent", "types"], { cwd: copy, stdio: ["ignore", "pipe", "ignore"] });
  const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return child.exitCode === 0 ? { passed: 1 } : { passed: 0, failure: output.split("\n", 1)[0]?.slice(0, 100) ?? "" };
}

interface Noticed {
  passed: number;
  failure?: string;
}

interface Report {
  numPassedTests: number;
  testResults: { assertionResults: { status: string; failureMessages: string[] }[] }[];
}
