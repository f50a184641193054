import type { FastifyInstance } from "fastify";
import { venueSearchResponse } from "../../contract/resources.ts";
import { searchParameters } from "../../contract/search-parameters.ts";
import type { ApiDeps } from "../endpoint/deps.ts";
import { openEndpoint } from "../endpoint/endpoint.ts";
import { presentGeocode } from "../places/geocode.ts";
import { findLinked } from "../venues/links.ts";
import { compactVenue, type Presentation } from "../venues/present.ts";
import { type SearchResult, searchVenues } from "../venues/search/search.ts";
import { presentationFor } from "./presentation.ts";

/** GET /v2/venues/search (interface, and wire-format 6). `score` and `evidence` of `intent=match` are ours. */
export function registerVenueSearch(app: FastifyInstance, deps: ApiDeps): void {
  openEndpoint(app, deps, {
    methods: ["GET"],
    path: "/v2/venues/search",
    summary: "Venues near a place, in a region, by name, or the one that is a listing's",
    description: WHAT_GOES_TOGETHER,
    parameters: searchParameters,
    response: venueSearchResponse,
    needs: ({ intent }) => (intent === "match" ? "enabled" : "reading"),
    answer: async ({ caller, parameters }) => {
      const linked = await findLinked(deps.pool, caller.clientId, parameters);
      const found = linked ? { venues: linked, confident: false } : await searchVenues(deps.pool, parameters);
      return presentFound(found, await presentationFor(deps, caller, found.venues, parameters.ll));
    },
  });
}

/** The `response` of a search. */
export const presentFound = ({ venues, confident, place }: SearchResult, presentation: Presentation) => ({
  venues: venues.map((venue) => ({
    ...compactVenue(venue, presentation),
    ...(venue.score !== undefined && { score: venue.score, evidence: venue.evidence }),
  })),
  confident,
  ...(place && { geocode: presentGeocode(place) }),
});

const WHAT_GOES_TOGETHER = `What goes together, by \`intent\`:

- \`checkin\` (where none is given): \`ll\` or \`near\`. \`radius\` counts only with \`query\` or \`categoryId\`.
- \`browse\`: \`ll\` with \`radius\`, or \`near\`, or \`sw\` with \`ne\`: at most 10,000 square kilometres.
- \`global\`: \`query\`, and no place.
- \`match\`: \`name\`, and \`ll\` or \`near\`. Only here \`address\`, \`city\`, \`state\`, \`zip\`, \`phone\` and \`twitter\` count.

\`providerId\` with \`linkedId\`, or \`url\` (but not with \`match\`), finds what is linked, wherever it is.`;
