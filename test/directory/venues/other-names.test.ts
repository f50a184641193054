import { describe, expect, test } from "vitest";
import { openDatabase } from "../../../src/db/database.ts";
import { candidatesOf, candidatesOfEach } from "../../../src/directory/venues/candidates.ts";
import { matchEach } from "../../../src/directory/venues/search/match-each.ts";
import { candidatesAmongNeighbours } from "../../../src/directory/venues/search/neighbours.ts";
import { searchVenues } from "../../../src/directory/venues/search/search.ts";
import { searchEverywhere, searchText } from "../../../src/directory/venues/text/search.ts";
import { testDatabase } from "../../support/database/database.ts";
import { addSpots, island, metres, type Spot } from "./islands.ts";

const { database, url } = await testDatabase({ template: "sample" });
const { pool } = database;

const STARTS = ["Blue Heron", "Old Mill", "Acropolis", "Queen Victoria", "River Side", "Golden Gate"];
const KINDS: [kind: string, english: string, others: string[]][] = [
  ["museum", "Museum", ["Μουσείο", "متحف", "博物館", "Музей", "박물관", "מוזיאון"]],
  ["hotel", "Hotel", ["Ξενοδοχείο", "فندق", "ホテル", "Гостиница", "호텔", "מלון"]],
];
const OWN = ["Γλάρος", "النورس", "かもめ", "Чайка", "갈매기", "שחף"];

/** Sixty places in six scripts that have another name; some metres to some hundred apart. */
function places(kind: string, at: { lat: number; lng: number }): Spot[] {
  return Array.from({ length: 60 }, (_, n) => {
    const [, english, others] = KINDS[n % 2] as (typeof KINDS)[number];
    const name = `${others[n % 6]} ${OWN[Math.floor(n / 6) % 6]} ${n}`;
    const other = `${STARTS[n % 6]} ${english} ${["North", "Pearl", "Lane", "Cedar", "Juno", "Iris", "Opal", "Vega", "Rome", "Kent"][Math.floor(n / 6)]}`;
    const place = { lat: at.lat + metres(37 * n), lng: at.lng };
    return { id: `${kind}-${n}`, name, otherNames: [{ kind, name: other }], ...place };
  });
}

const listingOf = ({ otherNames = [], lat, lng }: Spot) => ({ name: otherNames[0]?.name ?? "", ll: { lat, lng } });
const asked = (spot: Spot) => ({ ...listingOf(spot), intent: "match" as const, limit: 10, v: "20260101" });

test.each(["common:en", "alternate", "old"])(
  "C90: of sixty places in other scripts each is matched by its name of the kind %s, alone and in a batch",
  async (kind) => {
    const spots = places(kind, island());
    await addSpots(pool, spots);
    const single = await Promise.all(spots.map((spot) => searchVenues(pool, asked(spot) as never)));
    expect(single.map(({ venues }) => venues[0]?.id)).toEqual(spots.map(({ id }) => id));
    const batch = await matchEach(pool, spots.map(asked) as never, performance.now() + 60_000);
    const told = (results: unknown[]) =>
      (results as typeof single).map(({ venues, confident }) => [
        confident,
        ...venues.map(({ id, score, evidence }) => [id, score, evidence]),
      ]);
    expect(told(batch)).toEqual(told(single));
  },
);

test("C90: candidates by other names come in addition to all others, the same alone and among neighbours", async () => {
  const at = island();
  const words = ["Blue", "Heron", "Mill", "House", "Bar", "Kiosk", "Μύλος", "咖啡", "Café", "No 5"];
  const wordAt = (n: number) => words[n % words.length] ?? "";
  const spots = Array.from({ length: 150 }, (_, n) => ({
    ...{ id: `mixed-${n}`, name: `${wordAt(n)} ${wordAt(n * 7 + 3)}`, lat: at.lat + metres((n * 13) % 900) },
    lng: at.lng + metres((n * 29) % 700),
    otherNames: Array.from({ length: n % 4 }, (_, k) => ({
      kind: "alternate",
      name: `${wordAt(n * 3 + k)} ${wordAt(n + 5 * k)} ${wordAt(n * 11)}`,
    })),
  }));
  await addSpots(pool, spots);
  const listings = spots.flatMap(({ lat, lng, name, otherNames }) =>
    [name, ...otherNames.map((each) => each.name), `${name} Inn`].map((each) => ({ name: each, lat, lng })),
  );
  const [among, alone] = [await candidatesAmongNeighbours(pool, listings), await candidatesOfEach(pool, listings)];
  const idsOf = (rows: { id: string }[] | undefined) => rows?.map(({ id }) => id);
  const compared = listings.flatMap((_, index) => (among[index] ? index : []));
  expect(compared.length).toBeGreaterThan(100);
  for (const index of compared) expect(idsOf(among[index])).toEqual(idsOf(alone[index]));
  await pool.query("UPDATE directory.venue SET other_names_norm = NULL WHERE id LIKE 'mixed-%'");
  const without = await candidatesOfEach(pool, listings);
  for (const [index, rows] of without.entries()) {
    const others = new Set(idsOf(alone[index]));
    expect(rows.filter(({ id }) => !others.has(id))).toEqual([]);
  }
});

