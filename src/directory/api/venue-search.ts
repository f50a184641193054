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
