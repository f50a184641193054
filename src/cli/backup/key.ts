import { readFileSync } from "node:fs";
import { weaknessOf } from "../../config/secret-strength.ts";
import { KnownError } from "../../shared/errors.ts";

export function strongKey(file: string): string {
  const key = readKey(file);
  const weakness = weaknessOf(key);
  if (weakness === undefined) return key;
  throw new KnownError(400, "param_error", `The key in ${file} ${weakness}. Make one with: openssl rand -base64 32`);
}

/** Without the line feed that editors and `openssl rand` add. */
export const readKey = (file: string): string => readFileSync(file, "utf8").trim();
