import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import { annotateParameters, annotateVenueParameters } from "../../contract/link-parameters.ts";
import { annotateResponse } from "../../contract/resources.ts";
import type { Caller } from "../endpoint/credentials.ts";
import type { Call } from "../endpoint/declaration.ts";
import type { ApiDeps } from "../endpoint/deps.ts";
import { userEndpoint } from "../endpoint/endpoint.ts";
import { once } from "../idempotency.ts";
import type { TokenPair } from "../tokens.ts";
import { requireVenue } from "../venues/find.ts";
import { addLink } from "../venues/links.ts";
import { completeVenue, presentLink } from "../venues/present.ts";
import { presentationFor } from "./presentation.ts";

type AnnotateCall = Call<z.output<typeof annotateParameters>, Caller & TokenPair>;

/** The venue id may be in the path or in `venueId`, because the interface does not say where (wire-format 8). */
export function registerVenueAnnotate(app: FastifyInstance, deps: ApiDeps): void {
  const endpoint = {
    methods: ["GET", "POST"],
    summary: "Links a listing of the application to a venue",
    response: annotateResponse,
    needs: "enabled",
  } as const;
  userEndpoint(app, deps, {
    ...endpoint,
    path: "/v2/venues/:id/annotate",
    parameters: annotateParameters,
    answer: (call) => annotate(deps, call.id, call),
  });
  userEndpoint(app, deps, {
    ...endpoint,
    path: "/v2/venues/annotate",
    parameters: annotateVenueParameters,
    answer: (call) => annotate(deps, call.parameters.venueId, call),
  });
}

async function annotate(deps: ApiDeps, id: string, { caller, parameters, idempotencyKey }: AnnotateCall) {
  const venue = await requireVenue(deps.pool, id);
  const { providerId, linkedId, url } = parameters;
  const scope = `${caller.clientId}/${caller.userId}`;
  const call = ["venues/annotate", { venueId: venue.id, providerId, linkedId, url }];
  const presentation = await presentationFor(deps, caller, [venue]);
  return once(deps, { scope, key: idempotencyKey, call }, async (tx) => {
    const link = await addLink(tx, venue.id, parameters, caller);
    return { venue: completeVenue(venue, presentation), link: presentLink(link) };
  });
}
