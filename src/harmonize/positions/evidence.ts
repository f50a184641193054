import type { LatLng } from "../../contract/parameters.ts";
import type { Auth } from "../../directory-client/calls/answers.ts";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import { WORTH_A_LOOK } from "../../matching/decide.ts";
import { distanceBetween } from "../../matching/distance.ts";
import { normalizeName } from "../../matching/normalize/normalize.ts";
import { spread } from "../../shared/spread.ts";
import { SLIPS, undoSlip } from "../query/slips.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Compared } from "./judge.ts";
import { type Place, placeOf } from "./places.ts";
import type { Namesakes } from "./shift.ts";
import type { Spot } from "./spots.ts";

export interface Asking {
  directory: Harmonizer["directory"];
  auth: Auth;
  /** Starts no further calls. */
  signal: AbortSignal;
  /** Aborts running calls. */
  calls: AbortSignal;
}

const MOST_PLACES = 25;
const MOST_MATCHED = 40;
const MOST_NAMES = 25;

/** Geocodes the most frequent places, by name. Omits those the directory does not know. Throws DirectoryError. */
export async function findPlaces(asking: Asking, spots: Spot[]): Promise<Map<string, Place>> {
  const named = Map.groupBy(
    spots.filter(({ place }) => place !== undefined),
    ({ place }) => place ?? "",
  );
  const frequent = [...named].sort(([, a], [, b]) => b.length - a.length).slice(0, MOST_PLACES);
  const found = new Map<string, Place>();
  for (const [name, [first]] of frequent) {
    asking.signal.throwIfAborted();
    const place = await findPlace(asking, name, first?.country);
    if (place) found.set(name, place);
  }
  return found;
}

export async function findPlace(
  { directory, auth }: Pick<Asking, "directory" | "auth">,
  near: string,
  country: string | undefined,
): Promise<Place | undefined> {
  const found = await directory.searchVenues(auth, { near, limit: 1 }).catch(unlessRejected);
  return placeOf(found?.geocode, country);
}

// A rejected query means that the directory does not know the place or the region.
function unlessRejected(error: unknown): undefined {
  if (!(error instanceof DirectoryError && error.kind === "rejected")) throw error;
}

/** A match with this score counts even if not `confident`. */
const SURE = 0.8;

export async function besideVenues(asking: Asking, spots: Spot[]): Promise<Compared[]> {
  const rows = spread(spots, MOST_MATCHED).map((spot) => ({ spot, venue: undefined as LatLng | undefined }));
  const asIs = await matchAt(asking, rows, ({ is, isPossible }) => (isPossible ? is : undefined));
  const compared = rows.map(({ spot }, index): Compared => compare(spot, asIs[index]));
  // If most rows match as written, the file as a whole is right.
  if (compared.filter(({ isWell }) => isWell).length >= rows.length * MOST_FIT) return compared;
  for (const slip of SLIPS) {
    const off = compared.flatMap((each, index) => (each.isWell ? [] : [{ ...each, index }]));
    const found = await matchAt(asking, off, ({ is }) => undoSlip(slip, is));
    for (const [at, { spot, index, slips }] of off.entries())
      if (found[at]) compared[index] = { ...compare(spot, undefined), slips: [...slips, slip], ...awayFrom(found[at]) };
  }
  return compared;
}

const MOST_FIT = 0.6;

const compare = (spot: Spot, venue: LatLng | undefined): Compared => ({
  spot,
  isWell: venue !== undefined,
  slips: [],
  ...awayFrom(venue ?? spot.is),
});

const awayFrom = (venue: LatLng) => ({ awayFrom: (ll: LatLng) => distanceBetween(venue, ll) });

async function matchAt(
  { directory, auth, signal, calls }: Asking,
  rows: { spot: Spot }[],
  at: (spot: Spot) => LatLng | undefined,
): Promise<(LatLng | undefined)[]> {
  const asked = rows.flatMap(({ spot }, index) => {
    const ll = at(spot);
    return ll && spot.name ? [{ index, listing: { name: spot.name, ll } }] : [];
  });
  const venues = rows.map((): LatLng | undefined => undefined);
  if (asked.length === 0) return venues;
  signal.throwIfAborted();
  const listings = asked.map(({ listing }) => listing);
  const outcomes = await directory.matchListings(auth, listings, { minScore: WORTH_A_LOOK, limit: 1, signal: calls });
  for (const [place, { index }] of asked.entries()) {
    const outcome = outcomes[place];
    const found = outcome && "error" in outcome ? unlessRejected(outcome.error) : outcome?.found;
    const [first] = found?.venues ?? [];
    const { lat, lng } = first?.location ?? {};
    const isExact = first?.positionByAddress !== true;
    const isSure = found?.confident || (first?.score ?? 0) >= SURE;
    if (isSure && isExact && lat !== undefined && lng !== undefined) venues[index] = { lat, lng };
  }
  return venues;
}

/** Finds the venues with the names of sample rows, in their town if the directory knows it. Throws DirectoryError. */
export async function findNamesakes(
  { directory, auth, signal }: Asking,
  spots: Spot[],
  places: ReadonlyMap<string, Place>,
): Promise<Namesakes[]> {
  const unlike = [...new Map(spots.map((spot) => [normalizeName(spot.name), spot]))].filter(([name]) => name !== "");
  const rows: Namesakes[] = [];
  for (const [name, spot] of spread(unlike, MOST_NAMES)) {
    signal.throwIfAborted();
    const near = places.has(spot.place ?? "") ? spot.place : undefined;
    const found = await directory.searchVenues(auth, { near, query: spot.name, limit: 20 }).catch(unlessRejected);
    const same = (found?.venues ?? []).flatMap(({ name: its, positionByAddress, location: { lat, lng } = {} }) =>
      normalizeName(its) === name && !positionByAddress && lat !== undefined && lng !== undefined ? [{ lat, lng }] : [],
    );
    rows.push({ spot, venues: same });
  }
  return rows;
}
