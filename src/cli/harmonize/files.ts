import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { badRequest } from "../../shared/errors.ts";

export function checkFiles({ file, outputs }: { file: string; outputs: { option: string; output: string }[] }): void {
  const unwritable = outputs.map(({ option, output }) => writeProblem(option, output)).find(Boolean);
  const problem = readProblem(file) ?? unwritable ?? sameFile(outputs.map(({ output }) => path.resolve(output)));
  if (problem) throw badRequest(problem);
}

function sameFile(outputs: string[]): string | undefined {
  const twice = outputs.find((output, at) => outputs.indexOf(output) !== at);
  return twice && `${twice} is given for two files to write. Give each another name.`;
}

function readProblem(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return `There is no file ${file}. Give your file as the first argument.`;
  if (found.isDirectory()) return `${file} is a folder. Give your file as the first argument.`;
  return may(file, constants.R_OK) ? undefined : `No permission to read ${file}.`;
}

function writeProblem(option: string, output: string): string | undefined {
  const folder = path.dirname(path.resolve(output));
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    return `There is no folder ${folder}. Create it, or choose another with ${option}.`;
  if (statSync(output, { throwIfNoEntry: false })?.isDirectory())
    return `${output} is a folder. Give a file name with ${option}.`;
  return may(folder, constants.W_OK)
    ? undefined
    : `No permission to write to ${folder}. Choose another folder with ${option}.`;
}

function may(what: string, mode: number): boolean {
  try {
    accessSync(what, mode);
    return true;
  } catch {
    return false;
  }
}
