import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { venueResponse } from "../../contract/resources.ts";
import type { ApiDeps } from "../endpoint/deps.ts";
import { openEndpoint } from "../endpoint/endpoint.ts";
import { ifNoEndpoint } from "../endpoint/named.ts";
import { requireVenue, seenBy } from "../venues/find.ts";
import { completeVenue } from "../venues/present.ts";
import { presentationFor } from "./common/presentation.ts";

export function registerVenueDetails(app: FastifyInstance, deps: ApiDeps): void {
  openEndpoint(app, deps, {
    methods: ["GET"],
    path: "/v2/venues/:id",
    mayMiss: true,
    summary: "A venue",
    parameters: z.object({}),
    response: venueResponse,
    answer: async ({ caller, id, reads }) => {
      const venue = await requireVenue(reads, id, seenBy(caller)).catch((error) => {
        throw ifNoEndpoint(deps, id, error);
      });
      return { venue: completeVenue(venue, await presentationFor({ ...deps, pool: reads }, caller, [venue])) };
    },
  });
}
