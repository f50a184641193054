import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { answers } from "../../support/fake-directory/behaviours.ts";
import { dataFolder } from "../../support/samespot.ts";
import { startWeb } from "../../web/web-app.ts";
import { runCommand } from "../samespot-command.ts";

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

const at = (name: string) => path.join(folder, name);
const ids = (rows: unknown): string[] => (rows as { id: string }[]).map(({ id }) => id);

test("F120: of 1,000 rows the 77 changed, 60 new and 20 removed are listed to the row, by command line and by page", async () => {
  web.directory.behave("/healthz", answers(200, { status: "alive" }));
  web.directory.offerMatch();
  const browser = await web.logIn();
  const { id: owner } = await prisma.account.findFirstOrThrow();
  await prisma.account.update({ where: { id: owner }, data: { handle: "fay" } });
  const row = (number: number, name = `Shop ${number}`) =>
    `S${number},${name},${(41 + number / 1000).toFixed(4)},-71.4`;
  const numbers = Array.from({ length: 1000 }, (_, index) => index + 1);
  const file = (name: string, rows: string[]) => {
    writeFileSync(at(name), `id,name,lat,lng\n${rows.join("\n")}\n`);
    return at(name);
  };
  const harmonize = async (name: string, rows: string[], more: string[] = []) => {
    const args = [file(name, rows), "-o", at(`out-${name}`), "--user", "fay", "--json", ...more];
    const { stdout, stderr } = await runCommand(ENV, ["harmonize", ...args]);
    return JSON.parse(stdout || stderr);
  };
  const first = await harmonize(
    "june.csv",
    numbers.map((number) => row(number)),
  );
  const decided = { decision: "matched", decidedHow: "person", decidedBy: owner, venueId: "v1" } as const;
  await prisma.listing.updateMany({ where: { harmonizationId: first.harmonization }, data: decided });

  const removed = numbers.filter((number) => number % 50 === 7);
  const changed = numbers.filter((number) => number % 11 === 3 && !removed.includes(number)).slice(0, 77);
  const added = Array.from({ length: 60 }, (_, index) => 9001 + index);
  const rows = numbers
    .filter((number) => !removed.includes(number))
    .map((number) => row(number, changed.includes(number) ? `Shop ${number} & Sons` : undefined));
  const now = [...rows.slice(0, 400), ...added.map((number) => row(number, "New shop")), ...rows.slice(400)];
  const lists = ["--new", at("new.json"), "--changed", at("changed.csv"), "--removed", at("removed.ndjson")];
  const into = { id: "v2", name: "The Venue", location: { lat: 41.5, lng: -71.4 }, categories: [] };
  web.directory.behave("/v2/venues/v1", answers(200, { meta: { code: 200 }, response: { venue: into } }));
  const changes = ["--venue-changes", at("venues.json")];
  const second = await harmonize("july.csv", now, ["--previous", first.harmonization, ...lists, ...changes]);
  expect(second.venue_changes).toEqual({ merged: 1 });
  expect(second.edition).toEqual({ unchanged: 903, new: 60, changed: 77, removed: 20 });
  const own = (numbers: number[]) => numbers.map((number) => `S${number}`);
  const want = [own(added), own(changed), own(removed)];
  const lines = readFileSync(at("removed.ndjson"), "utf8").trim().split("\n");
  expect([
    ids(JSON.parse(readFileSync(at("new.json"), "utf8"))),
    ids(parse(readFileSync(at("changed.csv")), { columns: true, bom: true })),
    ids(lines.map((line) => JSON.parse(line))),
  ]).toEqual(want);

  const page = (await browser.get(`/harmonizations/${second.harmonization}`)).body;
  const said = /<p class="muted small">(A new edition of .*?)<\/p>/.exec(page)?.[1] ?? "";
  expect(said.replace(/<[^>]*>/g, "")).toBe(
    "A new edition of june.csv: 903 unchanged (903 with their decisions), 77 changed, 60 new, 20 removed. Changes at their venues",
  );
  const hrefs = [...said.matchAll(/href="([^"#]*)#listings"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"));
  const shown = await Promise.all(
    [1, 0, 2].map(async (list) => {
      const href = hrefs[list] ?? "";
      const [path = "", query] = href.split("?");
      return ids(JSON.parse((await browser.get(`${path}/export?format=json&${query}`)).body));
    }),
  );
  expect(shown).toEqual(want);
  const merged: Record<string, unknown>[] = JSON.parse(readFileSync(at("venues.json"), "utf8"));
  const kept = numbers.filter((number) => !removed.includes(number) && !changed.includes(number));
  expect(merged.map((row) => row.listing_id)).toEqual(own(kept));
  expect(merged[0]).toMatchObject({ venue_id: "v1", change: "merged", venue_id_now: "v2" });
  const download = (await browser.get(`/harmonizations/${second.harmonization}/changes/download?format=json`)).body;
  expect(JSON.parse(download)).toEqual(merged);
  const waiting = (await browser.get(`${hrefs[0]}&show=review&narrow=1`)).body;
  expect(waiting).toMatch(/Changed in this edition/);
  const review = await browser.get(
    `/harmonizations/${second.harmonization}/export?format=json&edition=changed&show=review`,
  );
  expect(ids(JSON.parse(review.body)), "all wait for a person").toEqual(own(changed));
});

test("a list of an edition needs a previous one, and a file of its own", async () => {
  writeFileSync(at("a.csv"), "id,name,lat,lng\n1,A,41.8,-71.4\n");
  const args = (more: string[]) => runCommand(ENV, ["harmonize", at("a.csv"), "-o", at("o.csv"), "--json", ...more]);
  expect((await args(["--new", at("n.csv")])).stderr).toContain("--new needs --previous");
  const twice = ["--previous", "6a0b0c0d-0000-4000-8000-000000000001", "--removed", at("o.csv")];
  expect((await args(twice)).stderr).toContain("is given for two files to write");
  expect((await args(["--venue-changes", at("v.xlsx")])).stderr).toContain("ends in .csv or .json");
  expect((await args(["--venue-changes", at("o.csv")])).stderr).toContain("is given for two files to write");
});
