import { mkdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hex } from "../../src/db/keys.ts";
import { randomToken } from "../../src/shared/crypto.ts";
import { createWebVault } from "../../src/web/client-secret/credentials.ts";
import { testDatabase } from "../support/database/database.ts";
import { fillSealedRows, NAMELESS, openSealedRows } from "../support/database/sealed-rows.ts";
import { dataFolder } from "../support/samespot.ts";
import { runCommand, spawnCommand } from "./samespot-command.ts";

const { url, database } = await testDatabase();
const { pool } = database;
const [k1, k2, k3] = [randomToken(), randomToken(), randomToken()];
const dir = dataFolder();
mkdirSync(dir, { recursive: true });
const ROWS = 1100; // of each of three kinds: more than two batches

const envOf = (keys: string[]) => ({
  ...{ DATABASE_URL: url, DATA_DIR: dir, ENCRYPTION_KEYS: keys.join(), SESSION_SECRETS: randomToken() },
});
const run = (keys: string[], ...args: string[]) => runCommand(envOf(keys), ["keys", ...args]);
async function json(keys: string[], ...args: string[]) {
  const { code, stdout, stderr } = await run(keys, ...args, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}
const idOf = (key: string) => hex(createWebVault([key]).keyIds[0] ?? new Uint8Array());

describe("the keys command", async () => {
  const plain = await fillSealedRows(pool, [k1], ROWS);

  test("lists the keys with the number of values encrypted by each, and shows no key", async () => {
    const { code, stdout } = await run([k1], "list");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^app {8}[0-9a-f]{8} {6}2,200 values {2}number 1 of ENCRYPTION_KEYS {2}\(not in use\)$/m);
    expect(stdout).toMatch(
      /^directory {2}[0-9a-f]{8} {6}1,100 values {2}number 1 of ENCRYPTION_KEYS {2}\(not in use\)$/m,
    );
    expect(stdout).not.toContain(k1);
    await run([k1], "rotate"); // with one key: takes it up
    expect((await run([k1], "list")).stdout).not.toContain("not in use");
  });

  test("S07: leaves a new key unused in a command that encrypts nothing, which still needs every key in use", async () => {
    const env = { DATABASE_URL: url, DATA_DIR: dir, SESSION_SECRETS: randomToken() };
    const add = (keys: string, handle: string) =>
      runCommand({ ...env, ENCRYPTION_KEYS: keys }, ["user", "add", "--handle", handle, "--password-stdin"], {
        input: "a password\n",
      });
    const before = (await json([k1], "list")).keys;
    expect((await add(`${k2},${k1}`, "ada")).code).toBe(0);
    expect((await json([k1], "list")).keys).toEqual(before);
    expect(await add(k2, "bob")).toMatchObject({ code: 1, stderr: expect.stringContaining("is missing a key") });
    expect(await database.prisma.user.findMany({ select: { handle: true } })).not.toContainEqual({ handle: "bob" });
  });

  test("S07: refuses a rotation without the key in use, and changes nothing", async () => {
    const { code, stdout, stderr } = await run([k2], "rotate");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(
      `ENCRYPTION_KEYS is missing a key that is in use: ${idOf(k1)} (values encrypted with it in the app: ${2 * ROWS})`,
    );
    expect(await openSealedRows(pool, [k1])).toEqual(plain);
    expect((await json([k1], "list")).keys).toHaveLength(2);
  });

  test("S05: rotates in two concurrent processes without losing a value, and names the removable keys", async () => {
    await pool.query(
      "UPDATE app.connection SET token = set_byte(token, 40, get_byte(token, 40) # 255) WHERE account_id IN (SELECT account_id FROM app.connection LIMIT 1)",
    );
    const orphan = { directory: NAMELESS, externalId: `fp:${"ab".repeat(32)}` };
    await database.prisma.account.create({ data: orphan });
    const processes = [1, 2].map(() => spawnCommand(envOf([k2, k1]), ["keys", "rotate", "--json"]).ended);
    const [one, other] = (await Promise.all(processes)).map(({ stdout }) => JSON.parse(stdout));
    expect(one.resealed + other.resealed).toBe(3 * ROWS - 1);
    expect(one.renamed + other.renamed).toBeGreaterThanOrEqual(ROWS / 2 - 1);
    expect(one.unreadable).toEqual([expect.stringMatching(/^app\.connection\([0-9a-f-]{36}\)$/)]);
    expect(one.left_accounts).toBeGreaterThanOrEqual(1);
    expect(one.removable).toEqual([]); // something is still there
    const opened = await openSealedRows(pool, [k2]);
    expect([...opened.values()].filter((value) => value === undefined)).toHaveLength(1);
    await pool.query("DELETE FROM app.connection WHERE substring(token FROM 1 FOR 4) <> $1", [
      createWebVault([k2]).keyIds[0],
    ]);
    const { code, stdout } = await run([k2, k1], "rotate");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^0 values re-encrypted .*\n.*\nNo value is encrypted with number 2 of ENCRYPTION_KEYS any more\. Restart all/,
    );
    expect((await json([k2], "list")).keys.map(({ position }: { position: number }) => position)).toEqual([1, 1]);
  });

  test("leaves two accounts unchanged when one already has the other's new name", async () => {
    const [account] = (
      await pool.query(
        "SELECT id, external_id FROM app.account WHERE external_id LIKE 'fp:%' AND id IN (SELECT account_id FROM app.connection) LIMIT 1",
      )
    ).rows;
    const token = (await openSealedRows(pool, [k2])).get(`connection ${account.id}`) ?? "";
    const [fresh] = createWebVault([k3]).fingerprints(token, "account");
    await database.prisma.account.create({
      data: { directory: NAMELESS, externalId: `fp:${hex(fresh ?? new Uint8Array())}` },
    });
    const before = await database.prisma.account.count();
    const { left_accounts: left, removable } = await json([k3, k2], "rotate");
    expect({ left, removable }).toEqual({ left: 3, removable: [2] }); // with the two that nobody is connected to
    expect(await database.prisma.account.findUnique({ where: { id: account.id } })).toMatchObject({
      externalId: account.external_id,
    });
    expect(await database.prisma.account.count()).toBe(before);
  });

  test("forgets lost keys, and no others", async () => {
    const lost = idOf(k3);
    expect((await run([k3], "forget", lost)).stderr).toContain("is not lost");
    expect((await run([k1], "forget", idOf(k2))).stderr).toContain(`No key ${idOf(k2)} is in use`);
    const all = (await json([k1], "list")).keys.filter(({ registered }: { registered: boolean }) => registered);
    expect((await run([k1], "rotate")).code).toBe(1);
    const ids = all.map(({ id }: { id: string }) => id);
    expect(await json([k1], "forget", ...ids)).toEqual({ forgotten: ids });
    const { code, stdout } = await run([k1], "rotate");
    expect(code).toBe(0);
    expect(stdout).toContain("values cannot be decrypted with any key and were left:");
  });
});
