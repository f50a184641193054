import type { FastifyReply, FastifyRequest } from "fastify";
import { findHarmonization, type Harmonization, isOwner } from "../../../harmonize/run/harmonizations.ts";
import { notFound } from "../../../shared/errors.ts";
import type { Web } from "../../base/deps.ts";
import { type Member, membersOnly } from "../../base/members.ts";

export interface Owned {
  member: Member;
  found: Harmonization;
}

type OwnerHandler = (request: FastifyRequest, reply: FastifyReply, owned: Owned) => Promise<FastifyReply>;

/**
 * What only whoever began a harmonization may do with it, `:id` in the address. To everybody else, also those who may see
 * it, there is no such page (attacks W08). A guest who comes back from the log-in finds the harmonization.
 */
export const ownersOnly = (web: Web, handler: OwnerHandler) =>
  membersOnly(
    web,
    async (request, reply, member) => handler(request, reply, { member, found: await findOwned(web, request, member) }),
    harmonizationOf,
  );

/** @throws KnownError 404 where there is none, or it is another's */
export async function findOwned(web: Web, request: FastifyRequest, member: Member): Promise<Harmonization> {
  const { id } = request.params as { id: string };
  const found = await findHarmonization(web.harmonizer, member, id);
  if (!found || !isOwner(found, member)) throw notFound();
  return found;
}

/** The page to come back to after a log-in. */
export const harmonizationOf = ({ params }: FastifyRequest): string =>
  `/harmonizations/${encodeURIComponent((params as { id: string }).id)}`;
