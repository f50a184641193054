import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "csv-parse/sync";
import { beforeEach, expect, test } from "vitest";
import { checkFiles } from "../../../src/cli/harmonize/files.ts";
import { testDatabase } from "../../support/database/database.ts";
import { answers, hangs, usual } from "../../support/fake-directory/behaviours.ts";
import { dataFolder, freeAddresses } from "../../support/samespot.ts";
import { startWeb } from "../../web/web-app.ts";
import { runCommand, spawnCommand } from "../samespot-command.ts";

const KEYS = Buffer.alloc(32, "key of a test").toString("base64");
const web = await startWeb({ env: { ENCRYPTION_KEYS: KEYS } });
const { prisma } = web.database;
const folder = dataFolder();
mkdirSync(folder, { recursive: true });
const ENV = {
  ...{ DATABASE_URL: web.config.databaseUrl ?? "", DATA_DIR: folder, ENCRYPTION_KEYS: KEYS, SESSION_SECRETS: KEYS },
  ...{ AUTH_URL: web.directory.authUrl, BASE_URL: web.directory.baseUrl },
  ...{ CLIENT_ID: web.directory.client.id, CLIENT_SECRET: web.directory.client.secret },
};

const OUT = path.join(folder, "out.csv");
function write(name: string, text: string): string {
  writeFileSync(path.join(folder, name), text);
  return path.join(folder, name);
}
const SHOPS = write("shops.csv", 'id;name;lat;lng\n7;"Corner Coffee";41.8236;-71.4222\n8;"";41.82;-71.4\n');
const harmonize = (args: string[], env: Record<string, string> = ENV) =>
  runCommand(env, ["harmonize", ...args, "-o", OUT]);

beforeEach(async () => {
  await prisma.harmonization.deleteMany();
  web.directory.reset();
  web.directory.behave("/healthz", answers(200, { status: "alive" }));
});

test("F30: latitudes beyond the poles are reported on standard error and in the summary", async () => {
  const rows = Array.from({ length: 6 }, (_, index) => `${index};Shop ${index};-${121 + index};37.${index}`);
  const file = write("swapped.csv", `id;name;lat;lng\n${rows.join("\n")}\n`);
  const { stdout, stderr } = await harmonize([file, "--columns", "lat=lat,lng=lng", "--json"]);
  expect(stderr).toContain("Latitude and longitude seem to be swapped. 6 of 6 rows have a latitude beyond 90 degrees");
  expect(stderr).toContain("Until then no venues are added.");
  expect(JSON.parse(stdout)).toMatchObject({ failed: 6, positions: expect.stringContaining("seem to be swapped") });
  expect(stderr).toContain("run this command with --again and other --columns");
});

test("positions not compared with the directory in time are reported on standard error and in the summary", async () => {
  const rows = Array.from({ length: 6 }, (_, index) => `${index};;41.8${index};-71.4${index};Pawtucket`);
  const file = write("unchecked.csv", `id;name;lat;lng;city\n${rows.join("\n")}\n`);
  web.directory.behave("/v2/venues/*", answers(500, "{}")); // rows without a name need no answer
  const { stdout, stderr } = await harmonize([file, "--columns", "id=1,name=2,lat=3,lng=4,city=5", "--json"]);
  expect(stderr).toContain("Not all positions could be compared with the directory in time.");
  expect(JSON.parse(stdout)).toMatchObject({ failed: 6, positions_unchecked: true });
});

