import type { FastifyInstance } from "fastify";
import { searchParameters } from "../../contract/parameters.ts";
import { venueSearchResponse } from "../../contract/resources.ts";
import { compactVenue } from "../venues/present.ts";
import { searchVenues } from "../venues/search.ts";
import type { ApiDeps } from "./deps.ts";
import { openEndpoint } from "./endpoint.ts";

/** GET /v2/venues/search (interface, and wire-format 6). `score` and `evidence` of `intent=match` are ours. */
export function registerVenueSearch(app: FastifyInstance, deps: ApiDeps): void {
  openEndpoint(app, deps, {
    methods: ["GET"],
    path: "/v2/venues/search",
    summary: "Venues near a place, in a region, by name, or the one that is a listing's",
    parameters: searchParameters,
    response: venueSearchResponse,
    answer: async ({ parameters }) => {
      const { venues, confident } = await searchVenues(deps.pool, parameters);
      const presentation = { baseUrl: deps.config.api.url, from: parameters.ll, now: new Date() };
      return {
        venues: venues.map((venue) => ({
          ...compactVenue(venue, presentation),
          ...(venue.score !== undefined && { score: venue.score, evidence: venue.evidence }),
        })),
        confident,
      };
    },
  });
}
