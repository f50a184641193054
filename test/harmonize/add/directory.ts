import type { AddVenueParameters } from "../../../src/contract/parameters.ts";
import type { Venue } from "../../../src/contract/resources.ts";
import { DirectoryError, isHoldUp } from "../../../src/directory-client/calls/errors.ts";
import type { Auth, DirectoryClient, Listing } from "../../../src/directory-client/client.ts";
import type { NewLink, NewVenue, Written } from "../../../src/directory-client/write-lines.ts";
import type { Harmonizer } from "../../../src/harmonize/run/deps.ts";
import type { Harmonization } from "../../../src/harmonize/run/harmonizations.ts";
import { distanceBetween } from "../../../src/matching/distance.ts";
import { FILE_LIMITS } from "../../../src/shared/file-limits.ts";
import { testDatabase } from "../../support/database/database.ts";
import { testWebhooks } from "../harmonizer.ts";
import { makeAccount, makeHarmonization } from "../rows.ts";

export const CAFE = "fa4e000000000000000000c1";
export const SHOP = "fa4e000000000000000000c2";
const categoryOf = (id: string, name: string) => ({ id, name, pluralName: `${name}s`, shortName: name });
const CATEGORIES = [{ ...categoryOf("top", "Food"), categories: [categoryOf(CAFE, "Café")] }, categoryOf(SHOP, "Shop")];

/** What happens to an add: its response is lost after or before it took effect, or it is rejected. */
export type Fate = "ok" | "lost after" | "lost before" | DirectoryError;

type Once = { idempotencyKey: string; ignoreDuplicatesKey?: string | undefined };

