import { readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { weaknessOf } from "../../config/secrets.ts";
import { badRequest, type KnownError } from "../../shared/errors.ts";

export function strongKey(file: string): string {
  const key = readKey(file);
  const weakness = weaknessOf(key);
  if (weakness === undefined) return key;
  throw badRequest(`The key in ${file} ${weakness}. Make one with: openssl rand -base64 32`);
}

/** Without the line feed that editors and `openssl rand` add. Throws KnownError 400 if the file is empty or cannot be read. */
export function readKey(file: string): string {
  const advice = "Give the file with the key after --key-file.";
  let key: string;
  try {
    key = readFileSync(file, "utf8").trim();
  } catch (error) {
    throw unreadable(file, error, advice);
  }
  if (key) return key;
  throw badRequest(`The file ${file} is empty. ${advice}`);
}

/** @throws KnownError 400 if the file cannot be opened */
export async function openFile(file: string, advice: string): Promise<Readable> {
  const handle = await open(file).catch((error) => {
    throw unreadable(file, error, advice);
  });
  return handle.createReadStream();
}

function unreadable(file: string, error: unknown, advice: string): KnownError {
  const { code, message } = error as NodeJS.ErrnoException;
  const why = code === "ENOENT" ? `There is no file ${file}.` : `The file ${file} cannot be read (${message}).`;
  return badRequest(`${why} ${advice}`);
}
