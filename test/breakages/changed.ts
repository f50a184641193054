import { spawnSync } from "node:child_process";

/**
 * Returns the files that differ from `since`: by default from where this branch left origin/main, or on main itself from the
 * commit before. Undefined without git or history.
 */
export function changedFiles(since?: string): Set<string> | undefined {
  const base = since ?? branchedAt() ?? "HEAD~1";
  const changed = git("diff", "--name-only", "--no-renames", base);
  const untracked = git("ls-files", "--others", "--exclude-standard");
  if (changed === undefined || untracked === undefined) return undefined;
  return new Set([...changed.split("\n"), ...untracked.split("\n")].filter(Boolean));
}

function branchedAt(): string | undefined {
  const base = git("merge-base", "HEAD", "origin/main");
  return base === git("rev-parse", "HEAD") ? undefined : base;
}

function git(...args: string[]): string | undefined {
  const { status, stdout } = spawnSync("git", args, { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}