/** A directory in memory that records adds. Tests choose the fate of the next ones. */
function createDirectory() {
  const state = {
    venues: [] as Venue[],
    honoursKeys: true,
    confident: false,
    /** Whether it rejects likely duplicates. */
    findsDuplicates: false,
    fates: [] as Fate[],
    /** Called before each search; may throw. */
    search: undefined as (() => void) | undefined,
    adds: [] as { name: string; key: string; forced: string | undefined; token: string; category: string }[],
    links: new Map<string, string>(),
    annotations: [] as string[],
    keys: new Map<string, Venue>(),
    slow: 0,
    /** How many calls it takes at once. */
    lines: 0,
    /** Numbers of calls that came together. */
    together: [] as number[],
  };
  const found = (listing: Listing) =>
    state.venues
      .map((venue) => ({ ...venue, score: scoreOf(listing, venue) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score);
  const client = {
    async matchVenues(_auth: Auth, listing: Listing) {
      state.search?.();
      return { venues: found(listing), confident: state.confident, geocode: undefined };
    },
    async matchListings(_auth: Auth, listings: Listing[], { limit }: { limit?: number }) {
      const isForAdding = limit === 50; // positions are judged by fewer
      try {
        if (isForAdding) state.search?.();
      } catch (error) {
        return listings.map(() => ({ error }));
      }
      return listings.map((listing) => ({
        found: { venues: found(listing), confident: isForAdding && state.confident, geocode: undefined },
      }));
    },
    searchVenues: async () => ({ venues: [], confident: false, geocode: undefined }),
    async addVenue(auth: Auth, venue: AddVenueParameters, { idempotencyKey, ignoreDuplicatesKey }: Once) {
      const token = "token" in auth ? auth.token : "";
      const category = venue.primaryCategoryId;
      state.adds.push({ name: venue.name, key: idempotencyKey, forced: ignoreDuplicatesKey, token, category });
      const fate = state.fates.shift() ?? "ok";
      if (state.slow) await new Promise((resolve) => setTimeout(resolve, state.slow));
      if (fate === "lost before") throw new DirectoryError("unreachable");
      if (typeof fate === "object") throw fate;
      const key = `${token} ${idempotencyKey}`;
      const before = state.honoursKeys ? state.keys.get(key) : undefined;
      const likely = found(venue).filter(({ score }) => score >= 0.5);
      if (!before && state.findsDuplicates && likely.length > 0 && ignoreDuplicatesKey !== "force")
        throw new DirectoryError("duplicate", undefined, { duplicates: { candidates: likely, key: "force" } });
      const made: Venue = before ?? { id: `new-${state.venues.length}`, name: venue.name, location: { ...venue.ll } };
      if (!before) state.venues.push(made);
      state.keys.set(key, made);
      if (fate === "lost after") throw new DirectoryError("unreachable");
      return made;
    },
    async annotate(_auth: Auth, venueId: string, { linkedId }: { linkedId: string }) {
      state.annotations.push(`${linkedId} ${venueId}`);
      const fate = state.fates.shift() ?? "ok";
      if (typeof fate === "object") throw fate;
      if (fate !== "lost before") state.links.set(linkedId, venueId);
      if (fate !== "ok") throw new DirectoryError("unreachable");
    },
    honoursKeys: async () => state.honoursKeys,
    mostLines: async () => (state.honoursKeys ? state.lines : 0),
    async addVenues(auth: Auth, venues: NewVenue[]) {
      state.together.push(venues.length);
      return inTurn(venues, ({ venue, idempotencyKey }) => client.addVenue(auth, venue, { idempotencyKey }));
    },
    async annotateVenues(auth: Auth, links: NewLink[]) {
      state.together.push(links.length);
      return inTurn(links, ({ venueId, idempotencyKey, ...link }) =>
        client.annotate(auth, venueId, link, { idempotencyKey }),
      );
    },
    categories: async () => CATEGORIES,
    askCategories: async () => CATEGORIES,
  } as unknown as DirectoryClient;
  return { state, client };
}

/** After a refusal that concerns every call, makes no more. */
async function inTurn<C, T>(calls: C[], make: (call: C) => Promise<T>): Promise<Written<T>[]> {
  const written: Written<T>[] = [];
  let end: DirectoryError | undefined;
  for (const call of calls) {
    const outcome = end
      ? { error: end }
      : await make(call).then(
          (done) => ({ done }),
          (error: DirectoryError) => ({ error }),
        );
    if ("error" in outcome && isHoldUp(outcome.error)) end = outcome.error;
    written.push(outcome);
  }
  return written;
}

// 0.9 for the same name, 0.3 for the same first word, else 0.01; 0 beyond 200 m.
function scoreOf({ name, ll }: Listing, venue: Venue): number {
  const { lat = 0, lng = 0 } = venue.location ?? {};
  if (!ll || distanceBetween(ll, { lat, lng }) > 200) return 0;
  if (venue.name === name) return 0.9;
  return venue.name.split(" ")[0] === name.split(" ")[0] ? 0.3 : 0.01;
}

/** Starts harmonizing on its own database at such a directory. Call it at the top of a test file. */
export async function startAdder() {
  const { url, database } = await testDatabase();
  const directoryUrl = "http://directory.test";
  const { state, client } = createDirectory();
  const accountId = await makeAccount(database, "Ada", directoryUrl);
  const tokens = new Map([[accountId, "ada"]]);
  const sent: object[] = [];
  const deps: Harmonizer = {
    ...{ prisma: database.prisma, pool: database.pool, directory: client, directoryUrl, databaseUrl: url },
    limits: FILE_LIMITS,
    queue: {
      send: async (task) => void sent.push(task),
      work: async () => async () => {},
      idleMs: () => 0,
      count: async () => [],
      close: async () => {},
    },
    async authFor(account) {
      const token = tokens.get(account ?? "");
      return token === undefined ? undefined : { token };
    },
    async tokenRefused(account) {
      tokens.delete(account);
    },
    providerId: async () => "samespot",
    webhooks: testWebhooks(),
  };
  const fresh = { ...state };
  return {
    ...{ deps, database, directory: state, accountId, tokens, sent },
    person: { id: accountId, isAdmin: false },
    /** Makes the directory take so many calls at once. */
    takes: (lines: number) => void Object.assign(fresh, { lines }),
    /** Resets everything, and creates these listings. */
    async begin(names: string[], more: Partial<Parameters<typeof makeHarmonization>[3]> = {}): Promise<Harmonization> {
      Object.assign(state, fresh, { venues: [], fates: [], adds: [], annotations: [], together: [] });
      for (const each of [state.links, state.keys]) each.clear();
      tokens.set(accountId, "ada");
      const listings = names.map((name) => ({ name }));
      return makeHarmonization(database, accountId, listings, { directory: directoryUrl, ...more });
    },
    listings: (h: Pick<Harmonization, "id">) =>
      database.prisma.listing.findMany({ where: { harmonizationId: h.id }, orderBy: { number: "asc" } }),
    row: (h: Pick<Harmonization, "id">) => database.prisma.harmonization.findUniqueOrThrow({ where: { id: h.id } }),
    /** Makes adds look as if they had begun so many seconds ago. */
    age: (seconds: number) =>
      database.pool.query(
        `UPDATE app.listing SET adding = adding || jsonb_build_object('since', now() - make_interval(secs => $1))
        WHERE adding IS NOT NULL`,
        [seconds],
      ),
  };
}

export const venueOf = (name: string, lat = 41.821): AddVenueParameters => ({
  name,
  ll: { lat, lng: -71.41 },
  primaryCategoryId: CAFE,
});
