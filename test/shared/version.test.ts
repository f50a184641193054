import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import pkg from "../../package.json" with { type: "json" };
import { ownVersion, versionOf } from "../../src/shared/version.ts";
import { runCommand } from "../cli/samespot-command.ts";

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), "samespot-version-"));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

const git = (root: string, ...args: string[]) => {
  const who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", `safe.directory=${root}`];
  return execFileSync("git", [...who, ...args], { cwd: root, encoding: "utf8", stdio: "pipe" }).trim();
};
const commit = (root: string) => git(root, "commit", "-q", "--allow-empty", "-m", "x");

/** A clone with one commit. */
function clone(): string {
  const root = folder();
  git(root, "init", "-q");
  commit(root);
  return root;
}

test("version: without .git and without a built one it is that of package.json, also within another repository", () => {
  expect(versionOf(folder())).toBe(pkg.version);
  const within = path.join(clone(), "samespot");
  mkdirSync(within);
  expect(versionOf(within)).toBe(pkg.version);
});

test("version: a clone without a tag has the commit's hash, at a tag the tag, and later both with the number of commits", () => {
  const root = clone();
  expect(versionOf(root)).toBe(git(root, "rev-parse", "--short", "HEAD"));
  git(root, "tag", "nightly");
  expect(versionOf(root)).toMatch(/^[0-9a-f]{7,}$/);
  git(root, "tag", "v1.2.0");
  expect(versionOf(root)).toBe("1.2.0");
  commit(root);
  expect(versionOf(root)).toBe(`1.2.0-1-g${git(root, "rev-parse", "--short", "HEAD")}`);
});

test.skipIf(process.getuid?.() !== 0)("version: a clone that belongs to another user has one too", () => {
  const root = clone();
  for (const name of [root, path.join(root, ".git")]) chownSync(name, 65_534, 65_534);
  expect(versionOf(root)).toMatch(/^[0-9a-f]{7,}$/);
});

test("version: what the build of an image wrote goes first, unless it is empty", () => {
  const root = clone();
  writeFileSync(path.join(root, "VERSION"), "\n");
  expect(versionOf(root)).toBe(git(root, "rev-parse", "--short", "HEAD"));
  writeFileSync(path.join(root, "VERSION"), "v1.3.0-2-g1234567\n");
  expect(versionOf(root)).toBe("1.3.0-2-g1234567");
});

test("version: a broken clone has that of package.json", () => {
  const root = folder();
  writeFileSync(path.join(root, ".git"), "gitdir: /nowhere\n");
  expect(versionOf(root)).toBe(pkg.version);
});

test("version: samespot --version prints it", async () => {
  expect(await runCommand({}, ["--version"])).toEqual({ code: 0, stdout: `${ownVersion()}\n`, stderr: "" });
  const { stdout } = await runCommand({}, ["--json", "--version"]);
  expect(JSON.parse(stdout)).toEqual({ version: ownVersion() });
});
