import pg from "pg";
import { venueId } from "../../src/directory/import/venue-row.ts";
import { type Planted, plantDuplicates } from "./planted-duplicates.ts";
import { samespot } from "./programs.ts";
import type { Row, Tables } from "./report.ts";
import type { Scratch } from "./scratch.ts";
import { type MadeVenue, readSample, writeVenues } from "./venues.ts";

const SOURCE = "planted";

/** Searches the sample with planted duplicates and near-misses, `each` of every kind. */
export async function measurePlanted(scratch: Scratch, file: string, each: number): Promise<Tables> {
  const sample = withPhones(await readSample());
  const planted = plantDuplicates(sample, each);
  await writeVenues(file, allOf(sample, planted));
  await samespot(scratch, ["import", file, "--source", SOURCE]);
  await samespot(scratch, ["venues", "duplicates"]);
  const pairs = await pairsFound(scratch.url);
  const isFound = ({ of, venue }: Planted) => pairs.has(keyOf(of, venue.id));
  const kinds = [...Map.groupBy(planted, ({ kind }) => kind).values()];
  const rows = kinds.map((all): Row => {
    const found = all.filter(isFound).length;
    const [first] = all;
    return { kind: first?.kind ?? "", "one place": first?.isSame ? "yes" : "no", planted: all.length, found };
  });
  const same = planted.filter(({ isSame }) => isSame);
  const found = planted.filter(isFound);
  const right = found.filter(({ isSame }) => isSame).length;
  const isPlanted = new Set(planted.map(({ of, venue }) => keyOf(of, venue.id)));
  const total: Row = {
    duplicates: same.length,
    "near-misses": planted.length - same.length,
    recall: right / same.length,
    precision: right / found.length,
    "other pairs found": [...pairs].filter((key) => !isPlanted.has(key)).length,
  };
  return { "Planted in the sample": rows, "All that were planted": [total] };
}

async function* allOf(sample: readonly MadeVenue[], planted: readonly Planted[]): AsyncGenerator<MadeVenue> {
  yield* sample;
  for (const { venue } of planted) yield venue;
}

/** Three in four of the venues, as real directories have them; the sample has hardly any. */
export const withPhones = (venues: readonly MadeVenue[]): MadeVenue[] =>
  venues.map((venue, at) =>
    venue.phone || at % 4 === 0 ? venue : { ...venue, phone: `+1401${2_000_000 + 613 * at}` },
  );

const keyOf = (one: string, other: string): string =>
  [one, other]
    .map((id) => venueId(SOURCE, id))
    .sort()
    .join(" ");

async function pairsFound(url: string): Promise<Set<string>> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client
    .query<{ key: string }>("SELECT a_id || ' ' || b_id AS key FROM directory.duplicate_pair")
    .finally(() => client.end());
  return new Set(rows.map(({ key }) => key));
}
