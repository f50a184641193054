import { accessSync, constants, mkdirSync } from "node:fs";

/** Creates DATA_DIR unless it is there. Throws an Error that names the setting if it cannot be used. */
export function openDataDir(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true });
    accessSync(dir, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(`DATA_DIR: the folder ${dir} cannot be written to (${(error as Error).message}).`);
  }
}
