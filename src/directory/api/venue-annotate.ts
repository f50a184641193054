import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import { annotateLine, annotateParameters, annotateVenueParameters } from "../../contract/correction-parameters.ts";
import { MOST_WRITTEN_LINES } from "../../contract/parameters.ts";
import { annotateResponse, otherVenueResponse, type Venue } from "../../contract/resources.ts";
import { STARBUCKS } from "../../contract/sample-ids.ts";
import type { Caller } from "../endpoint/credentials.ts";
import type { ApiDeps } from "../endpoint/declaration.ts";
import { userEndpoint } from "../endpoint/endpoint.ts";
import { OTHER_VENUE, SAMPLE_LINK, type Samples } from "../endpoint/samples.ts";
import { type Outcome, onceEach } from "../idempotency.ts";
import type { TokenPair } from "../tokens.ts";
import { deletedAmong, keepVenues, noSuchVenue, seenBy, VENUE_ID, wasDeleted } from "../venues/find.ts";
import { addLinks, type LinkRow, listingKey } from "../venues/links.ts";
import { completeVenue, presentLink } from "../venues/present.ts";
import type { VenueRow } from "../venues/rows.ts";
import { presentationFor } from "./common/presentation.ts";
import { type Written, writeOne, writtenByLine } from "./common/write-each.ts";

type Annotation = z.output<typeof annotateVenueParameters>;

/** The venue id may be in the path or in `venueId`, because the interface does not say where (wire-format 8). */
export function registerVenueAnnotate(app: FastifyInstance, deps: ApiDeps): void {
  const writing = writingLinks(deps);
  const endpoint = {
    methods: ["GET", "POST"],
    summary: "Links a listing of the application to a venue",
    response: annotateResponse,
    example: ({ complete }: Samples) => ({ venue: complete, link: SAMPLE_LINK }),
    conflict: IS_ON_ANOTHER,
    isRepeatable: true,
    needs: "enabled",
  } as const;
  userEndpoint(app, deps, {
    ...endpoint,
    path: "/v2/venues/:id/annotate",
    parameters: annotateParameters,
    answer: ({ caller, parameters, id, idempotencyKey: key }) =>
      writeOne(writing, caller, { parameters: { ...parameters, venueId: id }, key }),
  });
  userEndpoint(app, deps, {
    ...endpoint,
    path: "/v2/venues/annotate",
    parameters: annotateVenueParameters,
    description: OF_LINES_ANNOTATED,
    answer: ({ caller, parameters, idempotencyKey: key }) => writeOne(writing, caller, { parameters, key }),
    lines: {
      ...writtenByLine(deps, annotateLine, writing),
      example: [{ venueId: STARBUCKS, providerId: "listings", linkedId: "4711", idempotencyKey: "listing-4711" }],
    },
  });
}

const IS_ON_ANOTHER = {
  name: "OtherVenue",
  schema: otherVenueResponse,
  example: OTHER_VENUE,
  detail:
    "This linkedId is already linked to another venue, see response.venue. A listing can be linked to one venue only.",
};

const writingLinks = (deps: ApiDeps) => ({
  write: (caller: Caller & TokenPair, calls: Written<Annotation>[]) => annotateEach(deps, caller, calls),
  namesOf: ({ parameters, key }: Written<Annotation>) => [
    `link ${listingKey(parameters)}`,
    ...(key ? [`key ${key}`] : []),
  ],
});

async function annotateEach(deps: ApiDeps, caller: Caller & TokenPair, calls: Written<Annotation>[]) {
  return onceEach<Annotated>(deps, `${caller.clientId}/${caller.userId}`, calls.map(asKeyed), async (tx, due) => {
    const ids = due.flatMap((at) => calls[at]?.parameters.venueId ?? []).filter((id) => VENUE_ID.test(id));
    const venues = await keepVenues(tx, deps.pool, [...new Set(ids)], seenBy(caller));
    const deleted = await deletedAmong(
      deps.pool,
      ids.filter((id) => !venues.has(id)),
    );
    const missing = (id = "") => (deleted.has(id) ? wasDeleted() : noSuchVenue());
    const presentation = await presentationFor(deps, caller, [...venues.values()]);
    const known = due.filter((at) => venues.has(calls[at]?.parameters.venueId ?? ""));
    const links = known.map((at) => {
      const { parameters } = calls[at] as Written<Annotation>;
      return { ...parameters, venueId: venues.get(parameters.venueId)?.id ?? parameters.venueId };
    });
    const added = await addLinks(tx, links, caller);
    const outcomes = new Map<number, Outcome<Annotated>>(
      due.map((at) => [at, { error: missing(calls[at]?.parameters.venueId) }]),
    );
    for (const [place, at] of known.entries()) {
      const venue = venues.get(calls[at]?.parameters.venueId ?? "") as VenueRow;
      const link = added[place] as Outcome<LinkRow>;
      const answer = "done" in link && { venue: completeVenue(venue, presentation), link: presentLink(link.done) };
      outcomes.set(at, answer ? { done: answer } : (link as { error: unknown }));
    }
    return outcomes;
  });
}

type Annotated = { venue: Venue; link: ReturnType<typeof presentLink> };

const asKeyed = ({ parameters: { venueId, providerId, linkedId, url }, key }: Written<Annotation>) => ({
  key,
  call: ["venues/annotate", { venueId, providerId, linkedId, url }],
});

const OF_LINES_ANNOTATED = `Ours: with \`Content-Type: application/x-ndjson\` and the credentials in the query, each line of the body is
a call, up to ${MOST_WRITTEN_LINES}: a JSON object with the parameters and \`idempotencyKey\`. Each line of the answer is the
response for it. Each line counts as one call. If fewer lines arrive, send the others again with their keys.`;
