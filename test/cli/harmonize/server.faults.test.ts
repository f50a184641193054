import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "csv-parse/sync";
import { beforeAll, expect, test } from "vitest";
import { runningApps } from "../../attacks/running-apps.ts";
import { dataFolder } from "../../support/samespot.ts";
import { serveSite } from "../../support/site.ts";
import { programOf, tokenOf } from "../../web/api/programs.ts";
import { runCommand } from "../samespot-command.ts";

const samespot = await runningApps({ instances: 1 });
const { database, url: webUrl } = samespot;
const folder = dataFolder();
const OUT = path.join(folder, "out.csv");
let token = "";
let rows: string[] = [];

const write = (name: string, lines: string[]): string => {
  const file = path.join(folder, name);
  writeFileSync(file, `id,name,lat,lng\n${lines.join("\n")}\n`);
  return file;
};

/** Without any setting of a server, so that nothing could be read from one. */
const harmonize = (args: string[], env: Record<string, string> = { SAMESPOT_TOKEN: token }) =>
  runCommand(env, ["harmonize", ...args, "--server", webUrl, "-o", OUT, "--json"]);

const uploads = () => database.prisma.harmonization.count();
const written = () => parse(readFileSync(OUT), { columns: true, bom: true }) as Record<string, string>[];

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  await samespot.logIn(samespot.newBrowser());
  const { id } = await database.prisma.account.findFirstOrThrow();
  token = await tokenOf({ database }, id);
  const found = await database.pool.query<{ id: string; name: string; lat: number; lng: number }>(
    "SELECT id, name, lat, lng FROM directory.venue WHERE name ~ '^[A-Za-z ]{12,}$' ORDER BY id LIMIT 8",
  );
  rows = found.rows.map(({ id, name, lat, lng }) => `${id},${name},${lat},${lng}`);
});

test("W108: a file is matched on a server by a token alone, and the same command again uploads nothing", async () => {
  const file = write("stores.csv", rows);
  const first = await harmonize([file]);
  expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: "" });
  const summary = JSON.parse(first.stdout);
  expect(summary).toMatchObject({ output: OUT, listings: 8, matched: 8, review: 0, none: 0, failed: 0 });
  expect(written().map(({ id, venue_id }) => id === venue_id)).toEqual(rows.map(() => true));
  const before = await uploads();
  const again = await harmonize([file]);
  expect(JSON.parse(again.stdout).harmonization).toBe(summary.harmonization);
  expect(await uploads()).toBe(before);
  const other = await harmonize([file, "--columns", "name=1,id=2"]);
  expect([other.code, JSON.parse(other.stderr).error]).toEqual([2, expect.stringContaining("--again")]);
  const anew = await harmonize([file, "--again", "--columns", "id=none", "--format", "ndjson"]);
  expect([anew.code, await uploads()]).toEqual([0, before + 1]);
});

test("W108: the exit code tells rows that failed from positions that look wrong", async () => {
  const failed = await harmonize([write("failed.csv", [...rows, "x,,41.8,-71.4"])]);
  expect([failed.code, JSON.parse(failed.stdout).failed]).toEqual([1, 1]);
  const swapped = rows.map((row) => row.replace(/([^,]+),([^,]+)$/, "$2,$1"));
  const wrong = await harmonize([write("swapped.csv", swapped), "--columns", "lat=3,lng=4"]);
  expect([wrong.code, JSON.parse(wrong.stdout).positions]).toEqual([3, expect.any(String)]);
});

