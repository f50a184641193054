import { normalizeName } from "../../src/matching/normalize/normalize.ts";
import { isPlaced, type Placed } from "./candidates.ts";
import type { RetrievalSet, Spot } from "./sets.ts";
import { chance } from "./venues.ts";

export interface PlacedSet extends RetrievalSet {
  listings: Placed[];
  directory: Placed[];
  /** Where the positions come from. */
  positions: "given" | "one a town";
}

/**
 * The set with a position for everything. Where not all have one, each town gets a made-up point, and all that is in the
 * town stands there: distance then tells the town and nothing else.
 */
export function placed(set: RetrievalSet): PlacedSet {
  const { listings, directory } = set;
  if (listings.every(isPlaced) && directory.every(isPlaced)) return { ...set, listings, directory, positions: "given" };
  const inTown = (spot: Spot): Placed => ({ ...spot, ...townPoint(spot.city ?? "") });
  return { ...set, listings: listings.map(inTown), directory: directory.map(inTown), positions: "one a town" };
}

/** Degrees between the points: far more than a search looks about. */
const [ROW_HEIGHT, LANE_WIDTH] = [2, 3];
const [ROWS, LANES] = [60, 118];

function townPoint(city: string) {
  const town = normalizeName(city);
  const letters = [...(REGIONS.get(town) ?? town)].map((letter) => letter.codePointAt(0) ?? 0);
  const cell = chance(ROWS * LANES, ...letters);
  return { lat: (Math.floor(cell / LANES) - ROWS / 2) * ROW_HEIGHT, lng: ((cell % LANES) - LANES / 2) * LANE_WIDTH };
}

/** What one guide calls by its quarter or suburb and the other by its city. */
const REGIONS = new Map(
  Object.entries({
    "new york": ["new york city", "brooklyn", "queens"],
    atlanta: ["college park", "decatur", "duluth", "marietta", "roswell", "smyrna"],
    "los angeles":
      `bel air,beverly hills,brentwood,burbank,century city,chinatown,culver city,encino,glendale,hollywood,la,
      long beach,los feliz,malibu,manhattan beach,mar vista,marina del rey,monterey park,northridge,pacific palisades,
      pasadena,rancho park,redondo beach,santa monica,seal beach,sherman oaks,st boyle hts,st hermosa beach,studio city,
      toluca lake,venice,w hollywood,west la,westlake village,westwood`.split(/,\s*/),
  }).flatMap(([region, towns]) => towns.map((town): [string, string] => [town, region])),
);
