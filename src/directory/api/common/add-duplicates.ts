import type { z } from "zod";
import type { addVenueCall } from "../../../contract/parameters.ts";
import { MATCH_CUT } from "../../../matching/decide.ts";
import { BY_ADDRESS } from "../../../matching/match.ts";
import { mayFind } from "../../../matching/may-find.ts";
import type { Listing } from "../../../matching/prepare.ts";
import { logOdds, scoreOf } from "../../../matching/score.ts";
import { KnownError } from "../../../shared/errors.ts";
import type { Caller } from "../../endpoint/credentials.ts";
import type { ApiDeps } from "../../endpoint/declaration.ts";
import type { TokenPair } from "../../tokens.ts";
import { duplicatesKey, isDuplicatesKey } from "../../venues/duplicates.ts";
import { compactVenue } from "../../venues/present.ts";
import type { VenueRow } from "../../venues/rows.ts";
import { matchEach } from "../../venues/search/match-each.ts";
import type { SearchResult } from "../../venues/search/search.ts";
import { presentationFor } from "./presentation.ts";

export type Adding = z.output<typeof addVenueCall>;
export type Adder = Caller & TokenPair;

const MOST_DUPLICATES = 10;

export interface Wanted {
  at: number;
  parameters: Adding;
  spot: Listing;
}

/** `duplicates` is undefined if the add is forced. */
interface Searched extends Wanted {
  duplicates: SearchResult["venues"] | undefined;
}

export async function withDuplicates(
  deps: ApiDeps,
  caller: Adder,
  wanted: Wanted[],
  { now, held }: { now: Date; held: VenueRow[] },
): Promise<Searched[]> {
  const forced = new Set(wanted.filter(({ parameters }) => isForced(deps, caller, parameters, now)));
  const asked = wanted.filter((each) => !forced.has(each));
  const searches = asked.map(({ parameters }) => ({
    ...parameters,
    intent: "match" as const,
    minScore: leastScore(parameters),
    limit: MOST_DUPLICATES,
  }));
  const found = await matchEach(deps.pool, searches, Number.POSITIVE_INFINITY, { held });
  const duplicates = new Map(
    asked.map((each, place) => {
      const result = found[place];
      if (!result || "error" in result) throw result?.error;
      return [each, result.venues];
    }),
  );
  return wanted.map((each) => ({ ...each, duplicates: duplicates.get(each) }));
}

/** A venue at an estimated position loses some of its score, but must be compared with as many others. */
const leastScore = ({ positionByAddress }: Adding): number =>
  positionByAddress === "true" ? scoreOf(logOdds(MATCH_CUT) - BY_ADDRESS) : MATCH_CUT;

/** Leaves out those that depend on one that is added now, or on one left out. */
export function chooseNow(searched: Searched[]): { added: Searched[]; refused: Searched[] } {
  const added: Searched[] = [];
  const refused: Searched[] = [];
  const left: Listing[] = [];
  for (const each of searched) {
    const { spot, duplicates } = each;
    const mayFindAdded = () =>
      mayFind(
        spot,
        added.map((other) => other.spot),
      );
    const isEntangled = mayFind(spot, left) || left.some((other) => mayFind(other, [spot]));
    if (isEntangled || (duplicates && mayFindAdded())) left.push(spot);
    else if (duplicates && duplicates.length > 0) refused.push(each);
    else added.push(each);
  }
  return { added, refused };
}

function isForced({ vault }: ApiDeps, caller: TokenPair, parameters: Adding, now: Date): boolean {
  const { ignoreDuplicates, ignoreDuplicatesKey } = parameters;
  if (ignoreDuplicates !== "true" || ignoreDuplicatesKey === undefined) return false;
  return isDuplicatesKey(vault, caller, parameters, now, ignoreDuplicatesKey);
}

/** Returns 409s with the duplicates and the key that forces the add (wire-format 7). */
export async function refusals(
  deps: ApiDeps,
  caller: Adder,
  refused: Searched[],
  now: Date,
): Promise<[number, KnownError][]> {
  const venues = refused.flatMap(({ duplicates = [] }) => duplicates);
  const presentation = await presentationFor(deps, caller, venues);
  return refused.map(({ at, parameters, duplicates = [] }) => {
    const error = new KnownError(409, "other", `Found duplicates. ${howToInsist(parameters)}`, {
      title: "This venue seems to exist already.",
      response: {
        candidateDuplicateVenues: duplicates.map((venue) => ({
          ...compactVenue(venue, { ...presentation, from: parameters.ll }),
          score: venue.score,
          evidence: venue.evidence,
        })),
        ignoreDuplicatesKey: duplicatesKey(deps.vault, caller, parameters, now),
      },
    });
    return [at, error];
  });
}

function howToInsist({ ignoreDuplicates, ignoreDuplicatesKey: key }: Adding): string {
  const advice =
    "To add the venue anyway, repeat the call with ignoreDuplicates=true and the ignoreDuplicatesKey of this response.";
  if (key === undefined) return advice;
  if (ignoreDuplicates !== "true") return `ignoreDuplicatesKey works only with ignoreDuplicates=true. ${advice}`;
  return `This ignoreDuplicatesKey belongs to another call or has expired. ${advice}`;
}
