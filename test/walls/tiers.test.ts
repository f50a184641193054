import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MAY_BE_SLOW, slowOnes } from "../support/reporter.ts";

/** Browser files that `npm test` runs: the walk through everything, and those that take a second or two. */
const QUICK_BROWSER = [
  "test/directory/auth/operator/overview.test.ts",
  "test/directory/auth/search.test.ts",
  "test/flows/walk.test.ts",
  "test/support/browser.test.ts",
  "test/web/harmonize/mappings.test.ts",
  "test/web/venues/own-proposals.test.ts",
];

/** Files of `npm test` that start a server as users do, beside those that run single commands. */
const QUICK_PROGRAMS = ["test/db/tls.test.ts", "test/support/samespot.test.ts"];

const files = globSync("test/**/*.test.ts", { exclude: ["test/clients/node_modules/**"] })
  .sort()
  .map((file) => ({ file, text: readFileSync(file, "utf8") }));
const quick = files.filter(({ file }) => !/\.(browser|faults|clients)\.test\.ts$|walls/.test(file));
const quickWith = (pattern: RegExp) => quick.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

test("a file's tier is one that a command runs", () => {
  const tiers = files.map(({ file }) => /\.([\w-]+)\.test\.ts$/.exec(file)?.[1] ?? "quick");
  expect([...new Set(tiers)].sort()).toEqual(["browser", "clients", "faults", "quick"]);
});

test("npm test has few files with a browser", () => {
  expect(quickWith(/^[^/]*\blaunchBrowser\(/m)).toEqual(QUICK_BROWSER);
});

test("npm test starts few programs and ends no server", () => {
  expect(quickWith(/\b(spawnSamespot|restartable|startEmbedded|replicate)\(|support\/outages/)).toEqual(QUICK_PROGRAMS);
});

test("a test of npm test that takes eight seconds fails the run, of two seconds is named, and on a slower machine later", () => {
  const run = (usual: number, ...times: number[]) =>
    slowOnes([
      ...times.map((milliseconds) => ({ name: `test/a.test.ts > ${milliseconds}`, milliseconds })),
      { name: `${MAY_BE_SLOW[0]}whatever it does`, milliseconds: 60_000 },
      ...Array.from({ length: 50 }, (_, at) => ({ name: `usual ${at}`, milliseconds: usual })),
    ]).map(({ milliseconds, fails }) => [milliseconds, fails]);
  const both = [[8001, true], [2001, false]]; // biome-ignore format: short
  expect(run(4, 2000, 2001, 8001)).toEqual(both);
  expect(run(20, 8000, 8001, 32_000, 32_001)).toEqual([[32_001, true], [32_000, false], [8001, false]]); // biome-ignore format: short
});

test("every test that may be slow exists", () => {
  for (const each of MAY_BE_SLOW) {
    const [file = "", name = ""] = each.split(" > ");
    expect(files.find((known) => known.file === file)?.text, each).toContain(name);
  }
});

/** Get the settings of their callers. */
const GIVEN = ["test/faults/programs.ts", "test/faults/worker-child.ts"];

test("tests and benchmarks start programs as in production, or say that it is a laptop's start", () => {
  const sources = globSync("{test,bench}/**/*.ts", {
    exclude: ["**/node_modules/**", "test/config/**", "test/walls/**"],
  });
  const starting = sources
    .map((file) => ({ file, text: readFileSync(file, "utf8") }))
    .filter(({ text }) => /\breadConfig\(|execPath, \[[^\]]*src\/|\bstart\(\["src\//.test(text));
  expect(starting.length).toBeGreaterThan(20);
  const others = starting.filter(({ text }) => !/\b(PRODUCTION|LAPTOP)\b|\benvironment\(/.test(text));
  expect(others.map(({ file }) => file).sort()).toEqual(GIVEN);
});
