import { fold, meaningOf, wordsIn } from "../../shared/csv/column-names.ts";
import { indexesOf } from "../columns.ts";
import { hemisphereIn } from "../row/joined.ts";
import { isPlausible } from "./plausible.ts";
import { areFineDegrees, type Guess, mayBeAnything } from "./values.ts";

/** Columns of one position, and what their names say of whose it is: `shop` of `shop_lat` and `shop_lng`. */
interface Pair {
  whose: string;
  lat: number;
  lng: number;
}

/** Takes the position that is likeliest the place's own, and after it those that fill its gaps. */
export function guessNamedPosition(guess: Guess): void {
  const { header, values, taken, cells } = guess;
  const halves = new Map<string, Partial<Pair>>();
  for (const [index, name] of header.entries()) {
    const half = taken.has(index) ? undefined : halfNamed(name, values[index] ?? []);
    if (!half || !isPlausible(half.axis, values[index] ?? [])) continue;
    const pair = halves.get(half.whose) ?? {};
    // Of "x" and "lon", the clearer name.
    if (half.rank < rankNamed(header[pair[half.axis] ?? -1])) pair[half.axis] = index;
    halves.set(half.whose, pair);
  }
  const pairs = [...halves].flatMap(([whose, { lat, lng }]): Pair[] =>
    lat === undefined || lng === undefined ? [] : [{ whose, lat, lng }],
  );
  const ranks = new Map(pairs.map((pair) => [pair, rankOf(pair, guess)]));
  const [best, ...others] = pairs.toSorted((a, b) => compare(ranks.get(a) ?? [], ranks.get(b) ?? []));
  if (!best) return;
  const fillers = others.filter(({ lat, lng, whose }) => {
    const isFilled = (row: string[]) => [lat, lng].every((index) => row[index]?.trim());
    return (
      !OF_OTHERS.test(whose) && cells.some(isFilled) && !cells.some((row) => isFilled(row) && row[best.lat]?.trim())
    );
  });
  for (const axis of ["lat", "lng"] as const) {
    const all = [best, ...fillers].map((pair) => pair[axis]);
    for (const index of all) taken.add(index);
    guess.columns[axis] = all.length > 1 ? all : best[axis];
  }
}

const rankNamed = (name: string | undefined): number =>
  name === undefined ? Infinity : (meaningOf(name)?.rank ?? LEAST);
const LEAST = 1000;

function halfNamed(name: string, values: string[]): { axis: "lat" | "lng"; whose: string; rank: number } | undefined {
  const rank = rankNamed(name);
  const axisOf = (text: string) => {
    const field = meaningOf(text)?.field;
    return field === "lat" || field === "lng" ? field : undefined;
  };
  const whole = axisOf(name);
  if (whole) return { axis: whole, whose: "", rank };
  const words = wordsIn(name);
  const at = words.findLastIndex((word) => word.length > 1 && axisOf(word) !== undefined);
  const axis = axisOf(words[at] ?? "");
  if (axis) return { axis, whose: words.toSpliced(at, 1).join(" ").toLowerCase(), rank };
  const [, before = "", glued = "", behind = ""] = GLUED.exec(fold(name)) ?? [];
  const gluedAxis = axisOf(glued);
  return gluedAxis && areFineDegrees(values) ? { axis: gluedAxis, whose: before || behind, rank } : undefined;
}

const GLUED = /^(.*?)(latitude|longitude|lat|lng|lon|long)$|^(?:latitude|longitude|lat|lng|lon|long)(.+)$/;

/** What belongs to somebody else: the depot, the customer, the corners of a map. Short words only as such: not alt of Altstadt. */
const OF_OTHERS =
  /depot|warehouse|deposito|entrep[oô]t|headoffice|zentrale|customer|\bclient|\bkunde|viewport|northeast|southwest|bbox|dropoff|\b(?:lager|hq|head|headquarters|office|users?|drivers?|billing|origin|home|my|sw|ne|min|max|drop|parking|access|entrance|entr[ée]e|entry|routes?|stop|previous|old|alt)\b/i;
const OF_ITSELF =
  /shop|store|site|venue|location|place|branch|outlet|main|poi|filiale|standort|tienda|local|magasin|negozio|winkel|geo|gps|wgs/i;

/** Worst first: empty, the same throughout, of something else, unlike the name's column, not called the place's own. */
function rankOf({ whose, lat, lng }: Pair, { header, values }: Guess): number[] {
  const all = [values[lat] ?? [], values[lng] ?? []];
  const isAlike = all.every((each) => each.length > 2 && new Set(each).size === 1);
  const isNames = header.some(
    (name) =>
      whose !== "" &&
      wordsIn(name).length > 1 &&
      fold(name).startsWith(fold(whose)) &&
      meaningOf(wordsIn(name).at(-1) ?? "")?.field === "name",
  );
  return [
    all.some(({ length }) => length === 0),
    isAlike,
    OF_OTHERS.test(whose),
    whose !== "",
    !isNames,
    !OF_ITSELF.test(whose),
  ].map(Number);
}

function compare(one: number[], other: number[]): number {
  const at = one.findIndex((each, index) => each !== other[index]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

/** Adds the column of N or S to the latitude, and that of E or W to the longitude. */
export function guessHemispheres({ header, values, columns, taken }: Guess): void {
  for (const [axis, letters] of [
    ["lat", "NS"],
    ["lng", "EWO"],
  ] as const) {
    const [own] = indexesOf(columns, axis);
    if (own === undefined) continue;
    const index = header.findIndex((name, at) => {
      const all = values[at] ?? [];
      const isBeside = at === own + 1 || at === own - 1;
      const isThere = isBeside ? mayBeAnything(name) || namesSide(name) || SIDE_OF.test(fold(name)) : namesSide(name);
      return (
        isThere &&
        !taken.has(at) &&
        all.length > 0 &&
        all.every((value) => letters.includes(hemisphereIn(value) ?? "-"))
      );
    });
    if (index < 0) continue;
    columns[axis] = [...indexesOf(columns, axis), index];
    taken.add(index);
  }
}

/** The values alone tell nothing: “S” and “N” are also yes and no. */
const namesSide = (name: string): boolean =>
  /hemisf|hemisph|emisfer|halbkugel|halvklot|halfrond|polkul/.test(fold(name)) ||
  wordsIn(name).some((word) => /^(?:ns|ew|eo|wo|northsouth|eastwest|nordsud|ostwest)$/.test(fold(word))) ||
  /^(?:n\W+s|e\W+[wo]|[wo]\W+e)$/i.test(name.trim()) ||
  SIDE_OF_AXIS.test(fold(name));

const SIDE_OF = /^(?:dir|direction|direccion|direzione|richtung|himmelsrichtung|compass|ref|side|seite|cardinal)\d*$/;
const SIDE_OF_AXIS =
  /(?:lat|lng|lon|long|latitud\w?|longitud\w?|breite|lange|laenge)(?:dir|direction|ref|richtung|compass|letter|side|cardinal)\d*$/;
