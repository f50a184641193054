import type { FastifyReply, FastifyRequest } from "fastify";
import type { ListRole } from "../../../db/generated/enums.ts";
import { findExample } from "../../../harmonize/file/example.ts";
import { noteUse } from "../../../harmonize/run/expiry.ts";
import { findHarmonization, type Harmonization, mayOnList } from "../../../harmonize/run/harmonizations.ts";
import { sendView } from "../../../http/pages/views.ts";
import type { Guard, Handler } from "../../../http/routes.ts";
import { t } from "../../../language/translate.ts";
import { notFound } from "../../../shared/errors.ts";
import type { Web } from "../../base/deps.ts";
import { connected, type Member, members, type Visit } from "../../base/members.ts";

/** A member, and the harmonization `:id` that they may see. */
export interface Seen {
  member: Member;
  h: Harmonization;
}

/** Members who may see the harmonization `:id`. For others the page does not exist (attacks W08). */
export const viewers: Guard<Web, Seen> = (web, handler, returnTo) =>
  members(
    web,
    async (_web, request, reply, member) => {
      const seen = { member, h: await findSeen(web, request, member) };
      return noting(web, request, seen, await handler(web, request, reply, seen));
    },
    returnTo,
  );

/** Viewers, and guests who look at the example (attacks W92). Members have one of their own instead. */
export const onlookers: Guard<Web, Seen> = (web, handler, returnTo) => {
  const asViewer = viewers(web, handler, returnTo);
  return async (request, reply) => {
    const { id } = request.params as { id: string };
    const example = await findExample(web.harmonizer, null, id);
    if (!example) return asViewer(request, reply);
    if (request.session.owner) return reply.redirect("/example", 303);
    const h = { ...example, name: t("Our example") };
    if (example.state === "ready") return handler(web, request, reply, { member: GUEST, h });
    reply.header("refresh", "2");
    return sendView(reply, "harmonize/example-soon", { title: t("One moment") });
  };
};

/** Owns nothing, and is nobody in the database. */
const GUEST: Member = {
  id: "00000000-0000-0000-0000-000000000000",
  name: "",
  handle: undefined,
  isAdmin: false,
  connection: undefined,
  isGuest: true,
};

/** Members who may decide about rows of the harmonization `:id`. For others the page does not exist (attacks W120). */
export const reviewers: Guard<Web, Seen> = (web, handler, returnTo) =>
  viewers(web, letting("reviewer", handler), returnTo);

/** Members who own the list of the harmonization `:id`. For others the page does not exist (attacks W120). */
export const owners: Guard<Web, Seen> = (web, handler, returnTo = harmonizationOf) =>
  viewers(web, letting("owner", handler), returnTo);

/** Those who see the harmonization, with a token. Searches from a card, which is read-only for some, use it. */
export const connectedViewers: Guard<Web, Seen & Visit> = (web, handler, returnTo) =>
  connected(
    web,
    async (_web, request, reply, visit) => {
      const seen = { ...visit, h: await findSeen(web, request, visit.member) };
      return noting(web, request, seen, await handler(web, request, reply, seen));
    },
    returnTo,
  );

export const connectedReviewers: Guard<Web, Seen & Visit> = (web, handler, returnTo) =>
  connectedViewers(web, letting("reviewer", handler), returnTo);

export const connectedOwners: Guard<Web, Seen & Visit> = (web, handler, returnTo = harmonizationOf) =>
  connectedViewers(web, letting("owner", handler), returnTo);

const letting =
  <S extends Seen>(role: ListRole, handler: Handler<Web, S>): Handler<Web, S> =>
  (web, request, reply, seen) => {
    if (!mayOnList(role, seen.h, seen.member)) throw notFound();
    return handler(web, request, reply, seen);
  };

/** Whether somebody only looks at a file: a viewer, or a guest at the example. */
export const looksOnly = ({ h, member }: Seen): boolean => !mayOnList("reviewer", h, member);

/** @throws KnownError 404 if there is none, or this member may not see it */
async function findSeen({ harmonizer }: Web, request: FastifyRequest, member: Member): Promise<Harmonization> {
  const h = await findHarmonization(harmonizer, member, (request.params as { id: string }).id);
  if (!h) throw notFound();
  return h;
}

/** Notes the use of a file by somebody who was let do it, before it is answered if the file is to be deleted. */
async function noting(
  { harmonizer }: Web,
  request: FastifyRequest,
  { h }: Seen,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!isUse(request)) return reply;
  const noted = noteUse(harmonizer, h.id).catch((err: unknown) => {
    request.log.warn({ err }, "the use of a file was not noted");
  });
  if (h.expiresAt) await noted;
  return reply;
}

/** A change or a download. Somebody may look at a page only to see that its file is to be deleted. */
const isUse = ({ method, routeOptions }: FastifyRequest): boolean =>
  method === "POST" || routeOptions.config.cost === "transfer";

export const harmonizationOf = ({ params }: FastifyRequest): string =>
  `/harmonizations/${encodeURIComponent((params as { id: string }).id)}`;
