import type { Pool } from "pg";
import { normalizeName } from "../../../matching/normalize/normalize.ts";
import type { Area } from "../nearest.ts";
import type { VenueRow } from "../rows.ts";
import { type Ask, askEverywhere, askIn, type Ranked, type Scope } from "./ask.ts";
import { categoriesCalled } from "./categories.ts";
import { readingsOf, readTerm, type Term, withoutOne } from "./readings.ts";
import { respell } from "./spelling.ts";

/** Metres; the default radius. */
export const FARTHEST = 100_000;

/** Metres. With enough good results this near, the search stops. */
const NEAR = 10_000;
const ENOUGH = 20;
const GOOD = 0.9;

/** `isThorough` also returns looser results, for callers that compare venues themselves. */
interface Wanted {
  term: string;
  count: number;
  isThorough?: boolean;
}

/** If no venue has all words, tries corrected spelling, then the last words as a landmark, then one word less. */
export async function searchText(
  pool: Pool,
  { term, count, radius = FARTHEST, isThorough = false, ...area }: Wanted & { radius?: number } & Area,
): Promise<VenueRow[]> {
  const text = normalizeName(term).replace(/(?<=\S) (?:near|nearby|close to|around) (?:me|here|by|us)$| nearby$/, "");
  const scope = { ...area, radius, count };
  const near = await searchNearLandmark(pool, saidNear(text), scope);
  if (near.length > 0) return venuesOf(near, count);
  const read = readTerm(text);
  const readings = readingsOf(read);
  const isBroad = read.words.length === 1 || readings.some(({ ids }) => ids);
  if (isBroad && !area.boxes && radius > NEAR) {
    const nearest = await askIn(pool, { ...scope, radius: NEAR })(read, readings);
    const good = nearest.filter(({ quality }) => quality >= GOOD);
    if (good.length >= Math.max(count, ENOUGH)) return venuesOf(nearest, count);
  }
  const landmarks = () => searchNearLandmark(pool, perhapsNear(read), scope);
  return venuesOf(await searchLooser(pool, read, { ask: askIn(pool, scope), landmarks, isThorough }), count);
}

export async function searchEverywhere(
  pool: Pool,
  { term, count, isThorough = false, ...area }: Wanted & Pick<Area, "categoryIds" | "held">,
): Promise<VenueRow[]> {
  const ask = askEverywhere(pool, count, area);
  return venuesOf(await searchLooser(pool, readTerm(normalizeName(term)), { ask, isThorough }), count);
}

interface Looser {
  ask: Ask;
  landmarks?: () => Promise<Ranked[]>;
  isThorough: boolean;
}

async function searchLooser(pool: Pool, term: Term, { ask, landmarks, isThorough }: Looser): Promise<Ranked[]> {
  const found = await ask(term, readingsOf(term));
  if (found.length > 0 && !isThorough) return found;
  const likely = await respell(
    pool,
    term.words.map(({ text }) => text),
  );
  const meant = readTerm(term.text, likely);
  if (likely.size > 0) found.push(...(await ask(meant, readingsOf(meant))));
  if (found.length === 0 && landmarks) found.push(...(await landmarks()));
  if (found.length === 0 || isThorough) found.push(...(await ask(meant, withoutOne(meant))));
  return found;
}

const venuesOf = (found: readonly Ranked[], count: number): VenueRow[] =>
  [...new Map(found.map(({ venue }) => [venue.id, venue])).values()].slice(0, count);

/** Metres around a landmark. */
const AROUND = 2_000;

type NearLandmark = readonly [what: string, landmark: string];

/** Splits a normalized term such as "pizza near brown". */
function saidNear(text: string): NearLandmark[] {
  const [, what, landmark] = /^(.+?) (?:near|nearby|close to|around) (.+)$/.exec(text) ?? [];
  return what && landmark ? [[what, landmark]] : [];
}

/** The last one or two words may be a landmark, as in "cvs wayland square". */
const perhapsNear = ({ words }: Term): NearLandmark[] =>
  [2, 1].flatMap((count) => {
    const textOf = (some: Term["words"]) => some.map(({ text }) => text).join(" ");
    const [what, landmark] = [textOf(words.slice(0, -count)), textOf(words.slice(-count))];
    return what === "" || categoriesCalled(landmark).size > 0 ? [] : [[what, landmark] as const];
  });

async function searchNearLandmark(pool: Pool, ways: readonly NearLandmark[], scope: Scope): Promise<Ranked[]> {
  for (const [what, landmark] of ways) {
    const [place] = await askFor(pool, landmark, { ...scope, categoryIds: undefined, count: 1 });
    const radius = Math.min(AROUND, scope.radius);
    const found = place ? await askFor(pool, what, { ...scope, center: place.venue, boxes: undefined, radius }) : [];
    if (found.length > 0) return found;
  }
  return [];
}

function askFor(pool: Pool, text: string, scope: Scope): Promise<Ranked[]> {
  const term = readTerm(text);
  return askIn(pool, scope)(term, readingsOf(term));
}
