import type { LatLng } from "../../../contract/parameters.ts";
import { isOnEarth } from "../../../files/row/position.ts";
import { isOpen, type Judgement, type Positions } from "../../../harmonize/run/positions.ts";
import { repairInWords } from "../../../harmonize/run/problems/slips.ts";
import { mapOf } from "../../../http/pages/parts.ts";
import { formatNumber } from "../../../language/format.ts";
import { t } from "../../../language/translate.ts";
import { distanceInWords } from "../../base/page.ts";

/** What seems to be wrong with the positions, and the label of the button that repairs them. */
const words = (): Record<NonNullable<Judgement["slip"]>, [seem: string, repair: string]> => ({
  swapped: [t("Latitude and longitude seem to be swapped."), t("Swap them back")],
  "lng sign": [t("The longitudes seem to have the wrong sign."), t("Change the sign")],
  "lat sign": [t("The latitudes seem to have the wrong sign."), t("Change the sign")],
  "both signs": [t("Latitudes and longitudes seem to have the wrong signs."), t("Change both signs")],
  "swapped, lng sign": [t("Latitude and longitude seem to be swapped, and the sign is missing."), t("Swap them back")],
  "swapped, lat sign": [t("Latitude and longitude seem to be swapped, and the sign is missing."), t("Swap them back")],
  "swapped, both signs": [
    t("Latitude and longitude seem to be swapped, and the signs are missing."),
    t("Swap them back"),
  ],
  shifted: [t("The positions seem to be shifted, all by the same distance."), t("Shift them back")],
  "one point": [t("All rows have the same position."), ""],
});

/** Returns what to say about the positions of a file; undefined if there is nothing to say. */
export function positionsView(positions: Positions | null) {
  if (positions?.verdict === "elsewhere") return { kind: "elsewhere" as const, message: elsewhereWords(positions) };
  if (positions?.verdict !== "wrong" || !positions.slip) return undefined;
  const [heading, repair] = words()[positions.slip];
  return {
    kind: isOpen(positions) ? ("open" as const) : (positions.answer ?? ("right" as const)),
    heading,
    message: [figures(positions), changes(positions)].filter(Boolean).join(" "),
    ...examplesView(positions),
    rule:
      positions.repair?.kind === "slips" && !positions.repair.isWhole
        ? t("Only rows that end up close to the others are changed.")
        : undefined,
    repair: positions.repair && repair,
    repaired: repairInWords(positions.slip) ?? "",
  };
}

export type PositionsView = NonNullable<ReturnType<typeof positionsView>>;

/** Returns the same as one text, for the command line. */
export function positionsText(positions: Positions | null): string | undefined {
  const view = positionsView(positions);
  if (!positions || view?.kind !== "open") return undefined;
  return [view.heading, view.message, exampleWords(positions)].filter(Boolean).join(" ");
}

function figures({ by, slip, rows, wrong, away, awayPut, repair }: Positions): string {
  const far = { known: away ? "yes" : "no", distance: away ? roughly(away) : "" };
  const all = { wrong, rows };
  if (slip === "one point")
    return t("{rows, plural, one {# row} other {# rows}} with different names are all in one place.", { rows });
  if (slip === "shifted" && by === "places")
    return t(
      "The rows lie {known, select, yes {about {distance}} other {far}} from the towns they name, all in the same direction. The exact distance is not known, so they cannot be shifted back here.",
      far,
    );
  if (slip === "shifted")
    return t(
      "{wrong, number} of {rows, plural, one {# row} other {# rows}} lie {known, select, yes {about {distance}} other {far}} from a venue of the same name, all in the same direction.",
      { ...all, ...far },
    );
  if (by === "places") {
    const lie = t(
      "{wrong, number} of {rows, plural, one {# row} other {# rows}} lie {known, select, yes {about {distance}} other {far}} from the town they name.",
      { ...all, ...far },
    );
    if (awayPut === undefined) return lie;
    return `${lie} ${t("Once corrected, they lie about {distance} from it.", { distance: roughly(awayPut) })}`;
  }
  if (by === "venues")
    return t(
      "{wrong, number} of {rows, plural, one {# row} other {# rows}} match a venue of the directory once they are corrected. As they are, none of them does.",
      all,
    );
  return repair
    ? t(
        "{wrong, number} of {rows, plural, one {# row} other {# rows}} have a latitude beyond 90 degrees; once swapped back, none do.",
        all,
      )
    : t("{wrong, number} of {rows, plural, one {# row} other {# rows}} have a latitude beyond 90 degrees.", all);
}

/** Says nothing if the sample was all. */
function changes({ rows, all }: Positions): string | undefined {
  if (!all || all.rows <= rows) return undefined;
  return t("The repair changes {changed, number} of the first {rows, plural, one {# row} other {# rows}}.", {
    changed: all.changed,
    rows: all.rows,
  });
}

const elsewhereWords = ({ rows, wrong, away }: Positions): string =>
  t(
    "{wrong, number} of {rows, plural, one {# row} other {# rows}} lie {known, select, yes {about {distance}} other {far}} from the town they name, as far as the directory knows it. It may have no venues where these rows are.",
    { rows, wrong, known: away ? "yes" : "no", distance: away ? roughly(away) : "" },
  );

/** The map shows only examples that are on Earth once corrected. */
function examplesView({ examples = [] }: Positions) {
  const put = examples.flatMap(({ name, is, wouldBe }) =>
    wouldBe ? [{ ...wouldBe, name, from: isOnEarth(is) ? is : undefined }] : [],
  );
  return {
    examples: examples.map(({ line, name, place, is, wouldBe }) => ({
      name,
      is: degrees(is),
      wouldBe: wouldBe && degrees(wouldBe),
      where: [t("line {line, number}", { line }), place].filter(Boolean).join(" · "),
    })),
    map:
      put.length > 0
        ? { ...mapOf({ points: put }), label: t("Map of some of the rows"), hasFrom: put.some(({ from }) => from) }
        : undefined,
  };
}

function exampleWords({ examples = [] }: Positions): string | undefined {
  const [example] = examples;
  if (!example) return undefined;
  const { line, name, place, is, wouldBe } = example;
  const values = { line, name: [name, place].filter(Boolean).join(", "), is: degrees(is) };
  return wouldBe
    ? t("For example line {line, number}, {name}: at {is}; corrected, at {wouldBe}.", {
        ...values,
        wouldBe: degrees(wouldBe),
      })
    : t("For example line {line, number}, {name}: at {is}.", values);
}

function roughly(metres: number): string {
  if (metres < 100_000) return distanceInWords(metres);
  return `${formatNumber(Number((metres / 1000).toPrecision(2)))} km`;
}

export const degrees = ({ lat, lng }: LatLng): string => `${+lat.toFixed(5)}, ${+lng.toFixed(5)}`;
