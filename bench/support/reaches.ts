import { COFFEE_SHOP } from "../../src/contract/sample-ids.ts";
import type { Database } from "../../src/db/database.ts";
import { insertVenues } from "../../src/directory/venues/add.ts";
import { findVenues } from "../../src/directory/venues/find.ts";
import { withPhone } from "../../src/directory/venues/phones.ts";
import { matchEach } from "../../src/directory/venues/search/match-each.ts";
import { type SearchResult, searchVenues } from "../../src/directory/venues/search/search.ts";

/** A venue of the directory, from which a listing is made. */
export interface Known {
  id: string;
  name: string;
  lat: number;
  lng: number;
  phone: string | null;
  /** A match asks no other tile. */
  isInside: boolean;
}

/** A call of the directory, by the nodes of a cluster that it asks. */
export interface Reach {
  what: string;
  asks: string;
  /** Whether it can be made for the venue. */
  of?: (known: Known) => boolean;
  /** Of the calls, because they take longer. */
  share?: number;
  /** Returns what must be the same on one server and on several. */
  call(database: Database, known: Known, at: number): Promise<unknown>;
}

type Fields = Omit<Parameters<typeof searchVenues>[1], "limit" | "intent"> & { intent?: "match" | "global" };

const HOUR = 3_600_000;

/** @param all from which batches are made */
export const reachesOf = (all: Known[]): Reach[] => [
  { what: "match inside a tile", asks: "1 node", of: ({ isInside }) => isInside, call: searching(asListing) },
  { what: "match at a border", asks: "2 to 4 tiles", of: ({ isInside }) => !isInside, call: searching(asListing) },
  {
    ...{ what: "match with a telephone number", asks: "1 node, then all", of: hasPhone },
    call: searching((known) => ({ ...asListing(known), phone: known.phone ?? undefined })),
  },
  { what: "500 of a town in one batch", asks: "its tiles", share: 0.05, call: matching(nearest(all)) },
  { what: "50 scattered in one batch", asks: "their tiles", share: 0.1, call: matching(scattered(all)) },
  {
    ...{ what: "details by id", asks: "all" },
    call: async ({ pool }, { id }) => [...(await findVenues(pool, [id])).keys()],
  },
  {
    ...{ what: "telephone number", asks: "all", of: hasPhone },
    call: async ({ pool }, { phone }) => (await withPhone(pool, phone)).length,
  },
  { what: "30 nearest", asks: "up to 9 tiles", call: searching(({ lat, lng }) => ({ ll: { lat, lng } })) },
  {
    ...{ what: "words within 100 km", asks: "all", share: 0.3 },
    call: searching(({ name, lat, lng }) => ({ query: name, ll: { lat, lng }, radius: 100_000 })),
  },
  {
    ...{ what: "words anywhere", asks: "all", share: 0.3 },
    call: searching(({ name }) => ({ intent: "global", query: name })),
  },
  { what: "add", asks: "1 node, up to 9 tiles for the country", share: 0.3, call: add },
];

const hasPhone = ({ phone }: Known) => phone !== null;

const asListing = ({ name, lat, lng }: Known) => ({
  ...{ intent: "match" as const, name: name.slice(0, -2) || name, ll: { lat, lng } },
});

const idsOf = ({ venues }: SearchResult) => venues.map(({ id, score }) => [id, score]);

const searching =
  (fields: (known: Known) => Fields): Reach["call"] =>
  async ({ pool }, known) =>
    idsOf(await searchVenues(pool, { intent: "checkin", limit: 30, ...fields(known) }));

const matching =
  (choose: (at: number) => Known[]): Reach["call"] =>
  async ({ pool }, _, at) => {
    const listings = choose(at).map((known) => ({ ...asListing(known), limit: 5 }));
    const found = await matchEach(pool, listings, performance.now() + HOUR);
    return found.map((each) => ("error" in each ? String(each.error) : idsOf(each)));
  };

const nearest = (all: Known[]) => (at: number) => {
  const { lat, lng } = all[(at * 997) % all.length] as Known;
  const far = (known: Known) => Math.abs(known.lat - lat) + Math.abs(known.lng - lng);
  return all.toSorted((a, b) => far(a) - far(b)).slice(0, 500);
};

const scattered = (all: Known[]) => (at: number) =>
  Array.from({ length: 50 }, (_, n) => all[(at * 997 + n * 7919) % all.length] as Known);

/** Returns the country. */
async function add({ prisma, pool }: Database, { lat, lng }: Known, at: number): Promise<unknown> {
  const venue = { name: `New ${at}`, ll: { lat, lng }, primaryCategoryId: COFFEE_SHOP };
  const by = { userId: "bench", clientId: "bench" };
  const [added] = await prisma.$transaction((tx) => insertVenues({ tx, pool }, [venue as never], by));
  return added?.cc;
}
