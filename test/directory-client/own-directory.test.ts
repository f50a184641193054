import { PassThrough } from "node:stream";
import { afterAll, expect, test } from "vitest";
import { consent, tokenOf } from "../../src/directory/tokens.ts";
import { createLogger } from "../../src/http/logger.ts";
import { createVault } from "../../src/shared/crypto.ts";
import { createWeb } from "../../src/web/create-web.ts";
import { startSamespot } from "../support/samespot.ts";

const { config, database, apiUrl } = await startSamespot();
const log = createLogger({ level: "fatal", destination: new PassThrough().resume() });
const web = createWeb({ config, database, address: config.databaseUrl ?? "", log });
afterAll(() => web.close());
const { directory, credentials, harmonizer, authHost } = web;

async function listings() {
  const venues = await database.prisma.venue.findMany({ take: 60, orderBy: { id: "desc" } });
  return venues.map(({ name, lat, lng }) => ({ name, ll: { lat, lng } }));
}

/** Returns the demo user's token for the web app. */
async function demoToken(): Promise<string> {
  const deps = { ...database, vault: createVault(config.encryptionKeys, "directory") };
  const { id: userId } = await database.prisma.user.findFirstOrThrow({ where: { handle: "demo" } });
  const pair = { userId, clientId: (await credentials()).clientId };
  await consent(deps, pair);
  return tokenOf(deps, pair);
}

test("our own directory offers venues/match and idempotency keys, and a batch finds what single searches find", async () => {
  const { matchUrl, matchLines } = await authHost.features();
  expect([matchUrl?.href, matchLines]).toEqual([`${apiUrl}/v2/venues/match`, 5000]);
  expect(await directory.honoursKeys()).toBe(true);
  const [auth, asked, more] = [await credentials(), await listings(), { minScore: 0.05, limit: 5 }];
  const outcomes = await directory.matchListings(auth, asked, more);
  for (const [at, listing] of asked.entries()) {
    const { venues, confident } = await directory.matchVenues(auth, listing, more);
    const expected = venues.map(({ id, score, evidence }) => ({ id, score, evidence }));
    expect(outcomes[at]).toMatchObject({ found: { venues: expected, confident } });
    expect(venues.length).toBeGreaterThan(0);
  }
});

test("the web app annotates with default settings, has no effect the second time, and learns who has the listing", async () => {
  const auth = { token: await demoToken() };
  const [one, other] = await database.prisma.venue.findMany({ take: 2, select: { id: true, name: true } });
  const annotation = { providerId: (await harmonizer.providerId()) ?? "", linkedId: "row 1" };
  const annotate = (id: string, idempotencyKey: string) => directory.annotate(auth, id, annotation, { idempotencyKey });
  await annotate(one?.id ?? "", "first");
  await annotate(one?.id ?? "", "first");
  await annotate(one?.id ?? "", "second");
  await expect(annotate(other?.id ?? "", "third")).rejects.toMatchObject({ kind: "conflict", holder: one });
  const links = await database.prisma.link.findMany({ select: { providerId: true, linkedId: true, venueId: true } });
  expect(links).toEqual([{ ...annotation, venueId: one?.id }]);
});

test("our own directory says of many venues at once which are merged, closed or unknown", async () => {
  const { prisma } = database;
  const [open, closed, merged] = (await prisma.venue.findMany({ take: 3, orderBy: { id: "asc" } })).map(({ id }) => id);
  await prisma.venue.update({ where: { id: closed ?? "" }, data: { closedAt: new Date() } });
  await prisma.movedVenue.create({ data: { id: "an-old-id", venueId: merged ?? "" } });
  const asked = [open ?? "", closed ?? "", "an-old-id", "0123456789abcdef01234567"];
  const outcomes = await directory.venues(await credentials(), asked);
  const shown = outcomes.map((each) => ("venue" in each ? [each.venue.id, each.venue.closed] : each.error.kind));
  expect(shown).toEqual([[open, undefined], [closed, true], [merged, undefined], "not_found"]);
  expect((await authHost.features()).lookupLines).toBe(5000);
  const twice = await directory.venues(await credentials(), [...asked, ...asked]); // by venues/lookup
  expect(twice.map((each) => ("venue" in each ? [each.venue.id, each.venue.closed] : each.error.kind))).toEqual([
    ...shown,
    ...shown,
  ]);
});
