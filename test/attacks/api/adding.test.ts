import { beforeAll, describe, expect, it } from "vitest";
import { randomToken } from "../../../src/shared/crypto.ts";
import { categoryId, runningDirectory } from "../running-directory.ts";

const directory = await runningDirectory({ instances: 2 });
const { prisma } = directory.deps;
const PATH = "/v2/venues/add";

type Fields = Record<string, string>;

/** Tokens of a user, another user of the application, and the user for another application. */
let [token, ofOther, elsewhere] = ["", "", ""];

beforeAll(async () => {
  const [user, other] = [await directory.user(), await directory.user()];
  const [application, second] = [await directory.application(), await directory.application()];
  const tokenFor = (who: { id: string }, { clientId }: { clientId: string }) =>
    directory.token({ userId: who.id, clientId });
  token = await tokenFor(user, application);
  ofOther = await tokenFor(other, application);
  elsewhere = await tokenFor(user, second);
});

let spots = 0;

/** Returns parameters of a unique, remote venue. */
function spot(more: Fields = {}): Fields {
  spots += 1;
  const name = `Spot ${randomToken(6).replace(/[^A-Za-z]/g, "q")}`;
  return { name, ll: `${spots},40`, primaryCategoryId: categoryId("Coffee Shop"), ...more };
}

let turn = 0;

/** Alternates between GET and POST and between the instances. */
function add(fields: Fields, { key, oauth_token = token }: { key?: string; oauth_token?: string } = {}) {
  turn += 1;
  const on = directory.instances[turn % 2] ?? directory;
  const headers: Fields = key === undefined ? {} : { "idempotency-key": key };
  return directory.call(PATH, { oauth_token, ...fields }, { method: turn % 4 < 2 ? "GET" : "POST", headers, on });
}

const countOf = (name = "") => prisma.venue.count({ where: { name } });

describe("an Idempotency-Key", () => {
  it("C22: gives sixteen concurrent calls on two instances one venue and one answer", async () => {
    for (let round = 0; round < 2; round += 1) {
      const [venue, key] = [spot(), randomToken()];
      const answers = await Promise.all(Array.from({ length: 16 }, () => add(venue, { key })));
      for (const { status, body } of [...answers, await add(venue, { key })])
        expect([status, body.response]).toEqual([200, answers[0]?.body.response]);
      expect(await countOf(venue.name)).toBe(1);
    }
  });

  it("C22: returns 409 and adds nothing when a parameter differs", async () => {
    const [venue, key] = [spot(), randomToken()];
    await add(venue, { key });
    const before = await prisma.venue.count();
    const others = [
      { name: "Another" },
      { ll: "60,60" },
      { city: "Elsewhere" },
      { primaryCategoryId: categoryId("Bar") },
    ];
    for (const other of [
      ...others,
      { name: "Another", ll: "61,61" },
      { description: "x" },
      { url: "https://a.example" },
    ]) {
      const { status, body } = await add({ ...venue, ...other }, { key });
      expect([status, body.meta.errorType, body.response]).toEqual([409, "other", {}]);
      expect(body.meta.errorDetail).toContain("Idempotency-Key");
    }
    expect(await prisma.venue.count()).toBe(before);
    expect((await add(venue, { key })).status).toBe(200);
  });

  it("C22: counts as a different key for another application or user", async () => {
    const key = randomToken();
    const calls = [token, ofOther, elsewhere].map((oauth_token) => ({ oauth_token, venue: spot() }));
    for (const { oauth_token, venue } of [...calls, ...calls]) {
      const { status, body } = await add(venue, { key, oauth_token });
      expect([status, body.response.venue?.name]).toEqual([200, venue.name]);
    }
    for (const { venue } of calls) expect(await countOf(venue.name)).toBe(1);
  });
});

