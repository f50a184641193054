import { beforeEach, expect, test } from "vitest";
import { Prisma } from "../../../../src/db/generated/client.ts";
import { attributesOf, categorySaid } from "../../../../src/harmonize/add/venue.ts";
import { type Query, TEXT_FIELDS, type TextField } from "../../../../src/harmonize/run/rows.ts";
import { type MadeListing, makeCandidate, makeHarmonization } from "../../../harmonize/rows.ts";
import { answers } from "../../../support/fake-directory/behaviours.ts";
import { roundsOf } from "../../../support/rounds.ts";
import { startRuns } from "../runs.ts";

const { web, fay, owner } = await startRuns();
const { prisma } = web.database;
const header = ["id", "name", "lat", "lng", ...TEXT_FIELDS];
const columns = Object.fromEntries(header.map((name, at) => [name, at]));
/** Of each field: what the file says, what it is corrected to, and what venues/add refuses; "" where it refuses nothing as short. */
const VALUES: Record<TextField, [file: string, corrected: string, refused: string]> = {
  address: ["12 Mian St", "12 Main St", "x".repeat(201)],
  city: ["Providance", "Providence", "x".repeat(101)],
  state: ["RO", "RI", "x".repeat(101)],
  zip: ["02930", "02903", "!!"],
  country: ["UK", "US", "x".repeat(101)],
  phone: ["+1 401 555 0199", "+1 401 555 0100", "no number"],
  url: ["wrong.example", "https://right.example/", "ftp://right.example"],
  twitter: ["wrong", "right", "not a handle"],
  category: ["Cofee", "Coffee Shop", "x".repeat(201)],
  description: ["Tee.", "Tea.", "x".repeat(301)],
};
const ASKED = ["address", "city", "state", "zip", "phone", "twitter"];
const cells = (lat: string) => ["own", "Spot", lat, "-71.41", ...TEXT_FIELDS.map((field) => VALUES[field][0])];
const query = {
  ...{ name: "Spot", ll: { lat: 41.83, lng: -71.41 } },
  ...Object.fromEntries(ASKED.map((field) => [field, VALUES[field as TextField][0]])),
};
const decided = { decidedHow: "person", decidedAt: new Date("2026-03-04T08:41:00Z") } as const;
const best = [makeCandidate("v1", 0.99), makeCandidate("v2", 0.98)];
const undecided: Record<string, Partial<MadeListing>> = {
  failed: { more: { status: "failed", query: Prisma.DbNull, problem: { code: "no_position" }, cells: cells("91.5") } },
  "held back": { candidates: best, more: { isClear: false } },
  doubtful: { candidates: [makeCandidate("v1", 0.6)] },
  "without a match": {},
  "accepted by its score": { candidates: best, more: { isClear: true } },
};
const settled: Record<string, Partial<MadeListing>> = {
  "matched by a person": { candidates: best, more: { ...decided, decision: "matched", venueId: "v1" } },
  "rejected by a person": { candidates: best, more: { ...decided, decision: "rejected" } },
  added: { more: { ...decided, decision: "added", venueId: "new" } },
};
let id = "";

async function make(listing: Partial<MadeListing>) {
  const more = { query, cells: cells("41.83"), ...listing.more };
  const listings = [{ name: "Spot", ...listing, more } as MadeListing];
  ({ id } = await makeHarmonization(web.database, owner, listings, {
    ...{ directory: web.directory.baseUrl, header, columns },
  }));
}
beforeEach(() => {
  web.directory.reset();
  const venue = { id: "b1", name: "Spot", score: 0.7, location: { lat: 41.83, lng: -71.41 } };
  const response = { venues: [venue], confident: false };
  web.directory.behave("/v2/venues/search", answers(200, { meta: { code: 200 }, response }));
});
const at = (path: string) => `/harmonizations/${id}${path}`;
const row = () => prisma.listing.findFirstOrThrow({ where: { harmonizationId: id } });
const queryOf = async () => (await row()).query as unknown as Query;
const asked = () => web.directory.requests.filter(({ path }) => path === "/v2/venues/search");
/** With a position, which a failed listing needs too. */
const place = { lat: "41.83", lng: "-71.41" };
const mend = async (fields: Record<string, string>) =>
  fay.submit(await fay.get(at("/review/1")), at("/listings/1/mend"), fields);

/** Every second pair in `npm test`: each state with half of the fields, and each field with half of the states. */
const PAIRS = Object.keys(undecided)
  .flatMap((state, row) => TEXT_FIELDS.map((field, column) => ({ pair: [state, field] as const, turn: row + column })))
  .filter(({ turn }) => turn % roundsOf(1, 2) === 0);

