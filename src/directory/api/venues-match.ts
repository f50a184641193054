import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import type { Envelope } from "../../contract/envelope.ts";
import { multiResponse } from "../../contract/resources.ts";
import {
  BRIEF,
  listingParameters,
  MOST_LINES,
  matchLinesParameters,
  matchParameters,
  type SearchParameters,
  VENUES_MATCH_PATH,
} from "../../contract/search-parameters.ts";
import type { Caller } from "../endpoint/credentials.ts";
import type { ApiDeps } from "../endpoint/declaration.ts";
import { openEndpoint } from "../endpoint/endpoint.ts";
import { envelopeOfOne } from "../endpoint/envelope.ts";
import { readLine, readParameters } from "../endpoint/lines.ts";
import { inEnvelopes, SAMPLE_VENUE } from "../endpoint/samples.ts";
import { heldOf } from "../venues/held.ts";
import { matchEach } from "../venues/search/match-each.ts";
import { dueDate, turn } from "../venues/search/turns.ts";
import { presentationFor } from "./common/presentation.ts";
import { presentFound } from "./venue-search.ts";

/** Milliseconds after which no further listing of a form or piece is started. Clients wait ten seconds. */
const LONGEST_MS = 8000;

const LARGEST_BODY = 1024 * 1024;

/** Lines that are matched together; their answers are sent before the next ones are matched. */
const PIECE = 1000;

/**
 * POST /v2/venues/match, our extension of the interface (wire-format 6). Returns one envelope per listing, in order. Each
 * listing counts as a call.
 */
export function registerVenuesMatch(app: FastifyInstance, deps: ApiDeps): void {
  openEndpoint(app, deps, {
    methods: ["POST"],
    path: VENUES_MATCH_PATH,
    summary: "Matches up to 500 listings in one call, or 5,000 as NDJSON",
    description: DESCRIPTION,
    parameters: matchParameters,
    response: multiResponse,
    example: ({ venue }) => ({
      responses: inEnvelopes(
        { venues: [{ ...venue, score: 0.98, needsReview: false, evidence: EVIDENCE }], confident: true },
        { venues: [], confident: false },
      ),
    }),
    needs: "enabled",
    isOurs: true,
    hasOwnLimit: true,
    bodyLimit: LARGEST_BODY,
    cost: ({ listings }) => matchParameters.shape.listings.safeParse(listings).data?.length ?? 1,
    answer: async ({ caller, reads, parameters: { listings, ...shared } }) => {
      const responses: Envelope[] = [];
      for await (const envelope of answerEach({ ...deps, pool: reads }, caller, listings, shared))
        responses.push(envelope);
      return { responses };
    },
    lines: {
      most: MOST_LINES,
      parameters: matchLinesParameters,
      line: listingParameters,
      example: [
        { name: SAMPLE_VENUE.name, ll: "41.824,-71.413" },
        { name: "No Such Place", near: "Providence, RI" },
      ],
      answered: ({ found }) => found,
      async *answer({ caller, parameters, reads }, lines) {
        for (let from = 0; from < lines.length; from += PIECE) {
          const listings = lines.slice(from, from + PIECE).map(readLine);
          yield* answerEach({ ...deps, pool: reads }, caller, listings, parameters as Shared);
        }
      },
    },
  });
}

const EVIDENCE = [{ comparison: "name", weight: 5.5, text: "same name" }];

type Shared = z.output<typeof matchLinesParameters>;

async function* answerEach(
  deps: ApiDeps,
  caller: Caller,
  listings: unknown[],
  { brief, ...shared }: Shared,
): AsyncGenerator<Envelope> {
  const asked = listings.map((listing) => readListing(listing, shared));
  const due = dueDate(asked.length);
  const held = await heldOf(deps.pool, caller);
  const matched = await matchEach(deps.pool, asked, performance.now() + LONGEST_MS, { due, held });
  const venues = matched.flatMap((each) => ("error" in each ? [] : each.venues));
  const isBrief = brief === BRIEF;
  const presentation = await presentationFor(deps, isBrief ? {} : caller, venues);
  for (const [at, each] of matched.entries()) {
    const { ll: from } = asked[at] as { ll?: SearchParameters["ll"] };
    await turn(due);
    const outcome = "error" in each ? each : { done: presentFound(each, { ...presentation, from }, isBrief) };
    yield envelopeOfOne(outcome, caller, deps.log);
  }
}

function readListing(listing: unknown, shared: Shared) {
  const read = readParameters(listingParameters, listing, NO_LISTING);
  return "error" in read ? read : { intent: "match" as const, ...read.done, ...shared };
}

const NO_LISTING = 'A listing must be an object such as {"name": "Blue State Coffee"}.';

const DESCRIPTION = `\`response.responses\` has one response per listing, in the order sent: the response of a search with
\`intent=match\` for it, or an error in its \`meta\`. Each listing counts as one call. Listings that were not
processed in time have code 503; send them again.

With \`Content-Type: application/x-ndjson\` and all parameters but \`listings\` in the query, each line of the body is a
listing, up to 5,000, and each line of the answer is the response for it, sent while the next ones are matched. Listings that are
near each other are matched fastest if they follow each other.`;
