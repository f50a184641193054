import type { Pool } from "pg";
import type { LatLng } from "../../contract/parameters.ts";
import { countryCode, stateCodes } from "../../matching/normalize/regions.ts";
import { KnownError } from "../../shared/errors.ts";
import { editDistance } from "./edit-distance.ts";
import { PLACE_COLUMNS, type Place, type PlaceKey } from "./place.ts";
import { choose, type Reading, readAs } from "./reading.ts";
import { codeSpans, lastNames, nameSpans, readWords, type Said, type Span, spanText, unknownName } from "./said.ts";

/**
 * Ignores case and accents, and corrects misspelt towns. Of several places it chooses the nearest to `from`, or the one
 * with most venues. Throws KnownError 400 failed_geocode (wire-format 3).
 */
export async function resolvePlace(pool: Pool, near: string, from?: LatLng): Promise<Reading> {
  const said = readWords(near);
  const ways = [
    () => readNames(pool, said, [...names(said, nameSpans(said)), ...zips(said)]),
    () => readNames(pool, said, zipsWithZeros(said)),
    () => readMisspelt(pool, said),
    () => readNames(pool, said, names(said, lastNames(said))),
  ];
  for (const read of ways) {
    const best = choose(await read(), from);
    if (best) return best;
  }
  const beginning = [...near].slice(0, 100).join("");
  throw new KnownError(400, "failed_geocode", `Couldn't geocode param near: ${beginning}`, {
    title:
      "The directory has no venues in a place of this name. Give a position, a town nearby, a state or a postal code.",
  });
}

interface Named extends Pick<PlaceKey, "kind" | "nameNorm"> {
  span: Span;
}

async function readNames(pool: Pool, said: Said, named: Named[]): Promise<Reading[]> {
  if (named.length === 0) return [];
  const { rows } = await pool.query<Place>({
    name: "places-named",
    text: `SELECT ${PLACE_COLUMNS} FROM directory.place p WHERE p.name_norm = ANY($1::text[])
            ORDER BY p.venues DESC LIMIT 500`,
    values: [[...new Set(named.map(({ nameNorm }) => nameNorm))]],
  });
  return rows.flatMap((place) =>
    named
      .filter(({ kind, nameNorm }) => kind === place.kind && nameNorm === place.nameNorm)
      .flatMap(({ span }) => readAs(place, said, span) ?? []),
  );
}

const names = (said: Said, spans: Span[]): Named[] =>
  spans.flatMap((span) => {
    const text = spanText(said, span);
    const codes = stateCodes(text).map((code) => code.toLowerCase());
    return [
      ...spellings(text).map((nameNorm) => ({ kind: "city" as const, nameNorm, span })),
      ...[text, ...codes].map((nameNorm) => ({ kind: "state" as const, nameNorm, span })),
      { kind: "country" as const, nameNorm: countryCode(text)?.toLowerCase() ?? "", span },
    ];
  });

const zips = (said: Said): Named[] =>
  codeSpans(said).map((span) => ({
    kind: "zip" as const,
    nameNorm: spanText(said, span).replaceAll(" ", ""),
    span,
  }));

/** Postal codes of countries with five to eight digits, of which a spreadsheet has taken the zeros: 4098 for 04098. */
const zipsWithZeros = (said: Said): Named[] =>
  zips(said).flatMap(({ nameNorm, ...zip }) =>
    /^[1-9]\d{2,6}$/.test(nameNorm) ? ["0", "00"].map((zeros) => ({ ...zip, nameNorm: zeros + nameNorm })) : [],
  );

const SHORT_FORMS = { saint: "st", sainte: "ste", mount: "mt", fort: "ft" };

function spellings(name: string): string[] {
  let [short, long] = [` ${name} `, ` ${name} `];
  for (const [full, brief] of Object.entries(SHORT_FORMS)) {
    short = short.replaceAll(` ${full} `, ` ${brief} `);
    long = long.replaceAll(` ${brief} `, ` ${full} `);
  }
  return [...new Set([name, short.trim(), long.trim(), ...withoutDigraphs(name)])];
}

/** Letters that are spelled out where a keyboard lacks them: "Aeroe" is "Ærø", "Aalborg" may be stored as "Ålborg". */
const DIGRAPHS = { ae: "a", oe: "o", ue: "u", aa: "a" };

function withoutDigraphs(name: string): string[] {
  let found = [name];
  for (const [spelled, plain] of Object.entries(DIGRAPHS))
    if (name.includes(spelled)) found = found.flatMap((each) => [each, each.replaceAll(spelled, plain)]);
  return found;
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
