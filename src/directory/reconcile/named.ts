import type { Pool } from "pg";
import { KnownError } from "../../errors.ts";
import { degreesOf, radians } from "../../matching/distance.ts";
import type { Area } from "../../matching/match-incomplete.ts";
import { boundsOf } from "../places/geocode.ts";
import type { Place } from "../places/place.ts";
import { resolvePlace } from "../places/resolve.ts";
import { boxesBetween } from "../venues/mercator.ts";
import type { VenueRow } from "../venues/rows.ts";
import { searchEverywhere, searchText } from "../venues/text-search.ts";
import type { Wanted } from "./wanted.ts";

/** Venues looked at for a name without a position. */
const NAMESAKES = 50;

/** Metres around a place that belong to it as well: its bounds leave out the outermost venues. */
const OUTSKIRTS = 3_000;

/** The venues with a name like this one in the place that the query names; everywhere, when it names none we know. */
export async function venuesNamed(
  pool: Pool,
  name: string,
  words: Wanted["place"],
): Promise<{ rows: VenueRow[]; area: Area }> {
  const place = await placeMeant(pool, words);
  if (!place)
    return { rows: await searchEverywhere(pool, { term: name, count: NAMESAKES, isThorough: true }), area: "anywhere" };
  const { lat, lng } = place;
  const rows = await searchText(pool, {
    term: name,
    center: { lat, lng },
    boxes: boxesOf(place),
    count: NAMESAKES,
    isThorough: true,
  });
  return { rows, area: AREAS[place.kind] };
}

const AREAS: Record<Place["kind"], Area> = { zip: "district", city: "town", state: "anywhere", country: "anywhere" };

/** The narrowest place that the words name. One that is not what its column says it is does not count. */
async function placeMeant(pool: Pool, { zip, city, state, country }: Wanted["place"]): Promise<Place | undefined> {
  const around = [state, country];
  const columns: [Place["kind"], (string | undefined)[]][] = [
    ["zip", zip ? [zip, ...around] : []],
    ["city", city ? [city, ...around] : []],
    ["state", state ? around : []],
    ["country", [country]],
  ];
  for (const [kind, parts] of columns) {
    const text = parts.filter(Boolean).join(", ");
    const place = text ? await placeCalled(pool, text) : undefined;
    if (place?.kind === kind) return place;
  }
  return undefined;
}

async function placeCalled(pool: Pool, text: string): Promise<Place | undefined> {
  try {
    return (await resolvePlace(pool, text)).place;
  } catch (error) {
    if (error instanceof KnownError && error.code === "failed_geocode") return undefined;
    throw error;
  }
}

function boxesOf(place: Place): string[] {
  const { sw, ne } = boundsOf(place);
  const height = degreesOf(OUTSKIRTS);
  const width = height / Math.max(0.01, Math.cos(radians(place.lat)));
  return boxesBetween({ lat: sw.lat - height, lng: sw.lng - width }, { lat: ne.lat + height, lng: ne.lng + width });
}
