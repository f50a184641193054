import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { linksResponse } from "../../contract/resources.ts";
import type { ApiDeps } from "../endpoint/deps.ts";
import { openEndpoint } from "../endpoint/endpoint.ts";
import { requireVenue, seenBy } from "../venues/find.ts";
import { linksOf } from "../venues/links.ts";
import { presentLink } from "../venues/present.ts";

export function registerVenueLinks(app: FastifyInstance, deps: ApiDeps): void {
  openEndpoint(app, deps, {
    methods: ["GET"],
    path: "/v2/venues/:id/links",
    summary: "The application's listings that are linked to a venue",
    parameters: z.object({}),
    response: linksResponse,
    answer: async ({ caller, id, reads }) => {
      const venue = await requireVenue(reads, id, seenBy(caller));
      const items = (await linksOf(reads, venue.id, caller.clientId)).map(presentLink);
      return { links: { count: items.length, items } };
    },
  });
}
