import { readFileSync } from "node:fs";

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
