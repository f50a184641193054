import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import pkg from "../../package.json" with { type: "json" };

const ROOT = path.resolve(import.meta.dirname, "../..");

let known: string | undefined;

/** The version of this program, such as `1.2.0`, `1.2.0-5-g4c84330f` (five commits later) or `4c84330f` (there is no tag). */
export function ownVersion(): string {
  known ??= versionOf(ROOT);
  return known;
}

/**
 * Looks into the file VERSION, which the build of an image writes, and then for the tag or commit of a clone. Elsewhere, or without
 * git, it is the version in package.json.
 */
export function versionOf(root: string): string {
  const file = path.join(root, "VERSION");
  const built = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  return (built || described(root) || pkg.version).replace(/^v(?=\d)/, "");
}

/** Only of a repository of its own: a copy may lie within another one. */
function described(root: string): string {
  if (!existsSync(path.join(root, ".git"))) return "";
  // The service's user is not the owner of the clone, and this runs nothing of it.
  const args = ["-c", `safe.directory=${root}`, "describe", "--tags", "--always", "--match", "v[0-9]*"];
  try {
    return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return "";
  }
}
