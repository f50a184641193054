import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

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
