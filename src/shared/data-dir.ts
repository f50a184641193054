import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import path from "node:path";

/** Creates DATA_DIR unless it is there. Throws an Error that names the setting if it cannot be used. */
export function openDataDir(dir: string): void {
  try {
    makeFolder(path.resolve(dir));
    accessSync(`${dir}/.`, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(`DATA_DIR: the folder ${dir} cannot be written to (${(error as Error).message}).`);
  }
}

/** One by one: mkdirSync() with `recursive` tries for ever below a folder that can hold none, such as /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error; // another process has just made it
  }
}
