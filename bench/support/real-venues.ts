import { readdirSync } from "node:fs";
import path from "node:path";
import { readRecords } from "../../src/directory/import/read-records.ts";
import type { MadeVenue } from "./venues.ts";

/** Degrees east, and whether north and south change places: copies of a country this far apart hardly touch. */
const SHIFTS = [0, 100, 200, 50].flatMap((east) => [1, -1].map((side) => ({ east, side })));

/**
 * `rows` venues of the files `scale/*.csv.gz` in the folder, the same ones every time. Once they are used up, copies of
 * all of them follow at other ends of the earth, so that the neighbourhoods stay as dense as they are.
 *
 * @throws Error when there are no such files, or more rows are asked for than eight copies have
 */
export async function* realVenues(folder: string, rows: number): AsyncGenerator<MadeVenue> {
  const scale = path.join(folder, "scale");
  const files = readdirSync(scale).filter((name) => name.endsWith(".csv.gz"));
  let made = 0;
  for (const [copy, shift] of SHIFTS.entries())
    for (const file of files.sort())
      for await (const { fields } of readRecords(path.join(scale, file))) {
        if (!fields) continue;
        if (made++ === rows) return;
        yield moved(fields as unknown as MadeVenue, copy, shift);
      }
  if (made < rows) throw new Error(`${scale} has ${made} venues only.`);
}

/** Its telephone number changes with the copy: else one number would find all of them. */
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
