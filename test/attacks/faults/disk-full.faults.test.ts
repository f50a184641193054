import { execFileSync } from "node:child_process";
import { mkdirSync, statfsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { openDatabase } from "../../../src/db/database.ts";
import { explaining, startEmbedded } from "../../../src/db/embedded/embedded.ts";
import { migrate } from "../../../src/db/migrate.ts";
import { notReady } from "../../../src/http/health.ts";
import { randomToken } from "../../../src/shared/crypto.ts";
import { allKeys } from "../../../src/start/keys.ts";
import { runCommand } from "../../cli/samespot-command.ts";
import { PRODUCTION } from "../../support/production.ts";
import { dataFolder, freeAddresses } from "../../support/samespot.ts";

const folder = path.join(dataFolder(), "volume");
const files = path.join(dataFolder(), "files");
const secret = randomToken();

const canMount = (() => {
  if (process.getuid?.() !== 0 || process.platform !== "linux") return false;
  for (const each of [folder, files]) mkdirSync(each, { recursive: true });
  try {
    for (const [each, limit] of [
      [folder, "size=200m"],
      [files, "nr_inodes=5000"],
    ])
      execFileSync("mount", ["-t", "tmpfs", "-o", `${limit},mode=755`, "tmpfs", each as string], { stdio: "ignore" });
    return true;
  } catch {
    return false; // in a container without the right
  }
})();
afterAll(() => {
  if (canMount) for (const each of [folder, files]) execFileSync("umount", ["-l", each]);
});

function fill(): void {
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(path.join(folder, "others"), Buffer.alloc(bavail * bsize));
}

const SAID = /The disk is full: 0 MB are left in .*volume.*Free space there or enlarge the volume/s;
const INTERNALS = /SQLite|database or disk|ENOSPC|No space left|could not|errcode|PANIC|FATAL/i;

test.runIf(canMount)(
  "F91: with no space left for the embedded database, readiness, commands and the doctor say so, and the doctor goes on",
  async () => {
    const env = {
      ...PRODUCTION,
      DATA_DIR: folder,
      ENCRYPTION_KEYS: secret,
      SESSION_SECRETS: secret,
      ...(await freeAddresses()),
    };
    const server = await startEmbedded({ dir: folder });
    await migrate(server.url);
    const { pool, close } = openDatabase(server.url);
    const [keys] = allKeys(readConfig(env));
    if (!keys) throw new Error("no keys");
    const full = "no space left in DATA_DIR: writes fail";
    expect(await notReady(pool, keys)).not.toContain(full);
    fill();
    expect(await notReady(pool, keys)).toContain(full);
    await close();
    await server.stop();
    execFileSync("sh", ["-c", `rm ${folder}/others`]);
    fill(); // what the server gave back

    const command = await runCommand(env, ["migrate"]);
    expect([command.code, command.stderr]).toEqual([1, expect.stringMatching(SAID)]);
    expect(command.stderr).not.toMatch(INTERNALS);
    const { code, stdout } = await runCommand(env, ["doctor"]);
    expect([code, stdout]).toEqual([1, expect.stringMatching(SAID)]);
    expect(stdout).toMatch(/problem +Space for data: 0\.0 GB free/);
    expect(stdout).toMatch(/Node\.js/);
    expect(stdout).not.toMatch(INTERNALS);
  },
);

test.runIf(canMount)(
  "F104: with no file left that could be made, readiness, commands and the doctor say so",
  async () => {
    const env = { DATA_DIR: files, ENCRYPTION_KEYS: secret, SESSION_SECRETS: secret, ...(await freeAddresses()) };
    await (await startEmbedded({ dir: files })).stop();
    for (let left = statfsSync(files).ffree; left > 0; left--) writeFileSync(path.join(files, `other-${left}`), "");
    const said = /The disk is full: only \d+ more files \(inodes\) can be made in .*files\. Delete files there/;
    const command = await runCommand(env, ["migrate"]);
    expect([command.code, command.stderr]).toEqual([1, expect.stringMatching(said)]);
    expect(command.stderr).not.toMatch(INTERNALS);
    const { code, stdout } = await runCommand(env, ["doctor"]);
    expect([code, stdout]).toEqual([1, expect.stringMatching(said)]);
    expect(stdout).toMatch(/problem +Space for data: Only \d+ more files/);
  },
);

test.each([
  Object.assign(new Error("write"), { code: "EDQUOT" }),
  Object.assign(new Error("write"), { code: "ENOSPC" }),
  Object.assign(new Error("could not extend file"), { code: "53100" }),
  new Error('FATAL: could not write to file "pg_wal/xlogtemp": Disk quota exceeded'),
  new Error("The embedded PostgreSQL did not start.", { cause: new Error("No space left on device") }),
  new Error("database or disk is full"),
])(
  "F104: a quota that is used up, by what Node, SQLite or PostgreSQL say (%s), is said with what to do",
  async (error) => {
    const failing = explaining(import.meta.dirname, () => Promise.reject(error));
    await expect(failing).rejects.toThrow(
      /^The disk is full: the system gives no more space in .*the quota; nothing stored/,
    );
  },
);

test("F104: another error is not one of a full disk", async () => {
  const error = new Error("syntax error");
  await expect(explaining(import.meta.dirname, () => Promise.reject(error))).rejects.toBe(error);
});
