import { Signer } from "@fastify/cookie";
import { describe, expect, test } from "vitest";
import { endSessionsOf } from "../../../src/http/pages/sessions.ts";
import { sha256 } from "../../../src/shared/crypto.ts";
import { OLDER_SECRET, OWNER, sendForm, sessionApp } from "./session-app.ts";

const { app, browser, database, finishSlowRequests } = await sessionApp();

const rows = async () => (await database.pool.query("SELECT count(*)::int AS n FROM directory.session")).rows[0].n;

describe("sessions", () => {
  test("are not created by a request that stores nothing", async () => {
    const before = await rows();
    const answer = await app.inject({ url: "/plain" });
    expect(answer.cookies).toEqual([]);
    expect(await rows()).toBe(before);
  });

  test("get a new id when the user signs in, and the former id becomes invalid", async () => {
    const ada = browser();
    await ada.send({ url: "/form" });
    const known = ada.jar.cookie;
    await ada.post("/in");
    expect(ada.jar.cookie).not.toBe(known);
    expect(await ada.owner()).toBe(OWNER);
    expect(await browser(known).owner()).toBeNull();
  });

  test("are stored only with hashes of their ids", async () => {
    const ada = browser();
    await ada.post("/in");
    const id = decodeURIComponent(ada.jar.cookie ?? "").split(/[=.]/)[1] ?? "";
    const found = await database.pool.query("SELECT 1 FROM directory.session WHERE id_hash = $1", [
      Buffer.from(sha256(id)),
    ]);
    expect(found.rowCount).toBe(1);
    const all = await database.pool.query("SELECT s::text AS row FROM directory.session s");
    expect(all.rows.every(({ row }) => !row.includes(id))).toBe(true);
  });

  test("stay valid with a cookie signed by an older secret, which is kept", async () => {
    const ada = browser();
    await ada.post("/in");
    const [id = ""] = decodeURIComponent(ada.jar.cookie ?? "")
      .slice(2)
      .split(".");
    const old = browser(`s=${encodeURIComponent(new Signer(OLDER_SECRET).sign(id))}`);
    const answer = await old.send({ url: "/who" });
    expect([answer.json(), answer.cookies]).toEqual([{ owner: OWNER }, []]);
  });

  test("cannot be opened by a hash from the database", async () => {
    const { rows } = await database.pool.query(
      "SELECT encode(id_hash, 'base64') AS hash FROM directory.session LIMIT 1",
    );
    expect(await browser(`s=${encodeURIComponent(rows[0].hash)}`).owner()).toBeNull();
  });

  test.each([
    ["unsigned", "s=abcdef"],
    ["of another secret", "s=abcdef.c2lnbmF0dXJl"],
    ["empty", "s="],
    ["8 KB", `s=${"x".repeat(8000)}`],
    ["given twice", "s=a; s=b"],
    ["broken escapes", "s=%E0%A4%A"],
  ])("are anonymous for a cookie that is %s, without an error", async (_kind, cookie) => {
    expect((await browser(cookie).send({ url: "/who" })).json()).toEqual({ owner: null });
  });

  test("ended during a request are not restored by that request", async () => {
    const ada = browser();
    await ada.post("/in");
    const cookie = ada.jar.cookie;
    const inFlight = browser(cookie).send({ url: "/slow" });
    await new Promise((resolve) => setTimeout(resolve, 100));
    await ada.post("/out");
    expect(ada.jar.cookie).toBeUndefined();
    finishSlowRequests();
    await inFlight;
    expect(await browser(cookie).owner()).toBeNull();
  });

  test("end at the idle and absolute limits by the database's clock", async () => {
    for (const column of ["expires_at", "created_at"]) {
      const ada = browser();
      await ada.post("/in");
      await database.pool.query(
        `UPDATE directory.session SET ${column} = now() - interval '11 hours' WHERE ended_at IS NULL`,
      );
      expect(await ada.owner()).toBeNull();
    }
  });

  test("without a signed-in user end after an hour, even if in use", async () => {
    const guest = browser();
    await guest.send({ url: "/form" });
    await guest.send({ url: "/form" });
    const { rows } = await database.pool.query(
      "SELECT max(expires_at) <= now() + interval '1 hour' AS soon FROM directory.session WHERE user_id IS NULL",
    );
    expect(rows).toEqual([{ soon: true }]);
  });

  test("of one person can all be ended, except the current one", async () => {
    const [one, two] = [browser(), browser()];
    await Promise.all([one.post("/in"), two.post("/in")]);
    await endSessionsOf(database.pool, "directory", OWNER);
    expect(await one.owner()).toBeNull();
    expect(await two.owner()).toBeNull();
  });

  test("F22: accept every form requested in parallel right after signing in", async () => {
    const ada = browser();
    await ada.post("/in");
    const cookie = ada.jar.cookie;
    const forms = await Promise.all(Array.from({ length: 20 }, () => browser(cookie).send({ url: "/form" })));
    for (const { body } of forms) expect((await sendForm(browser(cookie), body)).statusCode).toBe(200);
  });
});
