import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, describe, expect, inject, it } from "vitest";
import { type Database, openDatabase } from "../../../src/db/database.ts";
import { migrate } from "../../../src/db/migrate.ts";
import { type DatabaseUrls, separatePrograms } from "../../../src/db/roles.ts";
import { testDatabase } from "../../support/database/database.ts";
import { restartable } from "../../support/outages/restartable.ts";
import { startUnseeingPooler } from "./unseeing-pooler.ts";

const DENIED = { code: "42501" };
const DENIED_TO_PRISMA = { meta: { driverAdapterError: { cause: { originalCode: "42501" } } } };

const READY = Array(3).fill({ status: "ready", problems: [] });

const { url } = await testDatabase();
const urls = await separatePrograms(url);
const app = open(urls.app);
const directory = open(urls.directory);

function open(address: string): Database {
  const database = openDatabase(address);
  afterAll(database.close);
  return database;
}

describe("S11: the separation of the programs in the database", () => {
  it("S11: refuses the web app a statement on a directory table, and the directory one on an app table", async () => {
    for (const table of ["directory.user", "directory.venue", "directory.token", "directory.vault_key"])
      await expect(app.pool.query(`SELECT FROM ${quoted(table)}`)).rejects.toMatchObject(DENIED);
    for (const table of ["app.account", "app.connection", "app.client_credential", "pgboss.job"])
      await expect(directory.pool.query(`SELECT FROM ${quoted(table)}`)).rejects.toMatchObject(DENIED);
    await expect(app.pool.query("DELETE FROM directory.venue")).rejects.toMatchObject(DENIED);
    await expect(directory.pool.query("UPDATE app.account SET role = 'admin'")).rejects.toMatchObject(DENIED);
  });

  it("S11: refuses Prisma as well, in raw SQL and through its models", async () => {
    await expect(app.prisma.user.findMany({ select: { passwordHash: true } })).rejects.toMatchObject(DENIED_TO_PRISMA);
    await expect(app.prisma.$queryRaw`SELECT FROM directory.venue`).rejects.toMatchObject(DENIED_TO_PRISMA);
    await expect(directory.prisma.account.findMany()).rejects.toMatchObject(DENIED_TO_PRISMA);
    await expect(directory.prisma.$executeRaw`DELETE FROM app.session`).rejects.toMatchObject(DENIED_TO_PRISMA);
  });

  it("S11: survives RESET ROLE, RESET ALL and DISCARD ALL", async () => {
    const client = await app.pool.connect();
    try {
      for (const statement of ["RESET ROLE", "RESET ALL", "DISCARD ALL"]) {
        await client.query(statement);
        await expect(client.query("SELECT FROM directory.venue")).rejects.toMatchObject(DENIED);
      }
    } finally {
      client.release();
    }
  });

  it("S11: forbids either program to change tables, create any in public, or run the owner functions of the other", async () => {
    for (const { pool } of [app, directory]) {
      await expect(pool.query("CREATE TABLE public.mine ()")).rejects.toMatchObject(DENIED);
      await expect(pool.query("DELETE FROM public._prisma_migrations")).rejects.toMatchObject(DENIED);
    }
    await expect(app.pool.query("ALTER TABLE app.account ADD mine text")).rejects.toMatchObject(DENIED);
    await expect(app.pool.query("SELECT directory.analyze_places()")).rejects.toMatchObject(DENIED);
    await expect(directory.pool.query("SELECT app.analyze_listings()")).rejects.toMatchObject(DENIED);
  });

  it("S11: gives the roles of one database no right in another database of the same server", async () => {
    const other = await testDatabase();
    const theirs = await separatePrograms(other.url);
    expect(theirs.app).not.toContain(roleOf(urls.app));
    const stranger = new URL(urls.app);
    stranger.pathname = new URL(other.url).pathname;
    await expect(open(stranger.href).pool.query("SELECT FROM app.account")).rejects.toMatchObject(DENIED);
    await expect(open(theirs.app).pool.query("SELECT FROM app.account")).resolves.toMatchObject({ rowCount: 0 });
  });
});

