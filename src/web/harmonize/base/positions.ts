import type { LatLng } from "../../../contract/parameters.ts";
import { isOnEarth } from "../../../harmonize/query/position.ts";
import { repairInWords } from "../../../harmonize/query/repairs.ts";
import { isOpen, type Judgement, type Positions } from "../../../harmonize/run/positions.ts";
import { mapOf } from "../../../http/pages/parts.ts";
import { metresInWords } from "../../../matching/distance.ts";
import { count } from "../../base/words.ts";

/** What seems to be wrong with the positions, and the label of the button that repairs them. */
const WORDS: Record<NonNullable<Judgement["slip"]>, [seem: string, repair: string]> = {
  swapped: ["Latitude and longitude seem to be swapped.", "Swap them back"],
  "lng sign": ["The longitudes seem to have the wrong sign.", "Change the sign"],
  "lat sign": ["The latitudes seem to have the wrong sign.", "Change the sign"],
  "both signs": ["Latitudes and longitudes seem to have the wrong signs.", "Change both signs"],
  "swapped, lng sign": ["Latitude and longitude seem to be swapped, without the sign.", "Swap them back"],
  "swapped, lat sign": ["Latitude and longitude seem to be swapped, without the sign.", "Swap them back"],
  "swapped, both signs": ["Latitude and longitude seem to be swapped, without the signs.", "Swap them back"],
  shifted: ["The positions seem to be shifted, all by the same distance.", "Shift them back"],
  "one point": ["All rows have the same position.", ""],
};

/** Returns what to say about the positions of a file; undefined if there is nothing to say. */
export function positionsView(positions: Positions | null) {
  if (positions?.verdict === "elsewhere") return { kind: "elsewhere" as const, message: elsewhereWords(positions) };
  if (positions?.verdict !== "wrong" || !positions.slip) return undefined;
  const [heading, repair] = WORDS[positions.slip];
  return {
    kind: isOpen(positions) ? ("open" as const) : (positions.answer ?? ("right" as const)),
    heading,
    message: [figures(positions), changes(positions)].filter(Boolean).join(" "),
    ...examplesView(positions),
    rule:
      positions.repair?.kind === "slips" && !positions.repair.isWhole
        ? "Only rows that this brings close to the others are changed."
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
  const all = `${wrong.toLocaleString("en")} of ${count(rows, "row")}`;
  const far = away ? `about ${roughly(away)}` : "far";
  if (slip === "one point") return `${count(rows, "row")} with different names are all in one place.`;
  if (slip === "shifted" && by === "places")
    return `The rows lie ${far} from the towns they name, all in the same direction. The exact distance is not known, so they cannot be shifted back here.`;
  if (slip === "shifted") return `${all} lie ${far} from a venue of the same name, all in the same direction.`;
  if (by === "places") {
    const then = awayPut === undefined ? "" : ` Corrected, they lie about ${roughly(awayPut)} from it.`;
    return `${all} lie ${far} from the town they name.${then}`;
  }
  if (by === "venues")
    return `${all} match a venue of the directory once they are corrected. As they are, none of them does.`;
  return `${all} have a latitude beyond 90 degrees${repair ? "; swapped back, none has" : ""}.`;
}

/** Says nothing if the sample was all. */
function changes({ rows, all }: Positions): string | undefined {
  if (!all || all.rows <= rows) return undefined;
  return `The repair changes ${all.changed.toLocaleString("en")} of the first ${count(all.rows, "row")}.`;
}

function elsewhereWords({ rows, wrong, away }: Positions): string {
  const far = away ? `about ${roughly(away)}` : "far";
  return `${wrong.toLocaleString("en")} of ${count(rows, "row")} lie ${far} from the town they name, as far as the directory knows it. It may have no venues where these rows are.`;
}

/** The map shows only examples that are on Earth once corrected. */
function examplesView({ examples = [] }: Positions) {
  const put = examples.flatMap(({ name, is, wouldBe }) =>
    wouldBe ? [{ ...wouldBe, name, from: isOnEarth(is) ? is : undefined }] : [],
  );
  return {
    examples: examples.map(({ line, name, place, is, wouldBe }) => ({
      ...{ name, is: degrees(is), wouldBe: wouldBe && degrees(wouldBe) },
      where: [`line ${line.toLocaleString("en")}`, place].filter(Boolean).join(" · "),
    })),
    map:
      put.length > 0
        ? { ...mapOf({ points: put }), label: "Map of some of the rows", hasFrom: put.some(({ from }) => from) }
        : undefined,
  };
}

function exampleWords({ examples = [] }: Positions): string | undefined {
  const [example] = examples;
  if (!example) return undefined;
  const { line, name, place, is, wouldBe } = example;
  const put = wouldBe ? `; corrected, at ${degrees(wouldBe)}` : "";
  return `For example line ${line.toLocaleString("en")}, ${[name, place].filter(Boolean).join(", ")}: at ${degrees(is)}${put}.`;
}

function roughly(metres: number): string {
  if (metres < 100_000) return metresInWords(metres);
  return `${Number((metres / 1000).toPrecision(2)).toLocaleString("en")} km`;
}

const degrees = ({ lat, lng }: LatLng): string => `${+lat.toFixed(5)}, ${+lng.toFixed(5)}`;
