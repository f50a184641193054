import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { KnownError } from "../../shared/errors.ts";

/** @throws KnownError 400 where `file` cannot be read, or `output` not be written */
export function checkFiles({ file, output }: { file: string; output: string }): void {
  const problem = readProblem(file) ?? writeProblem(output);
  if (problem) throw new KnownError(400, "param_error", problem);
}

function readProblem(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return `There is no such file: ${file}. The first argument is the file of listings.`;
  if (found.isDirectory()) return `${file} is a folder. The first argument is the file of listings.`;
  return may(file, constants.R_OK) ? undefined : `You may not read ${file}.`;
}

function writeProblem(output: string): string | undefined {
  const folder = path.dirname(path.resolve(output));
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    return `There is no folder ${folder} to write into. Make it, or choose another with -o.`;
  if (statSync(output, { throwIfNoEntry: false })?.isDirectory())
    return `${output} is a folder. -o names the file that is written.`;
  return may(folder, constants.W_OK) ? undefined : `You may not write into ${folder}. Choose another folder with -o.`;
}

function may(what: string, mode: number): boolean {
  try {
    accessSync(what, mode);
    return true;
  } catch {
    return false;
  }
}
