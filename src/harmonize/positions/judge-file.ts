import type { Auth } from "../../directory-client/calls/answers.ts";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import type { Judgement } from "../run/positions.ts";
import { type Asking, besideVenues, findNamesakes, findPlaces } from "./evidence.ts";
import { besidePlaces, examplesOf, judgePoint, judgeRange, judgeSlips, median } from "./judge.ts";
import type { Place } from "./places.ts";
import { commonShift, judgeShift } from "./shift.ts";
import type { Spot } from "./spots.ts";

/** With fewer rows, compares only with the named places. */
const FEWEST_ROWS = 5;
/** Rows with a known place that suffice to judge a file; half of the rows if it is small. */
const ENOUGH_PLACED = 20;
/** Wrong rows that count even if fewer can be compared. */
const FEW = 3;

/** Judges by the towns that rows name, then by venues, last by the positions alone. Unknown places are no evidence. */
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

/** Share of rows matching as written that proves the file right. */
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

function shifted(placed: Placed, away: number): Judgement {
  return {
    verdict: "wrong",
    by: "places",
    slip: "shifted",
    rows: placed.length,
    wrong: placed.length,
    away,
    examples: examplesOf(placed.map(({ spot }) => ({ spot }))),
  };
}

function elsewhere(placed: Placed, far: Placed): Judgement {
  return {
    verdict: "elsewhere",
    by: "places",
    rows: placed.length,
    wrong: far.length,
    away: median(far.map(({ spot, awayFrom }) => awayFrom(spot.is))),
    examples: examplesOf(far.map(({ spot }) => ({ spot }))),
  };
}
