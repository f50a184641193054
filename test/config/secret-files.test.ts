import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { variables } from "../../src/config/variables.ts";
import { dataDir, GOOD_KEY, GOOD_SECRET } from "../support/settings.ts";

const { folder, problemsOf } = dataDir();

function file(name: string, content: string): string {
  writeFileSync(path.join(folder, name), content);
  return path.join(folder, name);
}

const URL = "postgresql://samespot:hidden@db/samespot";

describe("settings in files", () => {
  test("replace the variables, without the white space around their content", () => {
    const config = readConfig({
      DATA_DIR: folder,
      DATABASE_URL_FILE: file("url", `${URL}\n`),
      DIRECT_DATABASE_URL_FILE: file("direct", URL),
      SESSION_SECRETS_FILE: file("session", `${GOOD_SECRET}, ${GOOD_KEY}\n`),
      ENCRYPTION_KEYS_FILE: file("keys", GOOD_KEY),
      CLIENT_ID: "us",
      CLIENT_SECRET_FILE: file("client", " s3cret\r\n"),
      BACKUP_KEY_FILE: file("backup", GOOD_SECRET),
    });
    expect(config).toMatchObject({ databaseUrl: URL, directDatabaseUrl: URL, client: { id: "us", secret: "s3cret" } });
    expect(config).toMatchObject({
      sessionSecrets: [GOOD_SECRET, GOOD_KEY],
      encryptionKeys: [GOOD_KEY],
      backupKey: GOOD_SECRET,
    });
  });

  test("S96: are read for every setting that there is, also for one that comes later", () => {
    const names = Object.keys(variables.shape);
    const nowhere = path.join(folder, "nowhere");
    const problems = problemsOf(Object.fromEntries(names.map((name) => [`${name}_FILE`, nowhere])));
    for (const name of names)
      expect(problems).toContainEqual(expect.stringMatching(`^${name}_FILE names a file that cannot be read`));
  });

  test("are refused beside the variable itself, when unreadable and when empty, all together", () => {
    const problems = problemsOf({
      ...{ DATABASE_URL: URL, DATABASE_URL_FILE: file("second", URL) },
      SESSION_SECRETS_FILE: path.join(folder, "nowhere"),
      ENCRYPTION_KEYS_FILE: file("empty", " \n"),
    });
    expect(problems).toEqual([
      "DATABASE_URL_FILE is set together with DATABASE_URL; set one of them",
      expect.stringMatching(/^SESSION_SECRETS_FILE names a file that cannot be read: ENOENT/),
      expect.stringMatching(/^ENCRYPTION_KEYS_FILE names the file .*empty, which is empty$/),
    ]);
  });

  test("S06: are held to the same strength as variables, and never quoted", () => {
    const problems = problemsOf({ SESSION_SECRETS_FILE: file("weak", "hunter2hunter2") });
    expect(problems).toEqual([expect.stringContaining("SESSION_SECRETS: the first is shorter")]);
    expect(problems.join()).not.toContain("hunter2");
  });
});