test.each(PAIRS.map(({ pair }) => pair))(
  "W29: of a listing that is %s, the %s is corrected, asked about, named in the export and taken back",
  async (state, field) => {
    await make(undecided[state] ?? {});
    const before = await row();
    const [inFile, to] = VALUES[field];
    const { body } = await fay.follow(await mend({ ...place, [field]: to }));
    expect(body).toContain("Corrected, and the directory was asked again: 1 candidate.");
    expect(body).toContain(`corrected to “${to}” (“${inFile}” in the file)`);
    const { mended, ...now } = await queryOf();
    expect(mended).toMatchObject({ now: { [field]: to }, was: { [field]: inFile }, by: owner });
    expect(asked()).toHaveLength(1);
    if (ASKED.includes(field)) expect([now, asked()[0]?.params]).toMatchObject([{ [field]: to }, { [field]: to }]);
    expect(await row()).toMatchObject({ status: "asked", cells: before.cells, decision: null, bestId: "b1" });
    expect((await fay.get(at("/export?format=csv"))).body).toContain(`corrected to “${to}” (“${inFile}” in the file)`);

    const back = await fay.follow(await mend({ back: "1" }));
    expect(back.body).toContain("The correction was taken back");
    if (state === "failed") expect(await row()).toMatchObject({ status: "failed", query: null });
    else expect(await queryOf()).toEqual(query);
  },
);

test.each(Object.keys(settled))("W29: a listing that is %s offers no correction, and takes none", async (state) => {
  await make({ candidates: best });
  const page = await fay.get(at("/review/1"));
  await prisma.listing.updateMany({ where: { harmonizationId: id }, data: settled[state]?.more as object });
  const before = await row();
  expect((await fay.get(at("/review/1"))).body).not.toContain("review-mend");
  for (const field of TEXT_FIELDS)
    expect((await fay.submit(page, at("/listings/1/mend"), { [field]: VALUES[field][1] })).status).toBe(409);
  expect(await row()).toEqual({ ...before, lockedUntil: expect.any(Date), lockedBy: owner });
  expect(asked()).toEqual([]);
});

test.each(TEXT_FIELDS.map((field) => [field, VALUES[field][2]] as const))(
  "W29: for the %s, what venues/add refuses is refused with what was typed, and asks and changes nothing",
  async (field, refused) => {
    await make({ candidates: best });
    const before = await row();
    const { status, body } = await mend({ [field]: refused, name: "Kept" });
    expect(status).toBe(400);
    expect(body).toMatch(new RegExp(`id="mend-${field}-error"`));
    expect(body).toContain(field === "description" ? `>${refused}</textarea>` : `value="${refused}"`);
    expect(body).toContain('value="Kept"');
    expect([asked(), await queryOf()]).toEqual([[], before.query]);
  },
);

test("several fields are corrected at once, one is taken out, and one that the file lacks is filled in", async () => {
  await make({ candidates: best, more: { cells: cells("41.83").with(7, "") } });
  await mend({ name: "Spot On", phone: "", zip: "02903", city: "Providence" });
  const now = await queryOf();
  expect(now).toMatchObject({ name: "Spot On", zip: "02903", city: "Providence", ll: query.ll });
  expect(now).not.toHaveProperty("phone");
  expect(now.mended).toMatchObject({
    now: { phone: "", zip: "02903", city: "Providence" },
    was: { name: "Spot", phone: VALUES.phone[0], zip: null, city: VALUES.city[0] },
  });
  const card = (await fay.get(at("/review/1"))).body;
  expect(card).toContain("phone removed (“+1 401 555 0199” in the file)");
  expect(card).toContain("postal code corrected to “02903” (none in the file)");
  await mend({ name: "Spot", phone: VALUES.phone[0], zip: "", city: ` ${VALUES.city[0]}` });
  expect(await queryOf(), "back to the file's values").not.toHaveProperty("mended");
});

test("W29: a venue is added with what was corrected, also where the directory is not asked with it", async () => {
  await make({ candidates: best });
  const corrections = TEXT_FIELDS.map((field) => [field, VALUES[field][1]]);
  await mend(Object.fromEntries(corrections));
  const listing = { cells: (await row()).cells, query: await queryOf() };
  const { category, country: _, ...added } = Object.fromEntries(corrections);
  expect(attributesOf({ header: [], columns, repairs: [] }, listing)).toMatchObject(added);
  expect(categorySaid({ header: [], columns, repairs: [] }, listing)).toBe(category);
});
