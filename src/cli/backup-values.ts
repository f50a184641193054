import { readFileSync } from "node:fs";

export interface Surroundings {
  env: NodeJS.ProcessEnv;
  /** Prints a result: as JSON with --json, otherwise as `text`. */
  print: (result: object, text: string, say?: (line: string) => void) => void;
}

/** Without the line feed that editors and `openssl rand` add. */
export const readKey = (file: string): string => readFileSync(file, "utf8").trim();

export const count = (value: number): string => value.toLocaleString("en-US");
