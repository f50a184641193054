import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, inject } from "vitest";
import { type Database, openDatabase, PATIENT_CONNECT_MS } from "../../../src/db/database.ts";
import { storeCategories } from "../../../src/directory/categories/store.ts";
import { hashPassword } from "../../../src/directory/passwords.ts";
import { createDemo } from "../../../src/directory/sample/demo-checkins.ts";
import { importSample } from "../../../src/directory/sample/import-sample.ts";
import { DEMO_HANDLE } from "../../../src/directory/users.ts";
import { noteNormalization } from "../../../src/directory/venues/renormalize.ts";
import { CITUS_URL, createOnCitus, dropOnCitus } from "./citus.ts";

/** Fills a freshly migrated database. `url` is for code that needs its own connection, such as for COPY. */
export type Fill = (database: Database, url: string) => Promise<void>;

/** Templates besides the empty one. Each is filled once per test run, on a copy of another, when a test file first asks for it. */
const TEMPLATES: Record<string, { on?: string; fill: Fill }> = {
  categories: { fill: ({ prisma }) => storeCategories(prisma) },
  sample: { fill: fillSample },
  demo: { on: "sample", fill: fillDemo },
};

/** The password of the demo account in the template "demo". */
export const DEMO_PASSWORD = "demo of the tests";

/** The sample venues and the category tree, without users, as a first start leaves them: it has nothing to normalize again. */
async function fillSample({ prisma, pool }: Database): Promise<void> {
  await noteNormalization(pool);
  await importSample({ prisma, pool, log: () => {} });
}

/** The demo account and its check-ins, which each start would make anew. */
async function fillDemo({ prisma }: Database): Promise<void> {
  const passwordHash = await hashPassword(DEMO_PASSWORD);
  await createDemo({ prisma, handle: DEMO_HANDLE, passwordHash, now: new Date() });
}

export interface TestDatabase {
  url: string;
  database: Database;
  /** By default it is dropped after the file's last test. */
  drop(): Promise<void>;
}

interface Options {
  /** A name in TEMPLATES, or "none" for a database without migrations. By default it is migrated and empty. */
  template?: string;
  log?: (message: string) => void;
  /** Not on the Citus cluster either. */
  onOneServer?: boolean;
}

/** Clones a database for this test file from a template, or makes one with Citus (npm run citus). Call it at the top of the file. */
export async function testDatabase({ template, log, onOneServer }: Options = {}): Promise<TestDatabase> {
  if (CITUS_URL && template !== "none" && !onOneServer) return distributedDatabase(template, log);
  const source = await sourceOf(template);
  const name = randomBytes(6).toString("hex");
  // Twice as fast as through the log, as the server of the tests never waits for a disk.
  const create = `CREATE DATABASE ${full(name)} TEMPLATE ${source} STRATEGY file_copy`;
  await onServer((client) => client.query(create));
  const url = urlOf(name);
  const database = openDatabase(url, { ...PATIENT, ...(log && { log }) });
  const drop = async () => {
    await database.close();
    await onServer((client) => client.query(`DROP DATABASE IF EXISTS ${full(name)} WITH (FORCE)`));
  };
  afterAll(drop);
  return { url, database, drop };
}

/** The machine may be busy with other tests. */
const PATIENT = { patience: 10_000, connectMs: PATIENT_CONNECT_MS };

async function distributedDatabase(template: string | undefined, log?: Options["log"]): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const url = await createOnCitus(name);
  const filling = openDatabase(url, { patience: 60_000, isDistributed: true });
  await fillAll(template, filling, url).finally(filling.close);
  const database = openDatabase(url, { ...PATIENT, ...(log && { log }), isDistributed: true });
  const drop = () => database.close().then(() => dropOnCitus(name));
  afterAll(drop);
  return { url, database, drop };
}

async function fillAll(template: string | undefined, database: Database, url: string): Promise<void> {
  const { on, fill } = TEMPLATES[template ?? ""] ?? {};
  if (on) await fillAll(on, database, url);
  await fill?.(database, url);
}

async function sourceOf(template: string | undefined): Promise<string> {
  if (template === "none") return "template1";
  if (template === undefined) return full("migrated");
  const known = TEMPLATES[template];
  if (!known)
    throw new Error(`There is no template "${template}". Add it to TEMPLATES in test/support/database/database.ts.`);
  return full(await filledTemplate(template, known.fill, await sourceOf(known.on)));
}

/** Makes the template as a copy of `source` unless it exists. Concurrent callers wait. */
export async function filledTemplate(name: string, fill: Fill, source = full("migrated")): Promise<string> {
  await onServer(async (client) => {
    await client.query("SELECT pg_advisory_lock(hashtext($1))", [full(name)]); // until the connection ends
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [full(name)]);
    if (rowCount) return;
    const building = `${name}_building`;
    await client.query(`DROP DATABASE IF EXISTS ${full(building)} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${full(building)} TEMPLATE ${source}`);
    const database = openDatabase(urlOf(building), { patience: 60_000 });
    await fill(database, urlOf(building)).finally(database.close);
    await client.query(`ALTER DATABASE ${full(building)} RENAME TO ${full(name)}`);
  });
  return name;
}

const full = (name: string) => `${inject("run").prefix}${name}`;

function urlOf(name: string): string {
  const url = new URL(inject("run").url);
  url.pathname = full(name);
  return url.href;
}

async function onServer<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(inject("run").url);
  await client.connect();
  return work(client).finally(() => client.end());
}
