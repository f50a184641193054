import type { FastifyRequest } from "fastify";
import { findHarmonization, type Harmonization, isOwner } from "../../../harmonize/run/harmonizations.ts";
import type { Guard, Handler } from "../../../http/routes.ts";
import { notFound } from "../../../shared/errors.ts";
import type { Web } from "../../base/deps.ts";
import { connected, type Member, members, type Visit } from "../../base/members.ts";

/** A member, and the harmonization `:id` that they may see. */
export interface Seen {
  member: Member;
  found: Harmonization;
}

/** Members who may see the harmonization `:id`. For others the page does not exist (attacks W08). */
export const viewers: Guard<Web, Seen> = (web, handler, returnTo) =>
  members(
    web,
    async (_web, request, reply, member) =>
      handler(web, request, reply, { member, found: await findSeen(web, request, member) }),
    returnTo,
  );

/** The member who started the harmonization `:id`. For others the page does not exist (attacks W08). */
export const owners: Guard<Web, Seen> = (web, handler, returnTo = harmonizationOf) =>
  viewers(web, ownedBy(handler), returnTo);

export const connectedViewers: Guard<Web, Seen & Visit> = (web, handler, returnTo) =>
  connected(
    web,
    async (_web, request, reply, visit) =>
      handler(web, request, reply, { ...visit, found: await findSeen(web, request, visit.member) }),
    returnTo,
  );

export const connectedOwners: Guard<Web, Seen & Visit> = (web, handler, returnTo = harmonizationOf) =>
  connectedViewers(web, ownedBy(handler), returnTo);

const ownedBy =
  <S extends Seen>(handler: Handler<Web, S>): Handler<Web, S> =>
  (web, request, reply, seen) => {
    if (!isOwner(seen.found, seen.member)) throw notFound();
    return handler(web, request, reply, seen);
  };

/** @throws KnownError 404 if there is none, or this member may not see it */
async function findSeen({ harmonizer }: Web, { params }: FastifyRequest, member: Member): Promise<Harmonization> {
  const found = await findHarmonization(harmonizer, member, (params as { id: string }).id);
  if (!found) throw notFound();
  return found;
}

export const harmonizationOf = ({ params }: FastifyRequest): string =>
  `/harmonizations/${encodeURIComponent((params as { id: string }).id)}`;
