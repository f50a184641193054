import { expect, test } from "vitest";
import { lookUp, parseIds } from "../../../src/harmonize/export/mappings.ts";
import { testDatabase } from "../../support/database/database.ts";
import { type MadeListing, makeAccount, makeCandidate, makeHarmonization } from "../rows.ts";

const { database } = await testDatabase();
const DIRECTORY = "https://api.example";
const deps = { ...database, directoryUrl: DIRECTORY };
let people = 0;
const newPerson = async () => ({ id: await makeAccount(database, `Person ${people++}`, DIRECTORY), isAdmin: false });

let time = Date.parse("2026-01-01");
/** Creates files, each a day newer than the one before. */
const make = (accountId: string | null, listings: MadeListing[], more: object = {}) => {
  time += 86_400_000;
  return makeHarmonization(database, accountId, listings, { directory: DIRECTORY, createdAt: new Date(time), ...more });
};
const on = (venue: string, ownId: string | null): MadeListing => ({
  name: `Shop ${ownId}`,
  candidates: [makeCandidate(venue, 0.95)],
  more: { isClear: true, ownId },
});

const found = async (person: { id: string; isAdmin: boolean }, ids: string[]) => {
  const { mappings, unknown } = await lookUp(deps, person, ids);
  return { rows: mappings.map((each) => [each.listingId, each.venueId, each.file.name, each.isSuperseded]), unknown };
};

test("a look-up resolves own ids and venue ids in the given order, and reports unknown ones", async () => {
  const person = await newPerson();
  await make(person.id, [
    on("v1", "A"),
    on("v2", "B"),
    on("v2", "C"),
    { name: "Doubtful", candidates: [makeCandidate("v3", 0.5)] },
  ]);
  expect(await found(person, ["v2", "nobody", "A", "own-4", "v3"])).toEqual({
    rows: [
      ["B", "v2", "shops.csv", false],
      ["C", "v2", "shops.csv", false],
      ["A", "v1", "shops.csv", false],
      ["own-4", "", "shops.csv", false],
    ],
    unknown: ["nobody", "v3"],
  });
});

test("a look-up follows decisions: a rejected match has no venue, and a chosen venue replaces the best candidate", async () => {
  const person = await newPerson();
  const rejected = { ...on("v1", "A"), more: { isClear: true, ownId: "A", decision: "rejected" as const } };
  const chosen = {
    ...on("v1", "B"),
    more: { ownId: "B", decision: "matched" as const, venueId: "v8", venueName: "Eight" },
  };
  await make(person.id, [rejected, chosen]);
  expect((await found(person, ["v1"])).unknown).toEqual(["v1"]);
  const { mappings } = await lookUp(deps, person, ["v8", "A"]);
  expect(mappings.map(({ listingId, venueName, decision }) => [listingId, venueName, decision])).toEqual([
    ["B", "Eight", "matched"],
    ["A", "", "rejected"],
  ]);
});

test("a look-up returns the newest edition, marks other venues of older ones as superseded, and omits equal ones", async () => {
  const person = await newPerson();
  const first = await make(person.id, [on("old", "A"), on("same", "B")], { name: "1.csv" });
  const second = await make(person.id, [on("old", "A"), on("same", "B")], { name: "2.csv", previousId: first.id });
  await make(person.id, [on("new", "A"), on("same", "B")], { name: "3.csv", previousId: second.id });
  await make(person.id, [on("else", "A")], { name: "other file.csv" });
  expect((await found(person, ["A", "B"])).rows).toEqual([
    ["A", "else", "other file.csv", false],
    ["A", "new", "3.csv", false],
    ["A", "old", "2.csv", true],
    ["A", "old", "1.csv", true],
    ["B", "same", "3.csv", false],
  ]);
  expect((await found(person, ["old"])).rows).toContainEqual(["A", "new", "3.csv", false]);
});

test("a look-up of a venue finds a listing without an own id", async () => {
  const person = await newPerson();
  await make(person.id, [on("v1", null), on("v2", "B")]);
  expect((await found(person, ["v1"])).rows).toEqual([["", "v1", "shops.csv", false]]);
});

test("W08: a look-up searches only files that the person may see", async () => {
  const [ada, bob] = [await newPerson(), await newPerson()];
  await make(ada.id, [on("v1", "A")], { name: "own.csv" });
  await make(ada.id, [on("v1", "A")], { name: "shared.csv", isShared: true });
  await make(null, [on("v1", "A")], { name: "command line.csv" });
  await make(bob.id, [on("v1", "A")], { name: "elsewhere.csv", directory: "https://other.example" });
  const names = async (person: { id: string; isAdmin: boolean }) =>
    (await found(person, ["A", "v1"])).rows.map(([, , name]) => name).sort();
  expect(await names(ada)).toEqual(["own.csv", "shared.csv"]);
  expect(await names(bob)).toEqual(["shared.csv"]);
  expect(await names({ ...bob, isAdmin: true })).toEqual(["command line.csv", "shared.csv"]);
});

test("pasted ids are parsed without duplicates, and too many or too long ones are rejected", () => {
  expect(parseIds(' a\r\nb,"c d";a\t e\n\n,')).toEqual(["a", "b", "c d", "e"]);
  expect(parseIds("  \n ")).toEqual([]);
  const ids = (count: number) => Array.from({ length: count }, (_, each) => `id${each}`).join("\n");
  expect(parseIds(ids(1000))).toHaveLength(1000);
  expect(() => parseIds(ids(1001))).toThrow("at most 1000");
  expect(() => parseIds("x".repeat(501))).toThrow("500 characters");
});
