import type { FastifyInstance } from "fastify";
import { addVenueCall, addVenueLine, MOST_WRITTEN_LINES } from "../../contract/parameters.ts";
import { duplicateVenuesResponse, venueResponse } from "../../contract/resources.ts";
import { COFFEE_SHOP } from "../../contract/sample-ids.ts";
import type { ApiDeps } from "../endpoint/declaration.ts";
import { userEndpoint } from "../endpoint/endpoint.ts";
import { SAMPLE_VENUE } from "../endpoint/samples.ts";
import { addEach } from "./common/add-each.ts";
import { type Written, writeOne, writtenByLine } from "./common/write-each.ts";

/** GET /v2/venues/add (interface), and POST, because sources differ on the method (wire-format 7). */
export function registerVenueAdd(app: FastifyInstance, deps: ApiDeps): void {
  const writing = {
    write: addEach.bind(undefined, deps),
    namesOf: ({ key }: Written<unknown>) => (key === undefined ? [] : [key]),
  };
  userEndpoint(app, deps, {
    methods: ["GET", "POST"],
    path: "/v2/venues/add",
    summary: "Adds a venue, unless it seems to exist",
    description: OF_LINES_ADDED,
    parameters: addVenueCall,
    response: venueResponse,
    example: ({ complete }) => ({ venue: { ...complete, location: { ...complete.location, distance: 0 } } }),
    conflict: SEEMS_TO_EXIST,
    isRepeatable: true,
    needs: "enabled",
    answer: ({ caller, parameters, idempotencyKey: key }) => writeOne(writing, caller, { parameters, key }),
    lines: {
      ...writtenByLine(deps, addVenueLine, writing),
      example: [
        {
          name: "Corner Bakery",
          ll: "41.8245,-71.4128",
          primaryCategoryId: COFFEE_SHOP,
          idempotencyKey: "listing-4711",
        },
      ],
    },
  });
}

const SEEMS_TO_EXIST = {
  name: "Duplicates",
  schema: duplicateVenuesResponse,
  example: { candidateDuplicateVenues: [SAMPLE_VENUE], ignoreDuplicatesKey: "KEY-OF-THIS-CALL" },
  detail: "Found duplicates.",
};

const OF_LINES_ADDED = `Ours: with \`Content-Type: application/x-ndjson\` and the credentials in the query, each line of the body is
a call, up to ${MOST_WRITTEN_LINES}: a JSON object with the parameters and \`idempotencyKey\`. Each line of the answer is the
response for it, as if the calls were made one after the other; only scores may differ a little. Each line counts as one call. If fewer lines arrive, send the
others again with their keys.`;