describe("a venue that already exists", () => {
  it("C23: returns 409 with its id, and only the caller who received the key can add it", async () => {
    const venue = spot({ name: "The Same Old Lantern", address: "12 Main St" });
    const { id } = (await add(venue)).body.response.venue;
    const alike = [venue, { ...venue, name: "Same Old Lantern" }, { ...venue, name: "SAME OLD LANTERN, Inc." }];
    const before = await prisma.venue.count();
    for (const again of alike)
      for (const oauth_token of [token, ofOther, elsewhere]) {
        const refused = await add(again, { oauth_token });
        expect([refused.status, refused.body.meta.code, refused.body.meta.errorType]).toEqual([409, 409, "other"]);
        expect(refused.body.response.candidateDuplicateVenues[0].id).toBe(id);
        expect(refused.body.response.ignoreDuplicatesKey).toMatch(/^[0-9a-f]{32}$/);
      }
    const again = { ...venue, name: "Same Old Lantern" };
    const keyFor = async (oauth_token: string) =>
      String((await add(again, { oauth_token })).body.response.ignoreDuplicatesKey);
    const [own, others, applications] = [await keyFor(token), await keyFor(ofOther), await keyFor(elsewhere)];
    const notEnough = [
      { ignoreDuplicates: "true" },
      { ignoreDuplicatesKey: own },
      { ignoreDuplicates: "false", ignoreDuplicatesKey: own },
      ...[others, applications, "0".repeat(32), own.toUpperCase(), `${own}0`, "é"].map((ignoreDuplicatesKey) => ({
        ignoreDuplicates: "true",
        ignoreDuplicatesKey,
      })),
      { ignoreDuplicates: "true", ignoreDuplicatesKey: own, name: "The Same Old Lantern Cafe" },
      { ignoreDuplicates: "true", ignoreDuplicatesKey: own, ll: `${Number(venue.ll?.split(",")[0]) + 0.0005},40` },
    ];
    for (const more of notEnough) expect([more, (await add({ ...again, ...more })).status]).toEqual([more, 409]);
    expect(await prisma.venue.count()).toBe(before);
    const forced = await add({ ...again, ignoreDuplicates: "true", ignoreDuplicatesKey: own });
    expect([forced.status, await prisma.venue.count()]).toEqual([200, before + 1]);
    expect(forced.body.response.venue.id).not.toBe(id);
  });

  it("C23: is added once by sixteen concurrent calls without a key, in every round", async () => {
    const names = ["Zebra Lantern Cafe", "The Zebra Lantern Cafe", "Zebra Lantern Café Inc", "Zebra Lantern  Cafe"];
    for (let round = 0; round < 8; round += 1) {
      const venue = spot({ name: "Zebra Lantern Cafe" });
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, at) => add({ ...venue, name: names[at % 4] ?? "" })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(15).fill(409)]);
      const [added] = answers.filter(({ status }) => status === 200);
      for (const { status, body } of answers)
        if (status === 409) expect(body.response.candidateDuplicateVenues[0].id).toBe(added?.body.response.venue.id);
    }
  });
});

it("C24: an unknown category or an invalid URL, phone number or code returns 400", async () => {
  const long = "x".repeat(10_000);
  const wrong: Record<string, string[]> = {
    primaryCategoryId: ["ffffffffffffffffffffffff", "__proto__", "constructor", "Coffee Shop", "0", "\u0000", long],
    url: [
      ...[
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        " javascript:alert(1)",
        "java\nscript:alert(1)",
        "data:text/html,x",
      ],
      ...[
        "vbscript:x",
        "file:///etc/passwd",
        "ftp://spot.example",
        "mailto:a@b.example",
        "//spot.example",
        "spot.example",
      ],
      ...["https:spot.example", "https:///spot.example", "https://", "http://a b", "https://spot.example/\u0000"],
      ...["https://user@spot.example/", "https://user:secret@spot.example/", "https://spot.example/a\nb", "nonsense"],
      ...[`https://spot.example/${long}`, long],
    ],
    phone: ["call me", "123", "+", "+1 401 555 0100 0100 0100", "1".repeat(16), "<b>401555</b>", "0123 / 0124", long],
    twitter: ["two words", "<b>", "@", "@@spot", "https://twitter.com/spot", "x".repeat(51), "spot\u202e", long],
    zip: ["<>", "-", "0".repeat(21), "02903'", "02903;--", "\u0007", long],
  };
  const before = await prisma.venue.count();
  for (const [name, values] of Object.entries(wrong)) {
    const answers = await Promise.all(values.map((value) => add(spot({ [name]: value }))));
    for (const [index, { status, body }] of answers.entries()) {
      const shown = [name, values[index]?.slice(0, 40)];
      expect([...shown, status, body.meta.errorType]).toEqual([...shown, 400, "param_error"]);
      expect(body.meta.errorDetail).toContain(name);
    }
  }
  expect(await prisma.venue.count()).toBe(before);
});
