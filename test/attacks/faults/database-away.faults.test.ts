import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { setTimeout as after } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { assetBase } from "../../../src/http/files/assets.ts";
import type { Samespot } from "../../../src/main.ts";
import { testDatabase } from "../../support/database/database.ts";
import { formFields, type HttpClient } from "../../support/http-client.ts";
import { startDatabaseProxy } from "../../support/outages/database-proxy.ts";
import { restartable } from "../../support/outages/restartable.ts";
import { PRODUCTION } from "../../support/production.ts";
import { dataFolder } from "../../support/samespot.ts";

const { url, database } = await testDatabase({ template: "sample" });
const proxy = await startDatabaseProxy(url);
const site = await restartable({ url: proxy.url });
let samespot: Samespot;
let member: HttpClient;

beforeAll(async () => {
  samespot = await site.start({ ROLES: "app,directory,worker" });
  member = site.newBrowser();
  await site.logIn(member, { handle: samespot.demo?.handle ?? "", password: samespot.demo?.password ?? "" });
});
afterEach(proxy.thaw);
afterAll(async () => {
  await samespot.close();
  proxy.close();
});

const statusOf = async (path: string) => (await fetch(site.APP_URL + path, { redirect: "manual" })).status;
const token = async () => formFields(await member.get("/settings"), "/logout")._csrf ?? "";

describe("an unavailable database", () => {
  it("F11: stops the start with a reason, and without a password or a stack trace", async () => {
    const env = {
      ...PRODUCTION,
      ...{ PATH: process.env.PATH, DATABASE_URL: "postgresql://ann:secretword@127.0.0.1:1/none" },
      ...{ DATA_DIR: dataFolder(), LOG_LEVEL: "info" },
    };
    const child = spawn(process.execPath, ["src/main.ts"], { env, stdio: ["ignore", "pipe", "pipe"] });
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
    expect(code).toBe(1);
    expect(out + err).toMatch(/database/i);
    expect(out + err).not.toMatch(/secretword|\bat .*:\d+:\d+\)/);
  });

  it.each([
    ["stands still", proxy.freeze],
    ["refuses connections", proxy.refuse],
  ])("F12: that %s makes pages return 503 quickly without logging anyone out", async (_, fail) => {
    const cookies = new Map(member.cookies);
    fail();
    const page = await Promise.race([member.get("/settings"), after(4000)]);
    if (!page) throw new Error("It takes longer than four seconds.");
    expect([page.status, page.headers.get("retry-after"), page.headers.getSetCookie()]).toEqual([
      503,
      expect.stringMatching(/^\d+$/),
      [],
    ]);
    expect(page.body).not.toMatch(/node_modules|\.ts:\d|ECONN|timeout expired/);
    expect(member.cookies).toEqual(cookies);
    // F11: alive, though not ready
    expect([await statusOf("/healthz"), await statusOf(`${assetBase}/app.js`), await statusOf("/readyz")]).toEqual([
      ...[200, 200, 503],
    ]);
    proxy.thaw();
    await expect.poll(() => statusOf("/readyz")).toBe(200);
    expect((await member.get("/settings")).status).toBe(200);
  });
});

describe("a full disk", () => {
  // Makes writes fail like a full disk (SQLSTATE 53100), and counts them: a sequence is not rolled back.
  const fill = (table: string) =>
    database.pool.query(`CREATE SEQUENCE public.${table}_tries;
      GRANT USAGE ON SEQUENCE public.${table}_tries TO PUBLIC;
      CREATE FUNCTION ${table}_full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM nextval('public.${table}_tries');
        RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER volume_full BEFORE INSERT OR UPDATE ON app.${table} EXECUTE FUNCTION ${table}_full()`);
  const isTried = async (table: string) =>
    (await database.pool.query(`SELECT is_called FROM public.${table}_tries`)).rows[0].is_called;
  const makeSpace = (table: string) => database.pool.query(`DROP FUNCTION ${table}_full() CASCADE`);
  const LINES = "id,name,lat,lng\n1,Joe,41.82,-71.41\n2,Ann,41.83,-71.42\n";
  const harmonizations = () => database.prisma.harmonization.findMany();

  it.each(["harmonization", "file_part"])("F14: leaves no partial upload in %s", async (table) => {
    const _csrf = await token();
    const before = await harmonizations();
    await fill(table);
    const refused = await member.post("/harmonizations", { _csrf, text: LINES });
    await makeSpace(table);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    expect((await member.get("/harmonizations")).body).not.toContain("Pasted list");
    expect((await harmonizations()).filter(({ state }) => state !== "uploading")).toEqual(before);
    expect((await member.post("/harmonizations", { _csrf, text: LINES })).status).toBe(303);
    await database.prisma.harmonization.deleteMany();
  });

  it("F14: pauses a run without losing data until space is free again", async () => {
    const _csrf = await token();
    const { location } = await member.post("/harmonizations", { _csrf, text: LINES });
    await fill("listing");
    const page = await member.get(location);
    const columns = Object.fromEntries(["id", "name", "lat", "lng"].map((field, at) => [`column-${at}`, field]));
    const action = `${new URL(location).pathname}/columns`;
    const started = await member.submit(page, action, { ...columns, action: "start" });
    expect(started.status).toBe(303);
    await expect.poll(() => isTried("listing")).toBe(true);
    expect(await database.prisma.listing.count()).toBe(0);
    await makeSpace("listing");
    const done = async () => (await harmonizations())[0]?.state;
    await expect.poll(done, { interval: 200 }).toBe("ready");
    const listings = await database.prisma.listing.findMany();
    expect(listings.map(({ status }) => status)).toEqual(["asked", "asked"]);
  });
});
