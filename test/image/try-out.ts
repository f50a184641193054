// Starts the image of run.ts as in compose.yaml, with a PostgreSQL, and uses it. Runs in its own namespaces.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { openDatabase } from "../../src/db/database.ts";
import { startEmbedded } from "../../src/db/embedded/embedded.ts";
import { addUser } from "../../src/directory/users.ts";
import { ACCOUNTS, type Account, SETTINGS } from "../screenshots/content.ts";
import { openPages } from "../screenshots/open-pages.ts";
import { check, FailedCheck } from "./check.ts";
import { run } from "./command.ts";
import { type Container, type ImageConfig, openContainer } from "./container.ts";
import { VERSION } from "./version.ts";

export interface TryOut {
  /** Path of the image's files. */
  root: string;
  config: ImageConfig;
  environment: Record<string, string>;
}

/** More than a busy machine needs to add the sample. */
const SAMPLE_MS = 300_000;

const { root, config, environment }: TryOut = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
run("ip", ["link", "set", "lo", "up"]);
const database = await startEmbedded({ dir: path.join(tmpdir(), "server") });
try {
  await tryAll();
  await tryWorker();
} catch (error) {
  if (!(error instanceof FailedCheck)) throw error;
  process.exitCode = 1;
} finally {
  await database.stop();
}
process.exit(); // after a failed check its container still runs; it ends with our namespace

/** All roles, as in compose.yaml; with the sample, so that pages have something to show. */
async function tryAll(): Promise<void> {
  const container = open(SETTINGS);
  const service = container.start();
  await check("the container becomes healthy", () => untilHealthy(container, service));
  await check("the web app shows its first page", () => page("http://localhost:3000/", "Log in"));
  await check("the directory shows its log-in page", () => page("http://localhost:3001/login", 'name="password"'));
  await check("samespot --version prints what the image was built of", async () =>
    assert.equal(await samespot(container, ["--version"]), `${VERSION}\n`),
  );
  const demo = await check("the container adds the sample", () => untilDemo(service));
  await check("every page opens", () => openAll(demo));
  await check("a new application finds an imported venue", () => importAndSearch(container));
  await check("SIGTERM ends the container with exit code 0", async () =>
    assert.equal(await service.stop(), 0, service.output()),
  );
}

/** A worker has no clients, so its health depends on its own work. */
async function tryWorker(): Promise<void> {
  const container = open({ ROLES: "worker" });
  const service = container.start();
  await check("a container with only the worker becomes healthy", () => untilHealthy(container, service));
  await check("SIGTERM ends the worker's container with exit code 0", async () =>
    assert.equal(await service.stop(), 0, service.output()),
  );
  await check("a container without a process is not healthy", async () =>
    assert.equal(await container.isHealthy(), false),
  );
}

function open(more: Record<string, string>): Container {
  return openContainer(root, config, { ...environment, DATABASE_URL: database.url, ...more });
}

async function untilHealthy(container: Container, service: ReturnType<Container["start"]>): Promise<void> {
  for (const begun = performance.now(); !(await container.isHealthy()); await after(1000)) {
    const isLate = performance.now() - begun > config.Healthcheck.StartPeriod / 1e6;
    if (isLate || service.hasEnded()) throw new Error(`It is not healthy:\n${service.output()}`);
  }
}

/** Returns the account that is printed once all is there. */
async function untilDemo(service: ReturnType<Container["start"]>): Promise<Account> {
  for (
    const begun = performance.now();
    performance.now() - begun < SAMPLE_MS && !service.hasEnded();
    await after(500)
  ) {
    const [, handle, password] = /^Demo account: (\S+) \/ (\S+)$/m.exec(service.output()) ?? [];
    if (handle && password) return { handle, password };
  }
  throw new Error(`There is no demo account:\n${service.output()}`);
}

async function page(url: string, has: string): Promise<string> {
  const answer = await fetch(url);
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  assert.ok(text.includes(has), text);
  return text;
}

async function samespot(container: Container, command: string[], input?: string): Promise<string> {
  const { code, stdout, stderr } = await container.exec(["samespot", ...command], input === undefined ? {} : { input });
  assert.equal(code, 0, `samespot ${command.join(" ")}\n${stdout}${stderr}`);
  return stdout;
}

async function importAndSearch(container: Container): Promise<void> {
  writeFileSync(path.join(container.inside, "data/venues.csv"), "name,lat,lng\nThe Grange,41.82,-71.42\n");
  await samespot(container, ["import", "/data/venues.csv"]);
  await samespot(container, ["user", "add", "--handle", "ada", "--password-stdin"], "a long password");
  const added = ["--owner", "ada", "--name", "Try", "--redirect-uri", "http://localhost:8080/callback", "--json"];
  const application = JSON.parse(await samespot(container, ["application", "add", ...added]));
  const query = new URLSearchParams({ v: "20260101", ll: "41.82,-71.42", query: "grange", ...application });
  await page(`http://localhost:3002/v2/venues/search?${query}`, "The Grange");
}

async function openAll(demo: Account): Promise<void> {
  const { prisma, close } = openDatabase(database.url);
  for (const account of Object.values(ACCOUNTS)) await addUser({ prisma }, account); // a command takes seconds
  await close();
  const hosts = { app: "http://localhost:3000", auth: "http://localhost:3001", api: "http://localhost:3002" };
  const { opened, problems } = await openPages(hosts, demo);
  assert.deepEqual(problems, []);
  assert.ok(opened > 100, `only ${opened} pages were opened`);
}
