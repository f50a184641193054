import { beforeAll, describe, expect, it } from "vitest";
import { otherVenueResponse } from "../../../src/contract/resources.ts";
import { reserveProvider } from "../../../src/directory/applications/providers.ts";
import { randomId } from "../../../src/shared/crypto.ts";
import { categoryId, runningDirectory } from "../running-directory.ts";

const directory = await runningDirectory({ instances: 2 });
const { deps } = directory;

const [mine, theirs] = [caller("maps"), caller("rival")];
function caller(providerId: string) {
  return { providerId, oauth_token: "" };
}
let venues: string[] = [];

beforeAll(async () => {
  const { id: userId } = await directory.user();
  for (const each of [mine, theirs]) {
    const { clientId } = await directory.application();
    await reserveProvider(deps, each.providerId, clientId);
    each.oauth_token = await directory.token({ userId, clientId });
  }
  const primaryCategoryId = categoryId("Bar");
  const added = ["Amber Oak", "Velvet Quill", "Copper Finch", "Marble Tide"].map(async (name, index) => {
    const fields = { oauth_token: mine.oauth_token, name, ll: `${10 + index},10`, primaryCategoryId };
    return String((await directory.call("/v2/venues/add", fields)).body.response.venue.id);
  });
  venues = await Promise.all(added);
});

let turn = 0;

/** Alternates between methods, ways of naming the venue, and instances. */
function annotate(venueId: string, linkedId: string, who = mine, more: Record<string, string> = {}) {
  turn += 1;
  const on = directory.instances[turn % 2] ?? directory;
  const method = turn % 4 < 2 ? "GET" : "POST";
  const given = { ...who, linkedId, ...more };
  if (turn % 8 < 4) return directory.call("/v2/venues/annotate", { ...given, venueId }, { method, on });
  return directory.call(`/v2/venues/${venueId}/annotate`, given, { method, on });
}

const stored = async (linkedId: string) =>
  (await deps.prisma.link.findMany({ where: { linkedId } })).map(({ providerId, venueId }) => [providerId, venueId]);

describe("an annotation", () => {
  it("C21: returns 403 and stores nothing for a provider id that is unknown, misspelled or another application's", async () => {
    const [venue = ""] = venues;
    const linkedId = randomId();
    const providerIds = ["rival", "nobody", "MAPS", "map", "maps2", "%", "maps' OR '1'='1"];
    const calls = providerIds.flatMap((providerId) => [1, 2, 3, 4].map(() => ({ ...mine, providerId })));
    const answers = await Promise.all(calls.map((who) => annotate(venue, linkedId, who)));
    for (const { status, body } of answers) {
      expect([status, body.meta.errorType, body.response]).toEqual([403, "not_authorized", {}]);
      expect(body.meta.errorDetail).toBe(answers[0]?.body.meta.errorDetail);
    }
    expect(await stored(linkedId)).toEqual([]);
    expect((await annotate(venue, linkedId)).status).toBe(200);
    // Owning another provider id gives the rival no right to this one.
    expect((await annotate(venue, linkedId, { ...theirs, providerId: "maps" })).status).toBe(403);
  });

  it("C21: returns the same answer for a repeated id, and 409 with the existing venue for another venue", async () => {
    const [venue = "", other = ""] = venues;
    const linkedId = randomId();
    const first = await annotate(venue, linkedId);
    for (let time = 0; time < 8; time += 1) {
      const again = await annotate(venue, linkedId);
      expect([again.status, again.body.response.link]).toEqual([200, first.body.response.link]);
      const elsewhere = await annotate(other, linkedId, mine, { url: "https://evil.example/" });
      expect([elsewhere.status, elsewhere.body.meta.errorType]).toEqual([409, "other"]);
      expect(otherVenueResponse.parse(elsewhere.body.response).venue.id).toBe(venue);
    }
    expect(await stored(linkedId)).toEqual([["maps", venue]]);
    expect(await deps.prisma.link.findFirst({ where: { linkedId } })).toMatchObject({ url: null });
  });

  it("C21: is one row after sixteen concurrent calls with one id, even when they name four venues", async () => {
    const [venue = ""] = venues;
    for (let round = 0; round < 5; round += 1) {
      const [same, contested] = [randomId(), randomId()];
      const answers = await Promise.all(Array.from({ length: 16 }, () => annotate(venue, same)));
      expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200));
      expect(await stored(same)).toEqual([["maps", venue]]);
      const race = await Promise.all(Array.from({ length: 16 }, (_, at) => annotate(venues[at % 4] ?? "", contested)));
      expect(race.filter(({ status }) => status === 200)).toHaveLength(4);
      expect(race.filter(({ status }) => status === 409)).toHaveLength(12);
      const [row, ...more] = await stored(contested);
      expect(more).toEqual([]);
      for (const { status, body } of race) if (status === 200) expect(body.response.venue.id).toBe(row?.[1]);
    }
  });
});

it("C26: another application's annotations appear in no answer", async () => {
  const [venue = ""] = venues;
  const ids = new Map([mine, theirs].map((who) => [who.providerId, `${who.providerId}-${randomId()}`]));
  const page = (linkedId = "") => `https://listings.example/${linkedId}`;
  for (const who of [mine, theirs]) {
    const linkedId = ids.get(who.providerId) ?? "";
    expect((await annotate(venue, linkedId, who, { url: page(linkedId) })).status).toBe(200);
  }
  for (const [who, other] of [
    [mine, theirs],
    [theirs, mine],
  ] as const) {
    const [own = "", foreign = ""] = [ids.get(who.providerId), ids.get(other.providerId)];
    const call = (path: string, fields: Record<string, string> = {}) =>
      directory.call(path, { oauth_token: who.oauth_token, ...fields });
    const found = async (fields: Record<string, string>) =>
      (await call("/v2/venues/search", fields)).body.response.venues.map(({ id }: { id: string }) => id);
    const { text } = await call(`/v2/venues/${venue}/links`);
    expect([text.includes(own), text.includes(foreign)]).toEqual([true, false]);
    expect(await found({ providerId: who.providerId, linkedId: own })).toEqual([venue]);
    expect(await found({ providerId: other.providerId, linkedId: foreign })).toEqual([]);
    expect([await found({ url: page(own) }), await found({ url: page(foreign) })]).toEqual([[venue], []]);
    const inOne = `/venues/${venue}/links,/venues/search?providerId=${other.providerId}&linkedId=${foreign},/venues/${venue}`;
    expect((await call("/v2/multi", { requests: inOne })).text).not.toContain(foreign);
    expect((await call(`/v2/venues/${venue}`)).text).not.toContain(foreign);
  }
});
