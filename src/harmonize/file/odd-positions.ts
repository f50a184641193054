import type { LatLng } from "../../contract/parameters.ts";
import type { Columns } from "../../files/columns.ts";
import type { Row } from "../../files/formats/table.ts";
import { parseDegrees } from "../../files/row/position.ts";
import { type Cells, givenIn, isOneCoordinate, textIn, writtenPosition } from "../../files/row/row.ts";
import { t } from "../../language/translate.ts";
import { haveManyAddresses, MANY_AT_ONE_POINT } from "../../matching/contradiction.ts";
import { prepare } from "../../matching/prepare.ts";
import { shortened } from "./odd-cells.ts";

const LONGEST_NAME = 60;

type OddPoint = LatLng & { line: number; name: string | undefined };

export const oddPositions = (rows: Row[], columns: Columns): string[] => [
  ...turnedPositions(rows, columns),
  ...repeatedPositions(rows, columns),
];

/** Names positions that do not count: a longitude that is the latitude, and what rows of one name with several addresses share. */
function repeatedPositions(rows: Row[], columns: Columns): string[] {
  const points = rows.flatMap(({ line, cells }) => {
    const given = givenIn(cells, columns);
    const written = writtenPosition(given);
    return "ll" in written ? [{ ...written.ll, line, given, name: given.name }] : [];
  });
  const twice = points.filter(({ given }) => isOneCoordinate(given));
  const chains = Map.groupBy(points, ({ lat, lng, given }) => `${lat},${lng} ${chainOf(given)}`);
  const shared = [...chains.values()].filter(
    (all) => all.length >= MANY_AT_ONE_POINT && haveManyAddresses(all.map(({ given }) => placeOf(given))),
  );
  return [
    twice.length > 0 &&
      t(
        "{count, plural, one {{lines} has} other {# of the first rows, {lines}{more, select, yes { and others} other {}}, have}} the same number for latitude and longitude. Samespot leaves {count, plural, one {this position} other {these positions}} out and uses the town.",
        linesOf(twice),
      ),
    ...shared.map(([first, ...others]) =>
      t(
        "{count, number} rows named “{name}” share one position but have different addresses. Samespot ignores the position and uses their towns.",
        { count: others.length + 1, name: shortened(first?.name ?? "", LONGEST_NAME) },
      ),
    ),
  ].flatMap((words, index) => (words && index <= MOST_NAMED ? [sentence(words)] : []));
}

/** Chains that are named. */
const MOST_NAMED = 3;

/** As shared-positions.ts does in SQL. */
const chainOf = ({ name = "", city = "" }: Cells): string =>
  name
    .toLowerCase()
    .replaceAll(city.toLowerCase(), "")
    .replace(/[\s\d–—-]+/g, "");

const placeOf = ({ address, city, zip }: Cells) => prepare({ name: "", address, city, zip });

/** Warns of a few odd positions only: if nearly all are odd, the list is like that. */
function turnedPositions(rows: Row[], columns: Columns): string[] {
  if (columns.lat === undefined || columns.lng === undefined) return [];
  const points = rows.flatMap(({ line, cells }) => {
    const one = parseDegrees(textIn(cells, columns, "lat"));
    const other = parseDegrees(textIn(cells, columns, "lng"));
    return one && other ? [{ line, name: textIn(cells, columns, "name"), lat: one.value, lng: other.value }] : [];
  });
  const inRange = points.filter((point) => Math.abs(point.lat) <= 90);
  const middle = { lat: median(inRange.map(({ lat }) => lat)), lng: median(inRange.map(({ lng }) => lng)) };
  const isSwapped = (point: LatLng) =>
    Math.abs(point.lng) <= 90 &&
    (Math.abs(point.lat) > 90 || isNearer({ lat: point.lng, lng: point.lat }, point, middle));
  const swapped = points.filter(isSwapped);
  const upright = points.filter((point) => !isSwapped(point));
  const warnings: string[] = [];
  if (swapped.length > points.length / 2)
    warnings.push(
      t(
        "Latitude and longitude seem to be swapped in {swapped, number} of the first {rows, number} rows. Swap the two columns.",
        { swapped: swapped.length, rows: points.length },
      ),
    );
  else if (swapped.length > 0)
    warnings.push(
      sentence(
        t(
          "{count, plural, one {{lines} seems} other {# of the first rows, {lines}{more, select, yes { and others} other {}}, seem}} to have latitude and longitude swapped. Check {count, plural, one {this row} other {these rows}} in the results.",
          linesOf(swapped),
        ),
      ),
    );
  return [...warnings, ...oddSigns(upright)];
}

function oddSigns(points: OddPoint[]): string[] {
  const odd = (axis: "lat" | "lng") => {
    const negative = points.filter((point) => point[axis] < 0);
    const positive = points.filter((point) => point[axis] > 0);
    const fewer = negative.length < positive.length ? negative : positive;
    return fewer.length < (negative.length + positive.length) / 20 ? fewer : [];
  };
  const lat = odd("lat");
  const lng = odd("lng");
  return [
    lat.length > 0 &&
      t(
        "{count, plural, one {{lines} seems} other {# of the first rows, {lines}{more, select, yes { and others} other {}}, seem}} to have a latitude with the opposite sign of nearly all others. Is a minus missing?",
        linesOf(lat),
      ),
    lng.length > 0 &&
      t(
        "{count, plural, one {{lines} seems} other {# of the first rows, {lines}{more, select, yes { and others} other {}}, seem}} to have a longitude with the opposite sign of nearly all others. Is a minus missing?",
        linesOf(lng),
      ),
  ].flatMap((words) => (words ? [sentence(words)] : []));
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function isNearer(one: LatLng, other: LatLng, { lat, lng }: LatLng): boolean {
  const [far, near] = [other, one].map((point) => Math.hypot(point.lat - lat, point.lng - lng));
  return far !== undefined && near !== undefined && far > 30 && near < far / 5;
}

function linesOf(rows: OddPoint[]) {
  const lines = rows
    .slice(0, 3)
    .map(({ line, name }) =>
      name
        ? t("line {line, number} (“{name}”)", { line, name: shortened(name, LONGEST_NAME) })
        : t("line {line, number}", { line }),
    );
  return { count: rows.length, lines: lines.join(", "), more: rows.length > 3 ? "yes" : "no" };
}

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
