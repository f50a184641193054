import type { Pool } from "pg";
import { degreesOf, radians } from "../../../matching/distance.ts";
import type { Area } from "../../../matching/match-incomplete.ts";
import { withoutStoreNumber } from "../../../matching/normalize/store-number.ts";
import { boundsOf } from "../../places/geocode.ts";
import type { Place } from "../../places/place.ts";
import { boxesBetween } from "../mercator.ts";
import type { VenueRow } from "../rows.ts";
import { searchEverywhere, searchText } from "../text/search.ts";

/** Venues looked at for a name without a position. */
const NAMESAKES = 50;

/** Metres around a place that belong to it as well: its bounds leave out the outermost venues. */
const OUTSKIRTS = 3_000;

/** The venues with a name like this one in a place, everywhere without one, and how wide that is; at most 50. */
export async function venuesNamedIn(
  pool: Pool,
  name: string,
  place: Place | undefined,
): Promise<{ rows: VenueRow[]; area: Area }> {
  const wanted = { term: withoutStoreNumber(name), count: NAMESAKES, isThorough: true };
  if (!place) return { rows: await searchEverywhere(pool, wanted), area: "anywhere" };
  const { lat, lng } = place;
  const rows = await searchText(pool, { ...wanted, center: { lat, lng }, boxes: boxesOf(place) });
  return { rows, area: AREAS[place.kind] };
}

const AREAS: Record<Place["kind"], Area> = { zip: "district", city: "town", state: "anywhere", country: "anywhere" };

function boxesOf(place: Place): string[] {
  const { sw, ne } = boundsOf(place);
  const height = degreesOf(OUTSKIRTS);
  const width = height / Math.max(0.01, Math.cos(radians(place.lat)));
  return boxesBetween({ lat: sw.lat - height, lng: sw.lng - width }, { lat: ne.lat + height, lng: ne.lng + width });
}
