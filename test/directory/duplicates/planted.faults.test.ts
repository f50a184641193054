import { expect, test } from "vitest";
import { withPhones } from "../../../bench/support/find-planted.ts";
import { plantDuplicates } from "../../../bench/support/planted-duplicates.ts";
import { readSample, writeVenues } from "../../../bench/support/venues.ts";
import { searching } from "./searching.ts";

const { folder, run, search, pairs } = await searching();

/** Found of 15, slightly below `npm run bench -- duplicates`. */
const LEAST_FOUND: Record<string, number> = { spelling: 12, "other category": 12, "renamed in part": 13 };
const MOST_FOUND: Record<string, number> = { "same first word": 1 };
const EACH = 15;
/** Not the one of the benchmark, by which the search was made. */
const SEED = 2027;
/** Of the sample. */
const SHARE = 3;

test("C49: finds what people add twice in each of their ways, and takes nothing that is only alike for one place", async () => {
  const sample = withPhones((await readSample()).filter((_, at) => at % SHARE === 0));
  const planted = plantDuplicates(sample, EACH, SEED);
  const file = `${folder}/planted.csv`;
  await writeVenues(
    file,
    (async function* () {
      yield* sample;
      for (const { venue } of planted) yield venue;
    })(),
  );
  await run(file, { keepIds: true });
  await search();
  const found = new Set(await pairs());
  const kinds = [...Map.groupBy(planted, ({ kind }) => kind)].map(([kind, all]) => {
    const count = all.filter(({ of, venue }) => found.has([of, venue.id].sort().join(" "))).length;
    const isSame = all[0]?.isSame ?? false;
    const isRight = isSame ? count >= (LEAST_FOUND[kind] ?? EACH - 1) : count <= (MOST_FOUND[kind] ?? 0);
    return { kind, isSame, count, isRight };
  });
  expect(kinds.filter(({ isRight }) => !isRight)).toEqual([]);
  expect(kinds.filter(({ isSame }) => isSame)).toHaveLength(13);
}, 120_000);
