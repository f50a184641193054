import { normalizeName } from "../../src/matching/normalize/normalize.ts";
import { isPlaced, type Placed } from "./candidates.ts";
import type { RetrievalSet, Spot } from "./sets.ts";
import { chance } from "./venues.ts";

export interface PlacedSet extends RetrievalSet {
  listings: Placed[];
  directory: Placed[];
  /** Source of the positions. */
  positions: "given" | "one a town";
}

/** Gives each spot a position. If some have none, all spots of a town get the same invented point. */
export function placed(set: RetrievalSet): PlacedSet {
  const { listings, directory } = set;
  if (listings.every(isPlaced) && directory.every(isPlaced)) return { ...set, listings, directory, positions: "given" };
  const inTown = (spot: Spot): Placed => ({ ...spot, ...townPoint(spot.city ?? "") });
  return { ...set, listings: listings.map(inTown), directory: directory.map(inTown), positions: "one a town" };
}

/** Degrees between the points, far more than the radius of a search. */
const [ROW_HEIGHT, LANE_WIDTH] = [2, 3];
const [ROWS, LANES] = [60, 118];

function townPoint(city: string) {
  const town = normalizeName(city);
  const letters = [...(REGIONS.get(town) ?? town)].map((letter) => letter.codePointAt(0) ?? 0);
  const cell = chance(ROWS * LANES, ...letters);
  return { lat: (Math.floor(cell / LANES) - ROWS / 2) * ROW_HEIGHT, lng: ((cell % LANES) - LANES / 2) * LANE_WIDTH };
}

/** Quarters and suburbs that one guide uses where the other names the city. */
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