describe("the database roles of the programs", () => {
  it("are created once by concurrent set-ups", async () => {
    const { url } = await testDatabase({ template: "none" });
    const setUp = async () => {
      await migrate(url);
      return separatePrograms(url);
    };
    const all = await Promise.all([setUp(), setUp(), setUp(), setUp()]);
    expect(new Set(all.map(({ app, directory }) => `${app} ${directory}`)).size).toBe(1);
    expect(roleOf(all[0]?.app ?? "")).toMatch(/_app$/);
  });

  it("receive rights on the tables of later migrations, and stay unchanged if those rights exist", async () => {
    const owner = open(url);
    const versions = () => owner.pool.query("SELECT relname, xmin FROM pg_class WHERE relacl IS NOT NULL ORDER BY 1");
    const { rows: before } = await versions();
    expect(await separatePrograms(url)).toEqual(urls);
    expect((await versions()).rows).toEqual(before);
    await owner.pool.query("CREATE TABLE app.later (id serial)");
    await expect(app.pool.query("INSERT INTO app.later DEFAULT VALUES")).rejects.toMatchObject(DENIED);
    await separatePrograms(url);
    await app.pool.query("INSERT INTO app.later DEFAULT VALUES");
    await owner.pool.query("DROP TABLE app.later");
  });

  it("work beside other options in DATABASE_URL, which are kept", async () => {
    const own = new URL(url);
    own.searchParams.set("options", "-c geqo=off");
    const { pool } = open((await separatePrograms(own.href)).app);
    const { rows } = await pool.query(
      "SELECT current_user AS role, current_setting('geqo') AS geqo, current_setting('plan_cache_mode') AS plans",
    );
    expect(rows).toEqual([{ role: roleOf(urls.app), geqo: "off", plans: "force_generic_plan" }]);
  });

  it("are not used when an existing role may log in or has rights on both schemas", async () => {
    const { url } = await testDatabase();
    const owner = open(url);
    const name = new URL(url).pathname.slice(1);
    await owner.pool.query(`CREATE ROLE "${name}_app" LOGIN`);
    expect(await obstacleAt(url)).toContain(`the role ${name}_app may log in`);
    await owner.pool.query(`ALTER ROLE "${name}_app" NOLOGIN`);
    await owner.pool.query(`GRANT USAGE ON SCHEMA directory TO "${name}_app"`);
    expect(await obstacleAt(url)).toContain(`the role ${name}_app has rights on the schema directory`);
    await owner.pool.query(`REVOKE USAGE ON SCHEMA directory FROM "${name}_app"`);
    expect(await obstacleAt(url)).toBeUndefined();
  });

  it("S11: are not used behind a pooler that drops startup options, where both programs share one role", async () => {
    const pooler = await startUnseeingPooler(url);
    afterAll(pooler.close);
    expect(await obstacleAt(pooler.url)).toContain("connections do not get the requested role");
    const { app: shared } = await separatePrograms(pooler.url);
    expect(shared).toBe(pooler.url);
  });
});

describe("the first start with a restricted database user", () => {
  it("S11: uses one role for both programs, logs that once, and uses two after an administrator creates them", async () => {
    const { site, admin, name, login } = await siteOf("NOCREATEROLE");
    const begun = await site.start();
    expect(await site.ready()).toEqual(READY);
    const told = site.logs.lines.filter((line) => line.includes("share one database role"));
    expect(told).toEqual([expect.stringContaining("permission denied to create role")]);
    expect(await ownerOfQueue(admin)).toBe(login);
    await begun.close();

    await admin.query(`CREATE ROLE "${name}_app"; CREATE ROLE "${name}_directory"`);
    await admin.query(`GRANT "${name}_app", "${name}_directory" TO "${login}"`);
    const again = await site.start();
    expect(await site.ready()).toEqual(READY);
    expect(site.logs.lines.filter((line) => line.includes("share one database role"))).toEqual(told);
    expect(await ownerOfQueue(admin)).toBe(`${name}_app`);
    await again.close();

    // As in docs/operations.md.
    await admin.query(`REASSIGN OWNED BY "${name}_app" TO "${login}"`);
    await admin.query(`DROP OWNED BY "${name}_app", "${name}_directory"`);
    await admin.query(`DROP ROLE "${name}_app", "${name}_directory"`);
    const alone = await site.start();
    expect(await site.ready()).toEqual(READY);
    expect(await ownerOfQueue(admin)).toBe(login);
    await alone.close();
  });

  it("creates both roles when the user may create roles, without being a superuser", async () => {
    const { site, admin, name } = await siteOf("CREATEROLE");
    const begun = await site.start();
    expect(await site.ready()).toEqual(READY);
    expect(site.logs.text()).not.toContain("share one database role");
    expect(await ownerOfQueue(admin)).toBe(`${name}_app`);
    await begun.close();
  });
});

/** Creates a database owned by a login with these rights. Returns also a superuser's connection. */
async function siteOf(rights: string) {
  const { url: template, drop } = await testDatabase({ template: "none" });
  await drop();
  const name = new URL(template).pathname.slice(1);
  const login = `${name}_login`;
  const password = randomBytes(9).toString("hex");
  const server = new pg.Client(inject("run").url);
  await server.connect();
  await server.query(`CREATE ROLE "${login}" LOGIN PASSWORD '${password}' ${rights}`);
  await server.query(`CREATE DATABASE "${name}" OWNER "${login}"`);
  await server.end();
  const admin = new pg.Client(template);
  await admin.connect();
  afterAll(() => admin.end());
  const own = new URL(template);
  own.username = login;
  own.password = password;
  return { site: await restartable({ url: own.href }, { SAMPLE_DATA: "off" }), admin, name, login };
}

async function ownerOfQueue(admin: pg.Client): Promise<string | undefined> {
  const { rows } = await admin.query("SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'pgboss'");
  expect(rows).toHaveLength(1);
  return rows[0]?.tableowner;
}

async function obstacleAt(address: string): Promise<string | undefined> {
  const said: string[] = [];
  await separatePrograms(address, (message) => said.push(message));
  return said[0];
}

const quoted = (table: string): string =>
  table
    .split(".")
    .map((part) => `"${part}"`)
    .join(".");

const roleOf = (address: DatabaseUrls["app"]): string | undefined =>
  new URL(address).searchParams.get("options")?.match(/role=(\S+)/)?.[1];
