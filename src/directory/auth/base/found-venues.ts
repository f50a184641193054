import { ll as point } from "../../../contract/parameters.ts";
import { type SearchParameters, searchParameters } from "../../../contract/search-parameters.ts";
import { withDecimalSign } from "../../../language/format.ts";
import { addressInWords, categoryName } from "../../../language/names.ts";
import { t } from "../../../language/translate.ts";
import { distanceBetween, metresInWords } from "../../../matching/distance.ts";
import { KnownError } from "../../../shared/errors.ts";
import { findCategory } from "../../categories/tree.ts";
import { addressOf, venuePage } from "../../venues/present.ts";
import type { VenueRow } from "../../venues/rows.ts";
import { searchVenues } from "../../venues/search/search.ts";
import type { AuthDeps } from "./session.ts";

const MOST = "20";

/** Reads a form with `query` and `near`: a place by its name or position, or "" for anywhere. */
export function askedFor({ query, near }: { query: string; near: string }) {
  const position = near.replaceAll(/\s/g, "");
  const where = point.safeParse(position).success ? { ll: position } : near ? { near } : { intent: "global" };
  return searchParameters.safeParse({ ...(query && { query }), ...where, limit: MOST });
}

export const unknownPlace = () =>
  t(
    "The directory does not know this place. Check the spelling, and whether the directory has venues there. You can also name a larger town nearby, or write latitude, longitude, such as 41.8240, -71.4128.",
  );

/** Returns undefined if the directory does not know the place. */
export async function searchFor(deps: AuthDeps, asked: SearchParameters) {
  try {
    const { venues, place } = await searchVenues(deps.pool, asked);
    const center = asked.ll ?? place?.place;
    return { venues, results: venues.map((venue) => resultView(deps, venue, center)) };
  } catch (problem) {
    if (!(problem instanceof KnownError) || problem.status !== 400) throw problem;
    return undefined;
  }
}

function resultView({ config }: AuthDeps, venue: VenueRow, center: { lat: number; lng: number } | undefined) {
  const category = venue.categoryId ? findCategory(venue.categoryId) : undefined;
  return {
    id: venue.id,
    name: venue.name,
    href: venuePage(venue.id, config.api.url),
    line: [category && categoryName(category.name), addressInWords(addressOf(venue))].filter(Boolean).join(" · "),
    distance: center && withDecimalSign(metresInWords(distanceBetween(center, venue))),
  };
}
export type ResultView = ReturnType<typeof resultView>;
