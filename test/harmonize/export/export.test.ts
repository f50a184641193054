import { parse } from "csv-parse/sync";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../../src/db/database.ts";
import { exportText } from "../../../src/harmonize/export/export.ts";
import { type ExportFormat, exportFile } from "../../../src/harmonize/export/formats.ts";
import { inLanguage } from "../../../src/language/translate.ts";
import { testDatabase } from "../../support/database/database.ts";
import { type MadeListing, makeAccount, makeCandidate, makeHarmonization } from "../rows.ts";

const { database, url } = await testDatabase();
const { pool } = database;
const DIRECTORY = "https://api.example";
const AT = new Date("2026-03-04T05:06:07.000Z");
const FORMAT = { encoding: "utf-8", separator: ",", hasHeader: true };

const ada = await makeAccount(database, "Ada", DIRECTORY);
await database.prisma.account.update({ where: { id: ada }, data: { handle: "lovelace" } }); // their name goes before it

async function exported(
  listings: MadeListing[],
  {
    format = "csv",
    hasCandidates = false,
    more = {},
  }: { format?: ExportFormat; hasCandidates?: boolean; more?: object } = {},
) {
  const made = listings.map((each) => ({ ...each, more: { matchedAt: AT, ...each.more } }));
  for (const { more } of made) if (more.decidedBy === "ada") more.decidedBy = ada;
  const harmonization = await makeHarmonization(database, ada, made, { directory: DIRECTORY, format: FORMAT, ...more });
  let text = "";
  for await (const piece of exportText({ pool }, harmonization, { format, hasCandidates })) text += piece;
  return text;
}

const read = (text: string): Record<string, string>[] => parse(text, { columns: true, bom: true });

const BY_ADA = { decidedBy: "ada", decidedAt: AT };
const phone = makeCandidate("v1", 0.953, { phone: 4, name: 1 });
test("the reason of an exported row mentions a number whose digits a spreadsheet dropped", async () => {
  const cells = (id: string, phone: string) => ({ cells: [id, "Shop", "41.8", "-71.4", "1 Main Street", phone] });
  const rows = read(
    await exported([
      { name: "Shop", candidates: [phone], more: { isClear: true, ...cells("own-1", " 4.01E+09 ") } },
      { name: "Shop", candidates: [phone], more: { isClear: true, ...cells("1,2E+11", "401 555 0100") } },
      { name: "Shop", candidates: [phone], more: { isClear: true, ...cells("7E2", "4.01E+09 extension 3") } },
    ]),
  );
  const lost = (column: string, value: string) =>
    `“${column}” reads ${value} because a spreadsheet dropped the digits: format the column as text there`;
  expect(rows.map(({ reason }) => reason?.split("; ").filter((part) => part.includes("digits")))).toEqual([
    [lost("phone", "4.01E+09")],
    [lost("id", "1,2E+11")],
    [],
  ]);
});

test("the reason of a row that is held back says each fact once, first what holds it back, then what is for and what against it", async () => {
  const doubtful = makeCandidate("v1", 0.953, { phone: 4, zip: -0.4, name: -2, distance: 3, category: -0.6 });
  const [row] = read(await exported([{ name: "Shop", candidates: [doubtful] }]));
  expect(row?.reason).toBe(
    "best candidate “Venue v1”, 95.3 %, needs review: different name; different category; same phone; same position; but different postal code",
  );
});

test("C72: the reason of an exported row says that the position was estimated by the address, with the point", async () => {
  const byAddress = { lat: 41.5, lng: -71.25, estimated: true };
  const query = { name: "Shop", near: "Providence", byAddress };
  const [row, other] = read(
    await exported([
      { name: "Shop", candidates: [phone], more: { isClear: true, query } },
      { name: "Shop", candidates: [phone], more: { isClear: true } },
    ]),
  );
  expect(row?.reason).toContain("position: estimated between house numbers of the street, 41.50000, -71.25000");
  expect(other?.reason).not.toContain("position: ");
});

