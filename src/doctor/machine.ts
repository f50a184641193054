import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { freeSpace } from "../db/embedded/files.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

const NODE = 24;

export function lookAtNode(version = process.versions.node): Finding {
  const name = "Node.js";
  if (Number.parseInt(version, 10) >= NODE) return ok(name, version);
  return problem(name, `${version} is too old.`, `Run it with npm, which installs Node.js ${NODE}, or install that.`);
}

const GB = 1024 ** 3;
export const ENOUGH = { problem: 0.2 * GB, warning: 2 * GB };
/** The embedded database has some thousand files. */
const ENOUGH_FILES = 1000;

export async function lookAtSpace(folder: string, enough = ENOUGH): Promise<Finding[]> {
  const folders = { "Space for data": nearest(folder), "Space for temporary files": tmpdir() };
  return Promise.all(
    Object.entries(folders).map(async ([name, folder]) => {
      const { bytes: free, files } = await freeSpace(folder);
      if (files < ENOUGH_FILES)
        return problem(
          name,
          `Only ${files} more files (inodes) can be made in ${folder}.`,
          "Delete files there or enlarge the volume now: writes will fail.",
        );
      const words = `${(free / GB).toFixed(1)} GB free in ${folder}.`;
      if (free < enough.problem) return problem(name, words, "Free space or enlarge the volume now: writes will fail.");
      return free < enough.warning ? warning(name, words, "Free space or enlarge the volume.") : ok(name, words);
    }),
  );
}

function nearest(folder: string): string {
  return existsSync(folder) ? folder : nearest(path.dirname(folder));
}