describe("C93: another name at each distance", () => {
  const OWN = { none: "Μύλος", similar: "Blue Heron Mill Works Deli Kitchen", alike: "Blue Heron Mills" };
  const REACH = { none: 1_500, similar: 600, alike: 200 };
  const AWAY = [0, 150, 190, 210, 550, 620, 1_000, 1_480, 1_530];
  const name = "Blue Heron Mill";

  test.each(["none", "similar", "alike"] as const)(
    "is found as far as a close name that is %s leaves it, alone, among neighbours and of several tiles",
    async (own) => {
      const { lat, lng } = island();
      const spots = [-1, 1].flatMap((side, at) =>
        AWAY.map((away) => ({
          ...{ id: `${own}-${at}-${away}`, name: `Γλάρος ${away}`, otherNames: [{ kind: "alternate", name }] },
          ...{ lat, lng: lng + (side * metres(away)) / Math.cos((lat * Math.PI) / 180) },
        })),
      );
      const beside = { lat: lat + metres(400), lng };
      await addSpots(pool, [...spots, { id: `${own}-own`, name: OWN[own], ...beside }]);
      const listings = Array.from({ length: 24 }, () => ({ name, lat, lng }));
      const distributed = openDatabase(url, { isDistributed: true });
      const [among, alone, tiles] = [
        await candidatesAmongNeighbours(pool, listings),
        await candidatesOfEach(pool, listings),
        await candidatesOfEach(distributed.pool, listings),
      ];
      await distributed.close();
      const byOther = alone[0]?.filter((venue) => venue.otherNames).map(({ id }) => id);
      // The nearest are candidates by any name.
      if (own === "alike") expect(byOther?.sort()).toEqual(idsWithin(spots, REACH[own], AWAY).sort());
      else expect(byOther).toEqual(expect.arrayContaining(idsWithin(spots, REACH[own], AWAY)));
      for (const found of [among[0], tiles[0]])
        expect(found?.map(({ id }) => id)).toEqual(alone[0]?.map(({ id }) => id));
    },
  );
});

const idsWithin = (spots: readonly Spot[], reach: number, away: readonly number[]): string[] =>
  spots.flatMap(({ id = "" }, at) => ((away[at % away.length] as number) <= reach ? [id] : []));

test("C90: an index of joined names finds each venue that one of its names would find", async () => {
  const { rows } = await pool.query<{ missed: number; found: number }>(
    `WITH name AS (SELECT name_norm, row_number() OVER (ORDER BY id) AS n FROM directory.venue WHERE id < '2'),
          venue AS (SELECT string_agg(name_norm, '|' ORDER BY n % 7, n) AS names FROM name GROUP BY n / 5 LIMIT 150),
          listing AS (SELECT left(name_norm, 4 + (n % 30)::int) AS sought FROM name ORDER BY n DESC LIMIT 300)
     SELECT count(*) FILTER (WHERE NOT names %> sought)::int AS missed, count(*)::int AS found FROM venue, listing
      WHERE EXISTS (SELECT FROM unnest(string_to_array(names, '|')) AS name WHERE name % sought)`,
  );
  expect(rows[0]?.found).toBeGreaterThan(100);
  expect(rows[0]?.missed).toBe(0);
});

test("C91: a text search finds a venue by each of its names, by parts of them, and beside its town", async () => {
  const at = island();
  const otherNames = ["Quuxropolis Museum", "New Museum of Sights", "新卫城博物馆"].map((name) => ({
    kind: "alternate",
    name,
  }));
  await addSpots(pool, [{ id: "acropolis", name: "Μουσείο Ακρόπολης", ...at, otherNames }]);
  await pool.query("UPDATE directory.venue SET city = 'Quuxton' WHERE id = 'acropolis'");
  await pool.query("REFRESH MATERIALIZED VIEW directory.name_word");
  const terms = ["quuxropolis museum", "Quuxropolis", "QuuxropolisMuseum", "new museum of sights", "新卫城博物馆"];
  for (const term of [...terms, "quuxropolis museum quuxton", "quuxropolys museum", "μουσειο ακροπολης"]) {
    const near = await searchText(pool, { term, center: at, count: 5 });
    expect([term, near[0]?.id]).toEqual([term, "acropolis"]);
    const everywhere = await searchEverywhere(pool, { term, count: 30 });
    expect([term, everywhere.map(({ id }) => id)]).toEqual([term, expect.arrayContaining(["acropolis"])]);
  }
});

test("C91: the nearest of many by a common word are found by their other names too", async () => {
  const at = island();
  const many = Array.from({ length: 1_200 }, (_, n) => ({
    name: `Zyxbar ${n}`,
    lat: at.lat + 0.3,
    lng: at.lng + metres(n),
  }));
  const near = { id: "zyx", name: "Γωνία", lat: at.lat + metres(40), lng: at.lng };
  await addSpots(pool, [...many, { ...near, otherNames: [{ kind: "alternate", name: "Zyxbar Corner" }] }]);
  expect((await searchText(pool, { term: "zyxbar", center: at, count: 5 }))[0]?.id).toBe("zyx");
});

test("C90: a venue without other names is asked for as before", async () => {
  const at = island();
  await addSpots(pool, [{ name: "Corner Books", ...at }]);
  expect((await candidatesOf(pool, { name: "Corner Books", ...at })).map(({ name }) => name)).toEqual(["Corner Books"]);
});