test("an export is in the language of its request, although its pieces are read outside of that", async () => {
  const added = { decision: "added", venueId: "v1", venueName: "Shop", why: { code: "added" } } as const;
  const harmonization = await makeHarmonization(database, ada, [{ name: "Shop", more: { ...added, decidedAt: AT } }], {
    ...{ directory: DIRECTORY, format: FORMAT },
  });
  const pieces = inLanguage("es", () => exportText({ pool }, harmonization, { format: "csv", hasCandidates: false }));
  let text = "";
  for await (const piece of pieces) text += piece;
  expect(text).toContain("añadida como nueva");
});

test("W94: the reason of every kind of row is in the language of who downloads, with what decided it first", async () => {
  const best = makeCandidate("v4", 0.97, { name: 2, zip: -0.5 });
  const chosen = {
    decision: "matched",
    venueId: "v4",
    why: { code: "evidence", said: ["same name"] },
  } satisfies MadeListing["more"];
  const listings: MadeListing[] = [
    ...LISTINGS,
    { name: "By hand", candidates: [best], more: { ...chosen, ...BY_ADA } },
    { name: "Unreasoned", candidates: [best], more: { decision: "matched", venueId: "v4", ...BY_ADA } },
    { name: "Kept", candidates: [best], more: { ...chosen, decidedHow: "kept", decidedAt: AT } },
  ];
  const inWords = async (language: "en" | "es") =>
    read(await inLanguage(language, () => exported(listings))).map(({ reason = "" }) => reason);
  const [english, spanish] = [await inWords("en"), await inWords("es")];
  expect(spanish.filter((reason, row) => reason !== "" && reason === english[row])).toEqual([]);
  expect(spanish.join("\n")).not.toMatch(/\b(same|different|but|accepted|kept|matched|name|position)\b/);
  expect(english.at(-3)).toMatch(/^same name/);
});

test("C73: exports name the source of each venue, also of one that was found by hand", async () => {
  const credited = { ...phone, credit: "© Somebody" };
  const listings: MadeListing[] = [
    { name: "Shop", candidates: [credited], more: { isClear: true } },
    { name: "Shop", candidates: [phone], more: { isClear: true } },
    {
      name: "Shop",
      candidates: [credited],
      more: {
        decision: "matched",
        venueId: "v9",
        why: { code: "found_by_hand", said: [], credit: "Data from Others" },
        ...BY_ADA,
      },
    },
  ];
  for (const format of ["csv", "mapping-csv"] as const)
    expect(read(await exported(listings, { format })).map(({ attribution }) => attribution)).toEqual([
      ...["© Somebody", "", "Data from Others"],
    ]);
});

const LISTINGS: MadeListing[] = [
  { name: "Accepted", candidates: [phone], more: { isClear: true } },
  { name: "Doubtful", candidates: [makeCandidate("v2", 0.5, { name: 1 })], more: { isClear: true } },
  { name: "Far", candidates: [makeCandidate("v3", 0.1)] },
  {
    name: "Broken",
    more: { status: "failed", problem: { code: "no_position", column: "name", value: "?" } },
  },
  { name: "Waiting", more: { status: "pending" } },
  {
    name: "Chosen",
    candidates: [makeCandidate("v4", 0.4), makeCandidate("v5", 0.3)],
    more: {
      decision: "matched",
      venueId: "v5",
      decidedHow: "person",
      ...BY_ADA,
      why: { code: "found_by_hand", said: [] },
    },
  },
  {
    name: "New",
    candidates: [phone],
    more: { decision: "added", venueId: "v9", venueName: "New", decidedHow: "many", ...BY_ADA },
  },
  { name: "Not it", candidates: [phone], more: { decision: "rejected", decidedHow: "family", ...BY_ADA } },
  {
    name: "As before",
    candidates: [phone],
    more: { decision: "matched", venueId: "v1", decidedHow: "kept", ...BY_ADA },
  },
  {
    name: "By the limit before",
    candidates: [phone],
    more: { decision: "matched", venueId: "v1", decidedHow: "kept" },
  },
];

