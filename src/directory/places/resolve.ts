import type { Pool } from "pg";
import type { LatLng } from "../../contract/parameters.ts";
import { KnownError } from "../../shared/errors.ts";
import { editDistance } from "./edit-distance.ts";
import { PLACE_COLUMNS, type Place, type PlaceKey } from "./place.ts";
import { choose, type Reading, readAs } from "./reading.ts";
import { countryCode, stateCodes } from "./regions.ts";
import { codeSpans, nameSpans, readWords, type Said, type Span, spanText, unknownName } from "./said.ts";

/**
 * Ignores case and accents, and corrects misspelt towns. Of several places it chooses the nearest to `from`, or the one
 * with most venues. Throws KnownError 400 failed_geocode (wire-format 3).
 */
export async function resolvePlace(pool: Pool, near: string, from?: LatLng): Promise<Reading> {
  const said = readWords(near);
  const best = choose(await readNames(pool, said), from) ?? choose(await readMisspelt(pool, said), from);
  if (best) return best;
  const beginning = [...near].slice(0, 100).join("");
  throw new KnownError(400, "failed_geocode", `Couldn't geocode param near: ${beginning}`, {
    title: "The directory does not know this place. Give a town, a state, a postal code or a position.",
  });
}

async function readNames(pool: Pool, said: Said): Promise<Reading[]> {
  const names = namesIn(said);
  const { rows } = await pool.query<Place>({
    name: "places-named",
    text: `SELECT ${PLACE_COLUMNS} FROM directory.place p WHERE p.name_norm = ANY($1::text[])
            ORDER BY p.venues DESC LIMIT 500`,
    values: [[...new Set(names.map(({ nameNorm }) => nameNorm))]],
  });
  return rows.flatMap((place) =>
    names
      .filter(({ kind, nameNorm }) => kind === place.kind && nameNorm === place.nameNorm)
      .flatMap(({ span }) => readAs(place, said, span) ?? []),
  );
}

function namesIn(said: Said): (Pick<PlaceKey, "kind" | "nameNorm"> & { span: Span })[] {
  const names = nameSpans(said).flatMap((span) => {
    const text = spanText(said, span);
    const codes = stateCodes(text).map((code) => code.toLowerCase());
    return [
      ...spellings(text).map((nameNorm) => ({ kind: "city" as const, nameNorm, span })),
      ...[text, ...codes].map((nameNorm) => ({ kind: "state" as const, nameNorm, span })),
      { kind: "country" as const, nameNorm: countryCode(text)?.toLowerCase() ?? "", span },
    ];
  });
  const zips = codeSpans(said).map((span) => ({
    kind: "zip" as const,
    nameNorm: spanText(said, span).replaceAll(" ", ""),
    span,
  }));
  return [...names, ...zips];
}

const SHORT_FORMS = { saint: "st", sainte: "ste", mount: "mt", fort: "ft" };

function spellings(name: string): string[] {
  let [short, long] = [` ${name} `, ` ${name} `];
  for (const [full, brief] of Object.entries(SHORT_FORMS)) {
    short = short.replaceAll(` ${full} `, ` ${brief} `);
    long = long.replaceAll(` ${brief} `, ` ${full} `);
  }
  return [...new Set([name, short.trim(), long.trim()])];
}

async function readMisspelt(pool: Pool, said: Said): Promise<Reading[]> {
  const span = unknownName(said);
  const name = span && spanText(said, span);
  if (!name || mistakes(name) === 0) return [];
  const { rows } = await pool.query<Place>({
    name: "places-misspelt",
    text: `SELECT ${PLACE_COLUMNS} FROM directory.place p WHERE p.kind = 'city' AND p.name_norm % $1
            ORDER BY similarity(p.name_norm, $1) DESC, p.venues DESC LIMIT 100`,
    values: [name],
  });
  const readings = rows.flatMap((place) => {
    const off = editDistance(name, place.nameNorm);
    const reading = off <= mistakes(name) ? readAs(place, said, span) : undefined;
    return reading ? { reading, off } : [];
  });
  const least = Math.min(...readings.map(({ off }) => off));
  return readings.flatMap(({ reading, off }) => (off === least ? reading : []));
}

/** How many letters may be wrong; none in short names, which would match others, or in long texts. */
const mistakes = ({ length }: string): number => (length < 5 || length > 40 ? 0 : length < 8 ? 1 : length < 12 ? 2 : 3);
