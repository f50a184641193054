import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { linksResponse, venueResponse } from "../../contract/resources.ts";
import { BLUE_STATE, STARBUCKS } from "../../contract/sample-ids.ts";
import { LOOKUP_PATH, lookupParameters, MOST_LOOKUP_LINES } from "../../contract/search-parameters.ts";
import { type ApiDeps, type Call, ifNoEndpoint } from "../endpoint/declaration.ts";
import { openEndpoint } from "../endpoint/endpoint.ts";
import { envelopeOfOne } from "../endpoint/envelope.ts";
import { readLine, readParameters } from "../endpoint/lines.ts";
import { SAMPLE_LINK } from "../endpoint/samples.ts";
import type { Outcome } from "../idempotency.ts";
import { lookUpVenues, requireVenue, seenBy } from "../venues/find.ts";
import { linksOf } from "../venues/links.ts";
import { completeVenue, presentLink } from "../venues/present.ts";
import { presentationFor } from "./common/presentation.ts";

export function registerVenueDetails(app: FastifyInstance, deps: ApiDeps): void {
  openEndpoint(app, deps, {
    methods: ["GET"],
    path: "/v2/venues/:id",
    mayMiss: true,
    summary: "A venue",
    parameters: z.object({}),
    response: venueResponse,
    example: ({ complete }) => ({ venue: complete }),
    answer: async ({ caller, id, reads }) => {
      const venue = await requireVenue(reads, id, seenBy(caller)).catch((error) => {
        throw ifNoEndpoint(deps, id, error);
      });
      return { venue: completeVenue(venue, await presentationFor({ ...deps, pool: reads }, caller, [venue])) };
    },
  });
}

export function registerVenueLinks(app: FastifyInstance, deps: ApiDeps): void {
  openEndpoint(app, deps, {
    methods: ["GET"],
    path: "/v2/venues/:id/links",
    summary: "The application's listings that are linked to a venue",
    parameters: z.object({}),
    response: linksResponse,
    example: () => ({ links: { count: 1, items: [SAMPLE_LINK] } }),
    answer: async ({ caller, id, reads }) => {
      const venue = await requireVenue(reads, id, seenBy(caller));
      const items = (await linksOf(reads, venue.id, caller.clientId)).map(presentLink);
      return { links: { count: items.length, items } };
    },
  });
}

/** Lines that are looked up together; their answers are sent before the next ones are looked up. */
const PIECE = 500;

/** POST /v2/venues/lookup, our extension of the interface (wire-format 6). Each line counts as a call. */
export function registerVenueLookup(app: FastifyInstance, deps: ApiDeps): void {
  openEndpoint(app, deps, {
    methods: ["POST"],
    path: LOOKUP_PATH,
    summary: "Looks up a venue by its id, or 5,000 as NDJSON",
    description: DESCRIPTION,
    parameters: lookupParameters,
    response: venueResponse,
    example: ({ complete }) => ({ venue: complete }),
    isOurs: true,
    hasOwnLimit: true,
    async answer(call) {
      const [found] = await lookUp(deps, call, [{ done: call.parameters }]);
      if (!found || "error" in found) throw found?.error;
      return found.done;
    },
    lines: {
      most: MOST_LOOKUP_LINES,
      parameters: lookupParameters.omit({ venueId: true }),
      example: [{ venueId: STARBUCKS }, { venueId: BLUE_STATE }],
      line: lookupParameters,
      async *answer(call, lines) {
        for (let from = 0; from < lines.length; from += PIECE) {
          const asked = lines.slice(from, from + PIECE).map(readId);
          for (const each of await lookUp(deps, call, asked)) yield envelopeOfOne(each, call.caller, deps.log);
        }
      },
    },
  });
}

type Asked = Outcome<{ venueId: string }>;

/** Returns for each what GET /v2/venues/ID answers, or its error. */
async function lookUp(deps: ApiDeps, { caller, reads }: Pick<Call<unknown>, "caller" | "reads">, asked: Asked[]) {
  const ids = asked.flatMap((each) => ("error" in each ? [] : each.done.venueId));
  const found = await lookUpVenues(reads, ids, seenBy(caller));
  const venues = [...found.values()].flatMap((each) => ("error" in each ? [] : each));
  const presentation = await presentationFor({ ...deps, pool: reads }, caller, venues);
  return asked.map((each) => {
    if ("error" in each) return each;
    const venue = found.get(each.done.venueId);
    if (!venue) throw new Error("An id has no outcome.");
    return "error" in venue ? venue : { done: { venue: completeVenue(venue, presentation) } };
  });
}

const readId = (line: string): Asked =>
  readParameters(lookupParameters, readLine(line), 'A line must be an object {"venueId": "…"}.');

const DESCRIPTION = `The answer is that of \`GET /v2/venues/{id}\`: a merged venue is the one that it was merged into, a closed one
has \`closed\`, an unknown or deleted one is an error 400. With \`Content-Type: application/x-ndjson\` and the credentials in the query,
each line of the body is \`{"venueId":"…"}\`, up to 5,000 lines in 1 MB, and each line of the answer is the response for it,
in order. Each line counts as one call.`;