test("harmonize matches a file with its user's token, writes each row's result, and exits with 1 if rows failed", async () => {
  await web.logIn();
  const { id } = await prisma.account.findFirstOrThrow();
  await prisma.account.update({ where: { id }, data: { handle: "fay" } });
  const { code, stdout, stderr } = await harmonize([SHOPS, "--user", "Fay", "--json"]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  const run = await prisma.harmonization.findFirstOrThrow();
  expect(run).toMatchObject({ accountId: id, name: "shops.csv", state: "ready", directory: web.config.api.url });
  const { seconds, ...summary } = JSON.parse(stdout);
  const counts = { listings: 2, matched: 0, review: 1, none: 0, failed: 1 };
  const page = expect.stringMatching(new RegExp(`^http.*/harmonizations/${run.id}$`));
  expect(summary).toEqual({ harmonization: run.id, page, output: OUT, ...counts });
  const rows = parse(readFileSync(OUT), { columns: true, bom: true, delimiter: ";" }) as Record<string, string>[];
  expect(rows.map((row) => [row.id, row.decision])).toEqual([
    ["7", "review"],
    ["8", "failed"],
  ]);
  expect(existsSync(`${OUT}.part`)).toBe(false);
  const asked = web.directory.requests.filter(({ params }) => params.intent === "match");
  expect(asked.map(({ params }) => [params.oauth_token !== undefined, params.client_id])).toEqual([[true, undefined]]);
});

test("an interrupted run is paused, and the same command resumes it", async () => {
  web.directory.behave("/v2/venues/*", hangs());
  const first = spawnCommand(ENV, ["harmonize", SHOPS, "-o", OUT]);
  const isAsked = () => web.directory.requests.some(({ params }) => params.intent === "match");
  await expect.poll(isAsked).toBe(true);
  expect(await prisma.instance.findMany()).toMatchObject([{ roles: ["worker"] }]);
  first.kill("SIGINT");
  const interrupted = await first.ended;
  expect(interrupted.code).toBe(130);
  expect(interrupted.stderr).toContain("Paused at 1 of 2 rows. Run the same command to resume it.");
  expect(await prisma.instance.count()).toBe(0);
  const { id, ...paused } = await prisma.harmonization.findFirstOrThrow();
  expect(paused).toMatchObject({ accountId: null, state: "matching", pausedFor: "person" });

  web.directory.behave("/v2/venues/*", usual);
  const { stdout } = await harmonize([SHOPS]);
  expect(stdout).toMatch(/^2 rows: 0 matched, 1 to review, 0 without a match, 1 failed \(/);
  expect(stdout).toContain(`/harmonizations/${id}`);
});

test("harmonize starts a directory if none runs, for the records of the configured address", async () => {
  const { url, database } = await testDatabase({ template: "sample" });
  const env = { ...(await freeAddresses()), DATABASE_URL: url, DATA_DIR: folder, ENCRYPTION_KEYS: KEYS };
  const file = write("sample.csv", "id,name,latitude,longitude\nA,Slater Mill Historic Site,41.8773,-71.3835\n");
  const { code, stdout } = await harmonize([file, "--format", "mapping-ndjson", "--json"], env);
  expect([code, JSON.parse(stdout).matched]).toEqual([0, 1]);
  const mapping = JSON.parse(readFileSync(OUT, "utf8"));
  expect(mapping).toMatchObject({ listing_id: "A", venue_name: "Slater Mill Historic Site", decision: "matched" });
  expect(await database.prisma.harmonization.findFirst()).toMatchObject({ directory: env.BASE_URL });
});

test("an impossible command exits with 2 and a message", async () => {
  const { code, stderr } = await harmonize([path.join(folder, "missing.csv"), "--json"]);
  expect([code, JSON.parse(stderr).error]).toEqual([2, expect.stringContaining("There is no file ")]);
});

test("an output file whose name tells no format is refused before anything is matched", async () => {
  const { code, stderr } = await runCommand(ENV, ["harmonize", SHOPS, "-o", path.join(folder, "out.doc")]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("Let it end in .csv, .xlsx, .geojson")]);
  expect(await prisma.harmonization.count()).toBe(0);
});

test("an unreadable input or unwritable output file gets a message", () => {
  const problem = (file: string, output: string) => () => checkFiles({ file, outputs: [{ option: "-o", output }] });
  expect(problem(folder, OUT)).toThrow("is a folder. Give your file");
  expect(problem(SHOPS, path.join(folder, "none/out.csv"))).toThrow("There is no folder");
  expect(problem(SHOPS, folder)).toThrow("is a folder. Give a file name with -o");
  expect(problem(SHOPS, OUT)).not.toThrow();
});