test("the export has the file's columns in order, then outcome, decider, time and reason of each listing", async () => {
  const text = await exported(LISTINGS);
  expect(text.split("\r\n")[0]).toBe(
    "\ufeffid,name,lat,lng,address,phone,venue_id,score,decision,decided_by,decided_at,reason,attribution",
  );
  const rows = read(text);
  const ours = rows.map((row) => [row.name, row.venue_id, row.score, row.decision, row.decided_by]);
  expect(ours).toEqual([
    ["Accepted", "v1", "0.953", "matched", "rule"],
    ["Doubtful", "", "0.5", "review", ""],
    ["Far", "", "0.1", "none", ""],
    ["Broken", "", "", "failed", ""],
    ["Waiting", "", "", "pending", ""],
    ["Chosen", "v5", "0.3", "matched", "Ada"],
    ["New", "v9", "", "added", "Ada"],
    ["Not it", "", "0.953", "rejected", "Ada"],
    ["As before", "v1", "0.953", "matched", "Ada"],
    ["By the limit before", "v1", "0.953", "matched", "kept"],
  ]);
  expect(rows.map(({ reason }) => reason)).toEqual([
    "95.3 %, accepted from 77 %; same phone; same name",
    "best candidate “Venue v2”, 50 % (your limit is 77 %); same name",
    "best candidate “Venue v3”, 10 % (your limit for review is 20 %)",
    "“?” is not a position.",
    "The directory has not been asked about this row yet",
    ...["chosen by search", "added as new", "none of the similar venues", "kept from the previous edition: Ada"],
    "kept from the previous edition",
  ]);
  const dated = rows.filter(({ decided_at }) => decided_at !== "").map(({ name }) => name);
  expect(dated).toEqual(["Accepted", "Chosen", "New", "Not it", "As before"]);
  expect(rows[0]).toMatchObject({ id: "own-1", lng: "-71.41", decided_at: AT.toISOString() });
});

test("the export follows a moved cut", async () => {
  const [row] = read(await exported(LISTINGS, { more: { acceptFrom: 0.96 } }));
  expect(row).toMatchObject({ venue_id: "", decision: "review", score: "0.953" });
});

test("the export with candidates has five times three candidate columns", async () => {
  const [row] = read(await exported(LISTINGS.slice(5, 6), { hasCandidates: true }));
  expect(row).toMatchObject({
    candidate_1_id: "v4",
    candidate_1_score: "0.4",
    candidate_2_name: "Venue v5",
    candidate_5_id: "",
  });
});

test("the export of failed listings has their cells, then line, column, value, code and message", async () => {
  const rows = read(await exported(LISTINGS, { format: "failed" }));
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ name: "Broken", error_line: "5", error_column: "name", error_value: "?" });
  expect(rows[0]).toMatchObject({ error_code: "no_position", error_message: "“?” is not a position." });
});

test.each([
  ["city", { city: 2, zip: 3 }, ["Nowhere", "99999"], "town", "99999 Nowhere"],
  ["postal code", { city: 2, zip: 3 }, ["", "99999"], "code", "99999"],
  ["state, too", { city: 2, state: 3 }, ["Nowhere", "ZZ"], "town", "Nowhere, ZZ"],
  ["whole address", { wholeAddress: 2 }, ["5 Mill St, Nowhere, ME 04999", ""], "town", "04999 Nowhere, ME"],
  ["address in several columns", { address: [2, 3] }, ["5 Mill St", "Nowhere"], "town + code", "5 Mill St, Nowhere"],
  ["owner, for all rows", { city: 2, zip: 3 }, ["", ""], "", "Nowhere"],
] as const)(
  "W91: a failed row whose place the directory does not know names the column of it: %s",
  async (...given) => {
    const [, columns, cells, column, near] = given;
    const more = { status: "failed", problem: { code: "rejected", said: "Couldn't geocode", near } } as const;
    const listing = { name: "Shop", more: { ...more, cells: ["1", "Shop", ...cells] } };
    const file = { header: ["id", "name", "town", "code"], columns: { id: 0, name: 1, ...columns } };
    const [row] = read(await exported([listing], { format: "failed", more: file }));
    expect(row).toMatchObject({ error_column: column, error_value: near, error_code: "rejected" });
  },
);

