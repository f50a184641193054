import type { LatLng } from "../../contract/parameters.ts";
import type { Judgement } from "../../harmonize/positions/judge.ts";
import { isOpen, type Positions } from "../../harmonize/positions/positions.ts";
import { repairInWords } from "../../harmonize/positions/repairs.ts";
import { count, distance } from "../words.ts";

/** What seems to have become of positions, and the button that puts them right. */
const WORDS: Record<NonNullable<Judgement["slip"]>, [seem: string, repair: string]> = {
  swapped: ["Latitude and longitude seem to be swapped.", "Swap them back"],
  "lng sign": ["The longitudes seem to have the wrong sign.", "Change the sign"],
  "lat sign": ["The latitudes seem to have the wrong sign.", "Change the sign"],
  "both signs": ["Latitudes and longitudes seem to have the wrong signs.", "Change both signs"],
  "swapped, lng sign": ["Latitude and longitude seem to be swapped, without the sign.", "Swap them back"],
  "swapped, lat sign": ["Latitude and longitude seem to be swapped, without the sign.", "Swap them back"],
  "swapped, both signs": ["Latitude and longitude seem to be swapped, without the signs.", "Swap them back"],
  shifted: ["The positions seem to be shifted, all by the same distance.", "Shift them back"],
  "one point": ["All rows are on one point.", ""],
};

/** What there is to say of the positions of a file; undefined where nothing is. */
export function positionsView(positions: Positions | null) {
  if (positions?.verdict === "elsewhere") return { kind: "elsewhere" as const, message: elsewhereWords(positions) };
  if (positions?.verdict !== "wrong" || !positions.slip) return undefined;
  const [heading, repair] = WORDS[positions.slip];
  return {
    kind: isOpen(positions) ? ("open" as const) : (positions.answer ?? ("right" as const)),
    heading,
    message: figures(positions),
    example: exampleWords(positions),
    rule:
      positions.repair?.kind === "slips" && !positions.repair.isWhole
        ? "Only rows that come to lie where the others do are changed."
        : undefined,
    repair: positions.repair && repair,
    repaired: repairInWords(positions.slip),
  };
}

/** The same as one text, for where there are no pages. */
export function positionsText(positions: Positions | null): string | undefined {
  const view = positionsView(positions);
  if (view?.kind !== "open") return undefined;
  return [view.heading, view.message, view.example].filter(Boolean).join(" ");
}

function figures({ by, slip, rows, wrong, away, awayPut, repair }: Positions): string {
  const all = `${wrong.toLocaleString("en")} of ${count(rows, "row")}`;
  const far = away ? `about ${roughly(away)}` : "far";
  if (slip === "one point") return `${count(rows, "row")} of different names have the same position.`;
  if (slip === "shifted" && by === "places")
    return `Rows of many towns lie off them in the same direction, by ${far}. By how much exactly is not known.`;
  if (slip === "shifted") return `${all} lie ${far} from a venue of the same name, all in the same direction.`;
  if (by === "places") {
    const then = awayPut === undefined ? "" : ` Put right, they lie about ${roughly(awayPut)} from it.`;
    return `${all} whose town the directory knows lie ${far} from it.${then}`;
  }
  if (by === "venues") return `${all} match a venue of the directory once they are put right, and none as they are.`;
  return `${all} have a latitude beyond the poles${repair ? ", and none would if they were swapped back" : ""}.`;
}

function elsewhereWords({ rows, wrong, away }: Positions): string {
  const far = away ? `about ${roughly(away)}` : "far";
  return `${wrong.toLocaleString("en")} of ${count(rows, "row")} lie ${far} from the place that the directory knows by the name of their town. Perhaps it has nothing where they are.`;
}

function exampleWords({ example }: Positions): string | undefined {
  if (!example) return undefined;
  const { line, name, place, is, wouldBe } = example;
  const put = wouldBe ? `; put right, at ${degrees(wouldBe)}` : "";
  return `For example line ${line.toLocaleString("en")}, ${[name, place].filter(Boolean).join(", ")}: at ${degrees(is)}${put}.`;
}

/** Of hundreds of kilometres two digits say enough. */
function roughly(metres: number): string {
  if (metres < 100_000) return distance(metres);
  return `${Number((metres / 1000).toPrecision(2)).toLocaleString("en")} km`;
}

const degrees = ({ lat, lng }: LatLng): string => `${+lat.toFixed(5)}, ${+lng.toFixed(5)}`;
