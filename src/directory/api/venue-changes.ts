import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import {
  annotateLine,
  annotateParameters,
  annotateVenueParameters,
  deleteParameters,
  editParameters,
  mergeParameters,
  revertParameters,
  type Values,
  venueChanges,
} from "../../contract/correction-parameters.ts";
import { addVenueCall, addVenueLine, formatLl, MOST_WRITTEN_LINES } from "../../contract/parameters.ts";
import {
  annotateResponse,
  changeResponse,
  duplicateVenuesResponse,
  otherVenueResponse,
  type Venue,
  venueResponse,
} from "../../contract/resources.ts";
import { COFFEE_SHOP, STARBUCKS } from "../../contract/sample-ids.ts";
import { KnownError } from "../../shared/errors.ts";
import { deleteVenues } from "../corrections/delete.ts";
import { editVenue } from "../corrections/edit.ts";
import { mergeOf, mergeVenue } from "../corrections/merge.ts";
import { revertChange } from "../corrections/revert.ts";
import { checkValues } from "../corrections/values.ts";
import type { Caller } from "../endpoint/credentials.ts";
import type { ApiDeps } from "../endpoint/declaration.ts";
import { userEndpoint } from "../endpoint/endpoint.ts";
import { OTHER_VENUE, SAMPLE_LINK, SAMPLE_VENUE, type Samples } from "../endpoint/samples.ts";
import { type Outcome, onceEach } from "../idempotency.ts";
import type { TokenPair } from "../tokens.ts";
import { deletedAmong, keepVenues, noSuchVenue, requireVenue, seenBy, VENUE_ID, wasDeleted } from "../venues/find.ts";
import { addLinks, type LinkRow, listingKey } from "../venues/links.ts";
import { completeVenue, presentLink } from "../venues/present.ts";
import type { VenueRow } from "../venues/rows.ts";
import { isOperators, requireOperator, shownChange, WHO } from "./changes.ts";
import { presentationFor } from "./common/presentation.ts";
import { addEach, type Written, writeOne, writtenByLine } from "./common/write-each.ts";

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

type Deletion = z.output<typeof deleteParameters>;

/** POST /v2/venues/delete (ours; wire-format 7). */
export function registerVenueDelete(app: FastifyInstance, deps: ApiDeps): void {
  const writing = {
    async write(caller: Caller & TokenPair, calls: Written<Deletion>[]) {
      const ids = calls.map(({ parameters }) => parameters.venueId);
      const outcomes = await deleteVenues(deps, ids, caller);
      return outcomes.map((each) => ("done" in each ? { done: { venue: each.done } } : each));
    },
    namesOf: ({ parameters }: Written<Deletion>) => [parameters.venueId],
  };
  userEndpoint(app, deps, {
    methods: ["POST"],
    path: "/v2/venues/delete",
    summary: "Deletes a venue that the user has just added",
    description: OF_LINES_DELETED,
    parameters: deleteParameters,
    response: otherVenueResponse,
    example: () => OTHER_VENUE,
    conflict: true,
    needs: "enabled",
    isOurs: true,
    answer: ({ caller, parameters }) => writeOne(writing, caller, { parameters, key: undefined }),
    lines: { ...writtenByLine(deps, deleteParameters, writing), example: [{ venueId: STARBUCKS }] },
  });
}

const OF_LINES_DELETED = `Undoes an add of the same user and application, within a day and while nobody else has used the venue: no
check-in, no link of others, no change by others. Otherwise 403 or 409 says why. The application's own links go with it. Its id then
answers that the venue was deleted. Repeating a deletion answers the same. With \`Content-Type: application/x-ndjson\` and the
credentials in the query, each line of the body is a call, up to ${MOST_WRITTEN_LINES}: \`{"venueId":"…"}\`. Each line of the answer is the
response for it. Each line counts as one call.`;

/** POST /v2/venues/edit (ours; wire-format 6). */
export function registerVenueEdit(app: FastifyInstance, deps: ApiDeps): void {
  userEndpoint(app, deps, {
    methods: ["POST"],
    path: "/v2/venues/edit",
    summary: "Edits, moves, closes or reopens a venue",
    description: OF_EDITS,
    parameters: editParameters,
    response: changeResponse,
    example: ({ venue }) => ({ venue, change: { id: "17" } }),
    filledIn: ["phone"],
    conflict: true,
    needs: "enabled",
    isOurs: true,
    async answer({ caller, parameters }) {
      const wanted = sentValues(parameters);
      if (Object.keys(wanted).length === 0) throw new KnownError(400, "param_error", NOTHING);
      const { id } = await requireVenue(deps.pool, parameters.venueId, seenBy(caller));
      const by = { ...caller, isOperator: await isOperators(deps, caller) };
      return shownChange(deps, caller, id, await editVenue(deps, { id, wanted, was: parameters.was }, by));
    },
  });
}

const NOTHING = "Send at least one value to change, or the name of one in empty.";

const OF_EDITS = `Changes what is sent and leaves the rest. The rules are those of venues/add. For operators of the directory, with
an application of their own; and for the user and application that added the venue, within a day and while nobody else has used it, as with
venues/delete. Otherwise 403 or 409 says why. A later import keeps what was edited until the change is reverted.`;

/** Returns the values that a call sends, as they are stored. Throws KnownError 400 param_error. */
export function sentValues({
  empty = [],
  ...parameters
}: Record<string, unknown> & { empty?: string[] | undefined }): Values {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    name in venueChanges.shape && value !== undefined
      ? [[name, typeof value === "string" ? value : formatLl(value as { lat: number; lng: number })]]
      : [],
  );
  const { values, errors } = checkValues(Object.fromEntries([...given, ...empty.map((name) => [name, ""])]));
  if (values) return values;
  throw new KnownError(400, "param_error", `${Object.values(errors).join("; ")}.`);
}

/** POST /v2/venues/merge and /v2/venues/revert, for operators (ours; wire-format 6). */
export function registerVenueMerge(app: FastifyInstance, deps: ApiDeps): void {
  const endpoint = {
    methods: ["POST"],
    response: changeResponse,
    example: ({ venue }: Samples) => ({ venue, change: { id: "17" } }),
    conflict: true,
    needs: "enabled",
    isOurs: true,
  } as const;
  userEndpoint(app, deps, {
    ...endpoint,
    path: "/v2/venues/merge",
    summary: "Merges a duplicate into another venue",
    description: `The id of the duplicate leads to the other venue for ever; its links and check-ins follow. ${WHO}`,
    parameters: mergeParameters,
    async answer({ caller, parameters: { venueId, into } }) {
      await requireOperator(deps, caller);
      const sees = seenBy(caller);
      const goes = await requireVenue(deps.pool, venueId, sees);
      const stays = await requireVenue(deps.pool, into, sees);
      const change =
        (venueId !== into && goes.id === stays.id && (await mergeOf(deps.pool, venueId))) ||
        (await mergeVenue(deps, { id: goes.id, into: stays.id }, caller));
      return shownChange(deps, caller, stays.id, change);
    },
  });
  userEndpoint(app, deps, {
    ...endpoint,
    path: "/v2/venues/revert",
    mayMiss: true,
    summary: "Reverts a merge, a deletion or an edit",
    description: `Restores the venue with its links, and with the check-ins that a merge moved; of an edited venue, what was edited. ${WHO}`,
    parameters: revertParameters,
    async answer({ caller, parameters: { changeId } }) {
      await requireOperator(deps, caller);
      return shownChange(deps, caller, await revertChange(deps, changeId, caller), changeId);
    },
  });
}
