import type { FastifyInstance } from "fastify";
import { mergeParameters, revertParameters } from "../../contract/correction-parameters.ts";
import { changeResponse } from "../../contract/resources.ts";
import { mergeOf, mergeVenue } from "../corrections/merge.ts";
import { revertChange } from "../corrections/revert.ts";
import type { ApiDeps } from "../endpoint/deps.ts";
import { userEndpoint } from "../endpoint/endpoint.ts";
import { requireVenue, seenBy } from "../venues/find.ts";
import { requireOperator, shownChange, WHO } from "./changes.ts";

/** POST /v2/venues/merge and /v2/venues/revert, for operators (ours; wire-format 6). */
export function registerVenueMerge(app: FastifyInstance, deps: ApiDeps): void {
  const endpoint = { methods: ["POST"], response: changeResponse, needs: "enabled", isOurs: true } as const;
  userEndpoint(app, deps, {
    ...endpoint,
    path: "/v2/venues/merge",
    summary: "Merges a duplicate into another venue",
    description: `The id of the duplicate leads to the other venue for ever; its links and check-ins follow. ${WHO}`,
    parameters: mergeParameters,
    async answer({ caller, parameters: { venueId, into } }) {
      await requireOperator(deps, caller);
      const sees = seenBy(caller);
      const [goes, stays] = [await requireVenue(deps.pool, venueId, sees), await requireVenue(deps.pool, into, sees)];
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
