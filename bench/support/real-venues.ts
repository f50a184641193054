import { readdirSync } from "node:fs";
import path from "node:path";
import { readVenues } from "../../src/directory/import/read-venues.ts";
import { type MadeVenue, madeOf } from "./venues.ts";

/** Degrees east, and -1 to swap north and south: copies of a country this far apart hardly touch. */
const SHIFTS = [0, 100, 200, 50].flatMap((east) => [1, -1].map((side) => ({ east, side })));

/**
 * Yields `rows` venues of `scale/*.csv.gz` in the folder, always the same ones, followed by copies in other parts of the earth,
 * so that the density stays the same. Throws if eight copies are not enough.
 */
export async function* realVenues(folder: string, rows: number): AsyncGenerator<MadeVenue> {
  const scale = path.join(folder, "scale");
  const files = readdirSync(scale).filter((name) => name.endsWith(".csv.gz"));
  let made = 0;
  for (const [copy, shift] of SHIFTS.entries())
    for (const file of files.sort())
      for await (const { fields } of readVenues(path.join(scale, file))) {
        if (!fields) continue;
        if (made++ === rows) return;
        yield moved(madeOf(fields), copy, shift);
      }
  if (made < rows) throw new Error(`${scale} has only ${made} venues.`);
}

/** Changes the telephone number, too: otherwise one number would find all copies. */
function moved(venue: MadeVenue, copy: number, { east, side }: { east: number; side: number }): MadeVenue {
  const lng = Number(venue.lng) + east;
  const phone = copy === 0 ? venue.phone : venue.phone.replace(/\d(?=\D*$)/, `$&${copy}`);
  return {
    ...venue,
    id: `${copy}-${venue.id}`,
    lat: side * Number(venue.lat),
    lng: lng > 180 ? lng - 360 : lng,
    phone,
  };
}
