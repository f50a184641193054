import type { FastifyInstance } from "fastify";
import { editParameters, mergeParameters, revertParameters } from "../../contract/correction-parameters.ts";
import { changeResponse } from "../../contract/resources.ts";
import { badRequest } from "../../shared/errors.ts";
import { editVenue } from "../corrections/edit.ts";
import { mergeOf, mergeVenue } from "../corrections/merge.ts";
import { revertChange } from "../corrections/revert.ts";
import type { ApiDeps } from "../endpoint/declaration.ts";
import { userEndpoint } from "../endpoint/endpoint.ts";
import type { Samples } from "../endpoint/samples.ts";
import { requireVenue, seenBy } from "../venues/find.ts";
import { isOperators, OPERATORS_ONLY, requireOperator, shownChange } from "./changes.ts";
import { sentValues } from "./common/sent-values.ts";

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
      if (Object.keys(wanted).length === 0) throw badRequest(NOTHING);
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
    description: `The id of the duplicate leads to the other venue for ever; its links and check-ins follow. ${OPERATORS_ONLY}`,
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
    description: `Restores the venue with its links, and with the check-ins that a merge moved; of an edited venue, what was edited. ${OPERATORS_ONLY}`,
    parameters: revertParameters,
    async answer({ caller, parameters: { changeId } }) {
      await requireOperator(deps, caller);
      return shownChange(deps, caller, await revertChange(deps, changeId, caller), changeId);
    },
  });
}
