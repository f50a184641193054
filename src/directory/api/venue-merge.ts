import type { FastifyInstance } from "fastify";
import { mergeParameters, revertParameters } from "../../contract/correction-parameters.ts";
import { changeResponse } from "../../contract/resources.ts";
import { KnownError } from "../../shared/errors.ts";
import { isOperator } from "../access.ts";
import { mergeVenue } from "../corrections/merge.ts";
import { revertChange } from "../corrections/revert.ts";
import type { Caller } from "../endpoint/credentials.ts";
import type { ApiDeps } from "../endpoint/deps.ts";
import { userEndpoint } from "../endpoint/endpoint.ts";
import type { TokenPair } from "../tokens.ts";
import { requireVenue } from "../venues/find.ts";
import { compactVenue } from "../venues/present.ts";
import { presentationFor } from "./presentation.ts";

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
      const [goes, stays] = [await requireVenue(deps.pool, venueId), await requireVenue(deps.pool, into)];
      const change = await mergeVenue(deps, { id: goes.id, into: stays.id }, caller);
      return shown(deps, caller, stays.id, change);
    },
  });
  userEndpoint(app, deps, {
    ...endpoint,
    path: "/v2/venues/revert",
    summary: "Reverts a merge or a deletion",
    description: `Restores the venue with its links, and with the check-ins that a merge moved. ${WHO}`,
    parameters: revertParameters,
    async answer({ caller, parameters: { changeId } }) {
      await requireOperator(deps, caller);
      return shown(deps, caller, await revertChange(deps, changeId, caller), changeId);
    },
  });
}

const WHO = "Only for operators of the directory, with an application of their own.";

/** Otherwise every application that an operator logs in to could merge venues. */
async function requireOperator({ prisma, operator }: ApiDeps, { userId, clientId }: TokenPair): Promise<void> {
  const [user, application] = await Promise.all([
    prisma.user.findUnique({ where: { id: userId } }),
    prisma.application.findUnique({ where: { clientId }, include: { owner: true } }),
  ]);
  if (user && application && isOperator(operator, user) && isOperator(operator, application.owner)) return;
  throw new KnownError(403, "not_authorized", WHO);
}

async function shown(deps: ApiDeps, caller: Caller & TokenPair, id: string, change: string) {
  const venue = await requireVenue(deps.pool, id);
  return { venue: compactVenue(venue, await presentationFor(deps, caller, [venue])), change: { id: change } };
}
