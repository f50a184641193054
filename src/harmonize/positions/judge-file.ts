import type { Auth } from "../../directory-client/answers.ts";
import { DirectoryError } from "../../directory-client/errors.ts";
import type { Judgement } from "../run/positions.ts";
import { type Asking, besideVenues, findNamesakes, findPlaces } from "./evidence.ts";
import { besidePlaces, examplesOf, judgePoint, judgeRange, judgeSlips, median } from "./judge.ts";
import type { Place } from "./places.ts";
import { commonShift, judgeShift } from "./shift.ts";
import type { Spot } from "./spots.ts";

/** Fewer rows are compared with the places that they name only. */
const FEWEST_ROWS = 5;
/** Rows with a known place that speak for the whole file; half of the rows of a small file. */
const ENOUGH_PLACED = 20;
/** Wrong rows that count where fewer can be compared. */
const FEW = 3;

/**
 * Whether the positions of a file are right, by a sample of its rows: first by the towns that they name, then, where those
 * do not tell, by the venues of the directory, last by the positions alone. What the directory does not know is no evidence.
 *
 * @param asking without `auth` where there is nobody to ask as
 */
export async function judgeSpots(
  { auth, ...asking }: Omit<Asking, "auth"> & { auth: Auth | undefined },
  spots: Spot[],
): Promise<Judgement> {
  const alone = judgeRange(spots) ?? judgePoint(spots);
  const known: Judgement = alone ?? { verdict: "unknown", rows: 0, wrong: 0 };
  const cutShort: Judgement = { ...known, isCutShort: true };
  if (!auth) return cutShort;
  try {
    return (await judgeByDirectory({ ...asking, auth }, spots, alone)) ?? known;
  } catch (error) {
    if (!(error instanceof DirectoryError) && !asking.signal.aborted) throw error;
    return cutShort;
  }
}

async function judgeByDirectory(
  asking: Asking,
  spots: Spot[],
  alone: Judgement | undefined,
): Promise<Judgement | undefined> {
  const places = await findPlaces(asking, spots);
  const placed = besidePlaces(spots, places);
  const slipped = judgeSlips(placed, "places");
  const isTold = placed.length >= Math.min(ENOUGH_PLACED, spots.length / 2) && placed.length > 0;
  if (slipped && (isTold || slipped.wrong >= FEW)) return slipped;
  const shift = commonShift(placed);
  const far = placed.filter(({ isWell }) => !isWell);
  const isWell = isTold && far.length * 2 < placed.length;
  if (alone?.slip === "one point") return alone;
  if (isWell && !shift) return fine(placed.length);
  const byVenues = spots.length >= FEWEST_ROWS && (await judgeByVenues(asking, spots, places, shift !== undefined));
  if (byVenues || alone) return byVenues || alone;
  if (shift?.isCertain) return shifted(placed, shift.size);
  if (isWell) return fine(placed.length);
  return isTold ? elsewhere(placed, far) : undefined;
}

const fine = (rows: number): Judgement => ({ verdict: "fine", by: "places", rows, wrong: 0 });

/** The share of rows that match a venue where they lie from which on the file is right. */
const ENOUGH_MATCHED = 0.1;

async function judgeByVenues(
  asking: Asking,
  spots: Spot[],
  places: ReadonlyMap<string, Place>,
  isShiftSuspected: boolean,
): Promise<Judgement | undefined> {
  const compared = await besideVenues(asking, spots);
  const slipped = judgeSlips(compared, "venues");
  if (slipped) return slipped;
  const well = compared.filter(({ isWell }) => isWell).length;
  if (well >= compared.length * ENOUGH_MATCHED && !isShiftSuspected)
    return { verdict: "fine", by: "venues", rows: compared.length, wrong: 0 };
  return judgeShift(await findNamesakes(asking, spots, places));
}

type Placed = ReturnType<typeof besidePlaces>;

/** Without a repair: the exact shift is not known. */
function shifted(placed: Placed, away: number): Judgement {
  return {
    ...{ verdict: "wrong", by: "places", slip: "shifted", rows: placed.length, wrong: placed.length, away },
    examples: examplesOf(placed.map(({ spot }) => ({ spot }))),
  };
}

function elsewhere(placed: Placed, far: Placed): Judgement {
  return {
    ...{ verdict: "elsewhere", by: "places", rows: placed.length, wrong: far.length },
    away: median(far.map(({ spot, awayFrom }) => awayFrom(spot.is))),
    examples: examplesOf(far.map(({ spot }) => ({ spot }))),
  };
}
