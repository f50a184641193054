import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "csv-parse/sync";
import { beforeAll, expect, test } from "vitest";
import { connect } from "../../../src/db/connections.ts";
import { startEmbedded } from "../../../src/db/embedded/embedded.ts";
import { dataFolder } from "../../support/samespot.ts";
import { type Ended, runCommand } from "../samespot-command.ts";

const folder = dataFolder();
const at = (name: string) => path.join(folder, name);
const caches = at("caches/samespot/places");
// What is set here is of a server, which this command has nothing to do with.
const ENV = {
  XDG_CACHE_HOME: at("caches"),
  BASE_URL: "http://127.0.0.1:9",
  DATABASE_URL: "postgresql://127.0.0.1:9/none",
};

/** Ids as lists have them; an empty one is given by the line. */
const IDS = [
  ...[
    "17",
    "0017",
    "node/1234567",
    "urn:place:7",
    "a b",
    "Ö-12",
    "店-1",
    "100%",
    "it's (new)!*~",
    "a:2F",
    "+1.5e3",
    "",
  ],
  "https://stores.example/locator/new-york/manhattan/west-14th-street/1234",
  "x".repeat(64),
  "x".repeat(65),
];
const TOO_LONG = 64;
const shopOf = (index: number) => ({ name: `${NAMES[index]} Bakery`, lat: 41 + index / 10, lng: -71.5 });
const csvOf = (rows: Record<string, string | number>[]) =>
  [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))].map((cells) => `${cells.join()}\n`).join("");
const NAMES = "Amber Birch Cedar Delta Elder Fern Gorse Hazel Iris Juniper Kestrel Linden Maple Nettle Oak".split(" ");

let first: Ended;
/** Folder of its places. */
let home: string;
beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(at("places.csv"), csvOf(IDS.map((id, index) => ({ id, ...shopOf(index) }))));
  const twice = "id,name,lat,lng\n1,Amber Bakery,41,-71.5\n1,Birch Bakery,41.1,-71.5\n2,Far,191,-71.5\n";
  writeFileSync(at("twice.csv"), twice);
  writeFileSync(at("list.csv"), csvOf(IDS.map((_, index) => ({ no: index, ...shopOf(index) }))));
  first = await against("places.csv");
  home = path.join(caches, readdirSync(caches)[0] ?? "");
});

const against = (places: string, more: string[] = []) =>
  runCommand(ENV, ["harmonize", at("list.csv"), "--against", at(places), "-o", at("out.csv"), "--json", ...more]);
const written = () => parse(readFileSync(at("out.csv")), { columns: true, bom: true }) as Record<string, string>[];

test("F129: ids of places come back as their file has them, or as the line of those that have none or a long one", () => {
  expect(first.code, first.stderr).toBe(0);
  const wanted = IDS.map((id, index) => (id === "" || id.length > TOO_LONG ? `line ${index + 2}` : id));
  expect(written().map(({ venue_id }) => venue_id)).toEqual(wanted);
  expect(written().map(({ candidate_1_id }) => candidate_1_id)).toEqual(wanted);
  expect(JSON.parse(first.stdout)).toMatchObject({ listings: IDS.length, matched: IDS.length, output: at("out.csv") });
  expect(JSON.parse(first.stdout)).not.toHaveProperty("page");
});

test("F129: a second run with the same places, under any name, does not read them again, and is another run", async () => {
  copyFileSync(at("places.csv"), at("renamed.csv"));
  const { stdout, stderr } = await against("renamed.csv", ["--accept-from", "0.9"]);
  expect(stderr).not.toContain("Reading the places");
  const run = JSON.parse(stdout).harmonization;
  expect(run).not.toBe(JSON.parse(first.stdout).harmonization);
});

test("F129: of a list nothing stays on the machine but the file that was asked for", async () => {
  const { url, stop } = await startEmbedded({ dir: home });
  const client = await connect({ connectionString: url });
  const { rows } = await client.query(
    "SELECT (SELECT count(*) FROM app.harmonization) AS runs, (SELECT count(*) FROM app.listing) AS listings",
  );
  await client.end();
  await stop();
  expect(rows).toEqual([{ runs: "0", listings: "0" }]);
});

test("F129: two places with one id are said, and so is a place that cannot be used", async () => {
  const { stderr } = await against("twice.csv");
  expect(stderr).toContain("1 line with an id that an earlier one has");
  expect(stderr).toContain("1 line left out, such as line 4: lat “191” is not on earth");
});

test.each([
  [["--country", "US"], "--country needs --against: the file of places."],
  [["--against-columns", "id=1"], "--against-columns needs --against: the file of places."],
  [["--against", at("none.csv")], `There is no file ${at("none.csv")}. Give the file of places with --against.`],
  [["--against", at("list.csv"), "--country", "US"], "--country is for Parquet files of Overture or Foursquare only."],
  [["--against", at("list.csv"), "--user", "fay"], "cannot be used with option '--user <handle>'"],
])("%j ends with what to do about it", async (args, message) => {
  const { code, stderr } = await runCommand(ENV, ["harmonize", at("list.csv"), "-o", at("not.csv"), ...args]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(existsSync(at("not.csv"))).toBe(false);
});

test("places that no run has used for 30 days are removed, and others stay", async () => {
  const recent = path.join(caches, "recent");
  mkdirSync(recent);
  writeFileSync(path.join(recent, "used"), "");
  for (const [folder, days] of [
    [home, 31],
    [recent, 29],
  ] as const) {
    const at = new Date(Date.now() - days * 86_400_000);
    utimesSync(path.join(folder, "used"), at, at);
  }
  await against("twice.csv");
  expect([existsSync(home), existsSync(recent)]).toEqual([false, true]);
});
