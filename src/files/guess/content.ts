import { type Field, indexesOf } from "../columns.ts";
import { parseDegrees } from "../row/position.ts";
import { guessMetres } from "./codes.ts";
import { isPlausible, saysTown } from "./plausible.ts";
import {
  areFineDegrees,
  areIds,
  type Guess,
  isCountry,
  isLetterCode,
  isPhone,
  isPosition,
  isText,
  isUrl,
  isWords,
  isZip,
  moreThan,
  streetLikeness,
  variety,
} from "./values.ts";

interface Column {
  index: number;
  values: string[];
}

export function guessByContent(guess: Guess): void {
  const isNamed = guess.taken.size > 0;
  guessPosition(guess);
  if (isNamed) {
    takeFirst(guess, "phone", ({ values }) => moreThan(0.7, values, isPhone));
    // Under a name that says nothing, such as "Where"; a note may name a street.
    guessStreet(guess, 1.5);
    if (guess.columns.name === 0) return;
    guessId(guess, { rows: TELLING_ROWS });
    takeFirst(
      guess,
      "name",
      ({ values }) => moreThan(0.8, values, isText) && variety(values) > 0.5 && isPlausible("name", values),
    );
    return;
  }
  guessId(guess, { columns: 1 });
  takeFirst(guess, "zip", ({ values }) => moreThan(0.8, values, isZip));
  takeFirst(guess, "phone", ({ values }) => moreThan(0.7, values, isPhone));
  takeFirst(guess, "url", ({ values }) => moreThan(0.8, values, isUrl));
  guessId(guess);
  takeFirst(guess, "country", ({ values }) => moreThan(0.9, values, isCountry));
  takeFirst(
    guess,
    "state",
    ({ values }) => moreThan(0.7, values, isLetterCode) && (values.length < TELLING_ROWS || variety(values) < 0.5),
  );
  guessStreet(guess);
  guessCity(guess);
  const names = texts(guess).toSorted((a, b) => variety(b.values) - variety(a.values));
  guess.take("name", names.find(({ values }) => isPlausible("name", values))?.index ?? -1);
}

const free = ({ values: all, taken }: Guess): Column[] =>
  all.map((values, index) => ({ index, values })).filter(({ index, values }) => !taken.has(index) && values.length > 0);

/** Not those that most rows leave empty, such as remarks. */
const texts = (guess: Guess): Column[] =>
  free(guess).filter(({ values }) => values.length > guess.rows / 2 && moreThan(0.8, values, isText));

function takeFirst(guess: Guess, field: Field, test: (column: Column) => boolean): void {
  guess.take(field, free(guess).find(test)?.index ?? -1);
}

function takeMost({ take }: Guess, field: Field, columns: Column[], worth: (column: Column) => number): void {
  const [best] = columns.toSorted((a, b) => worth(b) - worth(a));
  take(field, best?.index ?? -1);
}

function guessPosition(guess: Guess): void {
  const { columns, take } = guess;
  const { ll, lngLat, lat, lng } = columns;
  if ((ll ?? lngLat) !== undefined || (lat !== undefined && lng !== undefined)) return;
  const [one, other] = free(guess).filter(({ values }) => areFineDegrees(values));
  if (!one || !other) {
    takeFirst(guess, "ll", ({ values }) => moreThan(0.8, values, isPosition));
    guessMetres(guess);
    return;
  }
  const isBeyond = one.values.some((value) => Math.abs(parseDegrees(value)?.value ?? 0) > 90);
  const isTurned = isBeyond || EAST.test(guess.header[one.index] ?? "");
  take("lat", (isTurned ? other : one).index);
  take("lng", (isTurned ? one : other).index);
}

/** Names of what goes to the east, such as bbox.xmin. */
const EAST = /(?:^|[\W_])x(?:min|max)?$|lon|lng|east/i;

/** With fewer rows, most columns have no repeated value. */
const TELLING_ROWS = 10;

/** Requires ids in nearly every row; accepts mere numbers in the first column only. */
function guessId(guess: Guess, { rows = 1, columns = Infinity }: { rows?: number; columns?: number } = {}): void {
  const enough = Math.max(guess.rows * 0.95, rows);
  takeFirst(
    guess,
    "id",
    ({ index, values }) =>
      index < columns &&
      values.length >= enough &&
      areIds(values) &&
      (index === 0 || values.every((value) => /\p{L}/u.test(value))),
  );
}

// On a tie, the last wins: names with numbers come before streets.
function guessStreet(guess: Guess, least = 0.5): void {
  const likeness = ({ values }: Column) =>
    values.reduce((sum, value) => sum + streetLikeness(value), 0) / values.length;
  const streets = free(guess).filter((column) => likeness(column) > least);
  takeMost(guess, "address", streets.reverse(), likeness);
}

/**
 * Prefers words next to the postal code, the state or the street; without a position, any with few distinct values. None beside a
 * street that names its town.
 */
function guessCity(guess: Guess): void {
  const { ll, lngLat, lat } = guess.columns;
  const [address = -2, zip = -2, state = -2] = (["address", "zip", "state"] as const).map(
    (field) => indexesOf(guess.columns, field)[0],
  );
  if (moreThan(0.5, guess.values[address] ?? [], saysTown)) return;
  const all = texts(guess);
  const words = all.filter(({ values }) => moreThan(0.9, values, isWords)).reverse();
  const beside = words.filter(
    ({ index }) => index !== all[0]?.index && [zip + 1, zip - 1, state + 1, state - 1, address + 1].includes(index),
  );
  const isPlaced = (ll ?? lngLat) !== undefined || lat !== undefined || all.length < 2;
  takeMost(guess, "city", beside.length > 0 || isPlaced ? beside : words, ({ values }) => -variety(values));
}
