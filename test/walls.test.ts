import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";

const FORBIDDEN: [file: string, specifier: string][] = [
  ["src/web/a.ts", "../directory/users.ts"],
  ["src/directory-client/a.ts", "../directory/tokens.ts"],
  ["src/directory/a.ts", "../web/app.ts"],
  ["src/directory/auth/a.ts", "../../directory-client/client.ts"],
  ["src/matching/a.ts", "node:fs"],
  ["src/matching/b.ts", "../db/database.ts"],
  ["src/contract/a.ts", "../http/server.ts"],
  ["src/http/a.ts", "../web/app.ts"],
  ["src/db/a.ts", "../directory/users.ts"],
];
const ALLOWED: typeof FORBIDDEN = [
  ["src/web/b.ts", "../contract/envelope.ts"],
  ["src/directory/b.ts", "../matching/normalize.ts"],
];

/** A tree of planted files with the project's rules, linted once. */
const folder = mkdtempSync(path.join(tmpdir(), "samespot-walls-"));
cpSync("biome.json", path.join(folder, "biome.json"));
for (const [file, specifier] of [...FORBIDDEN, ...ALLOWED]) plant(file, `import "${specifier}";\n`);
plant("src/web/environment.ts", "export const home = process.env.HOME;\n");
const { stdout, stderr } = spawnSync(
  path.resolve("node_modules/.bin/biome"),
  ["lint", "--vcs-enabled=false", "--max-diagnostics=none", "--reporter=github"],
  { cwd: folder, encoding: "utf8" },
);
const findings = (stdout + stderr).split("\n");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function plant(file: string, source: string): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), source);
}

const rulesBrokenBy = (file: string) =>
  findings.filter((finding) => finding.includes(`${path.sep}${file},`)).join("\n");

test.each(FORBIDDEN)("%s may not import %s", (file) => {
  expect(rulesBrokenBy(file)).toContain("noRestrictedImports");
});

test.each(ALLOWED)("%s may import %s", (file) => {
  expect(rulesBrokenBy(file)).not.toContain("noRestrictedImports");
});

test("only config.ts and the entry points read the environment", () => {
  expect(rulesBrokenBy("src/web/environment.ts")).toContain("noProcessEnv");
});
