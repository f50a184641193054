import type { FastifyInstance } from "fastify";
import { venueSearchResponse } from "../../contract/resources.ts";
import { searchParameters } from "../../contract/search-parameters.ts";
import type { ApiDeps } from "../endpoint/declaration.ts";
import { openEndpoint } from "../endpoint/endpoint.ts";
import { presentGeocode } from "../places/geocode.ts";
import { seenBy } from "../venues/find.ts";
import { heldOf } from "../venues/held.ts";
import { findLinked } from "../venues/links.ts";
import { briefVenue, compactVenue, type Presentation } from "../venues/present.ts";
import { type SearchResult, searchVenues } from "../venues/search/search.ts";
import { presentationFor } from "./common/presentation.ts";

export function registerVenueSearch(app: FastifyInstance, deps: ApiDeps): void {
  openEndpoint(app, deps, {
    methods: ["GET"],
    path: "/v2/venues/search",
    summary: "Searches venues by place, region or name, or matches a listing",
    description: WHAT_GOES_TOGETHER,
    parameters: searchParameters,
    response: venueSearchResponse,
    example: ({ found }) => found,
    filledIn: ["ll", "query"],
    needs: ({ intent }) => (intent === "match" ? "enabled" : "reading"),
    answer: async ({ caller, parameters, reads }) => {
      const linked = await findLinked(reads, caller.clientId, parameters);
      const found = linked
        ? { venues: linked.filter(seenBy(caller)), confident: false }
        : await searchVenues(reads, parameters, await heldOf(reads, caller));
      return presentFound(found, await presentationFor({ ...deps, pool: reads }, caller, found.venues, parameters.ll));
    },
  });
}

export const presentFound = (
  { venues, confident, place, position, nothingWithin }: SearchResult,
  presentation: Presentation,
  isBrief = false,
) => ({
  venues: venues.map((venue) => ({
    ...(isBrief ? briefVenue(venue, presentation.sources) : compactVenue(venue, presentation)),
    ...(venue.score !== undefined && {
      score: venue.score,
      needsReview: venue.needsReview,
      evidence: venue.evidence,
    }),
  })),
  confident,
  ...(place && { geocode: presentGeocode(place) }),
  ...(position && { position }),
  ...(nothingWithin && { nothingWithin }),
});

const WHAT_GOES_TOGETHER = `Parameters by \`intent\`:

- \`checkin\` (default): \`ll\` or \`near\`. \`radius\` has an effect only with \`query\` or \`categoryId\`. Venues more than 100 km from
  \`ll\` are left out; if there are no others, the answer has \`nothingWithin\`.
- \`browse\`: \`ll\` with \`radius\`, or \`near\`, or \`sw\` with \`ne\`; at most 10,000 square kilometres.
- \`global\`: \`query\`, without a place.
- \`match\`: \`name\`, and \`ll\` or \`near\`. \`address\`, \`city\`, \`state\`, \`zip\`, \`phone\` and \`twitter\` have an effect only here.
  Without \`ll\`, a house number and street in \`address\` give the position where the directory knows venues of the street;
  the answer has it as \`position\`, and scores are lower.

\`providerId\` with \`linkedId\`, or \`url\` (except with \`match\`), finds linked venues anywhere.`;
