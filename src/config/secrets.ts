import { existsSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { randomToken } from "../shared/crypto.ts";
import { openDataDir } from "../shared/data-dir.ts";

const secret = z.string().refine((text) => weaknessOf(text) === undefined);
const secretsFile = z.object({ session: secret, encryption: secret, demoPassword: z.string() });

/** Reads `DATA_DIR/secrets.json`, or creates it (mode 0600). Throws if others may read it or it lacks such secrets. */
export function generatedSecrets(dataDir: string): z.infer<typeof secretsFile> {
  const file = path.join(dataDir, "secrets.json");
  openDataDir(dataDir);
  if (!existsSync(file)) {
    const fresh = { session: randomToken(), encryption: randomToken(), demoPassword: readablePassword() };
    const draft = `${file}.${process.pid}`;
    try {
      writeFileSync(draft, `${JSON.stringify(fresh, null, 2)}\n`, { mode: 0o600 });
      linkSync(draft, file); // whole or not at all, and never over another process's file
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST")
        throw new Error(`DATA_DIR: ${file} cannot be written (${(error as Error).message}).`, { cause: error });
    } finally {
      rmSync(draft, { force: true });
    }
  }
  requirePrivate(file);
  const parsed = secretsFile.safeParse(parseJson(readFileSync(file, "utf8")));
  if (parsed.success) return parsed.data;
  throw new Error(
    `DATA_DIR: ${file} is damaged. Put back the copy you keep; without its keys no stored token can be read.`,
  );
}

/** A restored backup may have other permissions. Windows has no such permissions. */
function requirePrivate(file: string): void {
  const rights = statSync(file).mode & 0o777;
  if (process.platform === "win32" || (rights & 0o077) === 0) return;
  throw new Error(
    `DATA_DIR: others may read ${file} (mode ${rights.toString(8)}). Close it to them: chmod 600 ${file}`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns 60 random bits as `xxxx-xxxx-xxxx`, without similar letters. */
function readablePassword(): string {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  const pick = (byte: number) => letters[byte % letters.length];
  const text = Array.from(Buffer.from(randomToken(12), "base64url"), pick).join("");
  return text.replace(/(.{4})(?=.)/g, "$1-");
}

/**
 * Returns the settings with the content of files, such as Docker's secrets, where one is named by the name of a setting with `_FILE`. Does
 * not quote the content.
 */
export function withSecretFiles(
  given: Readonly<Record<string, string>>,
  names: readonly string[],
  complain: (variable: string, message: string) => void,
): Record<string, string> {
  const settings = { ...given };
  for (const name of names) {
    const variable = `${name}_FILE`;
    const { [name]: value, [variable]: file } = given;
    if (file === undefined) continue;
    if (value !== undefined) complain(variable, `is set together with ${name}; set one of them`);
    const content = readSecret(file, (message) => complain(variable, message));
    if (content) settings[name] = content;
  }
  return settings;
}

function readSecret(file: string, complain: (message: string) => void): string | undefined {
  try {
    const content = readFileSync(file, "utf8").trim();
    if (!content) complain(`names the file ${file}, which is empty`);
    return content;
  } catch (error) {
    complain(`names a file that cannot be read: ${(error as Error).message}`);
    return undefined;
  }
}

const MIN_LENGTH = 32;
const MIN_DISTINCT = 8;

/** Words of example secrets. Random secrets do not contain them. */
const PLACEHOLDERS = /change.{0,3}(me|this|it)|replace.{0,3}(me|this|with)|placeholder|openssl|your.{0,3}(secret|key)/i;

/** Returns why a secret in the settings may be guessed, without quoting it; undefined if it looks random. */
export function weaknessOf(secret: string): string | undefined {
  if (secret.length < MIN_LENGTH) return `is shorter than ${MIN_LENGTH} characters`;
  if (new Set(secret).size < MIN_DISTINCT) return "is made of a few characters only";
  if (PLACEHOLDERS.test(secret)) return "looks like a placeholder";
  return undefined;
}