test("the export of mappings has own id and venue of each match, as CSV and as JSON lines", async () => {
  const listings = [...LISTINGS, { name: "No id", candidates: [phone], more: { isClear: true, ownId: null } }];
  const rows = read(await exported(listings, { format: "mapping-csv" }));
  const lines = (await exported(listings, { format: "mapping-ndjson" })).trimEnd().split("\n");
  expect(rows.map((row) => [row.listing_id, row.venue_id, row.venue_name, row.decision])).toEqual([
    ["own-1", "v1", "Venue v1", "matched"],
    ["own-6", "v5", "Venue v5", "matched"],
    ["own-7", "v9", "New", "added"],
    ["own-9", "v1", "Venue v1", "matched"],
    ["own-10", "v1", "Venue v1", "matched"],
  ]);
  expect(lines.map((line) => JSON.parse(line).listing_id)).toEqual(rows.map((row) => row.listing_id));
  expect(JSON.parse(lines[2] ?? "")).toMatchObject({ score: null, venue_name: "New" });
  expect(JSON.parse(lines[0] ?? "").score).toBe(0.953);
});

test("the export renames its own columns if the file has columns of the same name", async () => {
  const header = ["id", "name", "score", "reason", "reason (Samespot)", "x"];
  const text = await exported(LISTINGS.slice(0, 1), { more: { header } });
  const ours = "venue_id,score (Samespot),decision,decided_by,decided_at,reason (Samespot) (Samespot),attribution";
  expect(text.slice(1).split("\r\n")[0]).toBe(`${header},${ours}`);
});

test("the export keeps semicolons as separator, and has a header even without rows", async () => {
  const more = { format: { ...FORMAT, separator: ";" } };
  expect(await exported(LISTINGS.slice(0, 1), { more })).toContain("own-1;Accepted;41.821;-71.41;");
  expect(await exported([], { more })).toMatch(/^\ufeffid;name;.*;reason;attribution\r\n$/);
});

test("the export of several pages has each listing once and in order", async () => {
  const many = Array.from({ length: 1010 }, (_, at) => ({ name: `Shop ${at}`, more: { status: "pending" as const } }));
  const ids = read(await exported(many)).map(({ id }) => id);
  expect(ids).toEqual(many.map((_, at) => `own-${at + 1}`));
});

test("F32: the export continues after the database was too busy for one page", async () => {
  const many = Array.from({ length: 600 }, (_, at) => ({ name: `Shop ${at}`, more: { status: "pending" as const } }));
  const harmonization = await makeHarmonization(database, ada, many, { directory: DIRECTORY, format: FORMAT });
  const impatient = openDatabase(url);
  onTestFinished(impatient.close);
  const pieces = exportText({ pool: impatient.pool }, harmonization, { format: "csv", hasCandidates: false });
  let text = "";
  for (let piece = 0; piece < 2; piece++) text += (await pieces.next()).value;
  const client = await pool.connect();
  await client.query("BEGIN; LOCK TABLE app.listing IN ACCESS EXCLUSIVE MODE");
  setTimeout(async () => client.release(await client.query("ROLLBACK").then(() => false)), 1600); // a page has given up by then
  for await (const piece of pieces) text += piece;
  expect(read(text)).toHaveLength(600);
});

const deleteRun = (id: string) => database.prisma.harmonization.deleteMany({ where: { id } });
const hideRun = (id: string) => database.prisma.harmonization.update({ where: { id }, data: { state: "deleting" } });

test.each([
  ["during the export", "csv", deleteRun],
  ["with its listings still present", "csv", hideRun],
  ["during an export of few listings", "mapping-csv", deleteRun],
] as const)("an export of what is deleted meanwhile (%s) ends with an error", async (_, format, remove) => {
  const many = Array.from({ length: 600 }, (_, at) => ({ name: `Shop ${at}`, candidates: [phone] }));
  const harmonization = await makeHarmonization(database, ada, many, { directory: DIRECTORY, format: FORMAT });
  const pieces = exportText({ pool }, harmonization, { format, hasCandidates: false });
  await pieces.next();
  await remove(harmonization.id);
  const rest = async () => {
    for await (const _ of pieces);
  };
  await expect(rest()).rejects.toMatchObject({ status: 409, code: "deleted" });
});

test("the export is named after its file", () => {
  const called = (name: string, format: ExportFormat, hasCandidates = false) =>
    exportFile({ name }, { format, hasCandidates }).name;
  expect(called("my stores.v2.csv", "csv")).toBe("my stores.v2-matched.csv");
  expect(called("my stores.v2.csv", "csv", true)).toBe("my stores.v2-candidates.csv");
  expect(called("", "mapping-ndjson")).toBe("listings-mapping.ndjson");
});
