import { readFileSync } from "node:fs";

/** Settings that may be given as a file, such as Docker's secrets, by the name with `_FILE`. */
const IN_FILES = [
  "DATABASE_URL",
  "DIRECT_DATABASE_URL",
  "READ_DATABASE_URL",
  "CLIENT_SECRET",
  "ADMIN_PASSWORD",
  "SESSION_SECRETS",
  "ENCRYPTION_KEYS",
] as const;

/** Returns the settings with the content of the files in place of their names. Does not quote the content. */
export function withSecretFiles(
  given: Readonly<Record<string, string>>,
  complain: (variable: string, message: string) => void,
): Record<string, string> {
  const settings = { ...given };
  for (const name of IN_FILES) {
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