test("W108: rows that wait for a review end with code 4, or are waited for until somebody has decided them", async () => {
  const [own, name, lat, lng] = (rows[0] ?? "").split(",");
  const doubtful = `y,${name?.split(" ")[0]} ${name?.slice(-4)},${Number(lat) + 0.003},${lng}`;
  const file = write("doubtful.csv", [...rows.slice(1), doubtful]);
  const first = await harmonize([file, "--columns", "id=1"]);
  const { harmonization: id } = JSON.parse(first.stdout);
  // Whatever the match made of it, somebody sends it back.
  const program = programOf(samespot, token);
  const list = {
    decision: "review",
    rows: [{ number: 8, seen: (await program("GET", `/files/${id}/rows/8`)).body.seen }],
  };
  await program("POST", `/files/${id}/decisions/all`, list);
  await database.prisma.listing.updateMany({
    where: { harmonizationId: id, number: 8 },
    data: { score: 0.5, isClear: false, status: "asked" },
  });
  const waiting = await harmonize([file, "--columns", "id=1"]);
  expect([waiting.code, JSON.parse(waiting.stdout).review]).toEqual([4, 1]);
  await database.prisma.apiUse.deleteMany();
  const waited = harmonize([file, "--columns", "id=1", "--wait-for-review"]);
  // By then it has found the file, and asked how far it is.
  const calls = async () => (await database.prisma.apiUse.findFirst())?.calls ?? 0;
  await expect.poll(calls, { timeout: 40_000, interval: 200 }).toBeGreaterThanOrEqual(3);
  await program("POST", `/files/${id}/rows/8/decision`, { decision: "matched", venue_id: own });
  const done = await waited;
  expect([done.code, JSON.parse(done.stdout).review]).toEqual([0, 0]);
  expect(written().at(-1)?.venue_id).toBe(own);
}, 120_000);

test("W108: the next edition brings its lists, and a list of what is no edition is refused", async () => {
  const first = JSON.parse(
    (await harmonize([write("january.csv", rows.slice(0, 6)), "--columns", "id=1"])).stdout,
  ).harmonization;
  const lists = ["new", "removed"].map((list) => path.join(folder, `${list}.csv`));
  const next = await harmonize([
    write("february.csv", rows.slice(1)),
    "--columns",
    "id=1",
    "--previous",
    first,
    "--new",
    lists[0] ?? "",
    "--removed",
    lists[1] ?? "",
  ]);
  expect({ code: next.code, stderr: next.stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(next.stdout).edition).toEqual({ unchanged: 5, changed: 0, new: 2, removed: 1 });
  const counts = lists.map((file) => parse(readFileSync(file), { columns: true, bom: true }).length);
  expect(counts).toEqual([2, 1]);
  const none = await harmonize([write("march.csv", rows.slice(2)), "--previous", "none", "--new", lists[0] ?? ""]);
  expect([none.code, JSON.parse(none.stderr).error]).toEqual([2, expect.stringContaining("--new needs --previous")]);
});

test("W109: a token is never sent in clear to another machine, nor behind a redirect, and a missing or wrong one is said", async () => {
  const file = write("token.csv", rows);
  rmSync(OUT, { force: true });
  const clear = await runCommand({ SAMESPOT_TOKEN: token }, [
    "harmonize",
    file,
    "--server",
    "http://samespot.example.org",
    "-o",
    OUT,
  ]);
  expect([clear.code, clear.stderr]).toEqual([2, expect.stringContaining("Use https.")]);
  const seen: (string | undefined)[] = [];
  const thief = await serveSite((request, response) => {
    seen.push(request.headers.authorization);
    response.end("{}");
  });
  const gate = await serveSite((_request, response) => {
    response.writeHead(307, { location: `${thief}/api/v1/files` }).end();
  });
  const command = runCommand({ SAMESPOT_TOKEN: token }, ["harmonize", file, "--server", gate, "-o", OUT]);
  expect([(await command).code, seen]).toEqual([2, []]);
  expect((await harmonize([file], {})).stderr).toContain("SAMESPOT_TOKEN is not set");
  const wrong = await harmonize([file], { SAMESPOT_TOKEN: `sspat_${"x".repeat(43)}` });
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("unknown")]);
  expect(wrong.stderr).not.toContain("xxxx");
});
