import type { FastifyReply, FastifyRequest } from "fastify";
import { notFound } from "../errors.ts";
import type { Web } from "./deps.ts";
import { type Member, membersOnly } from "./members.ts";

/** How long somebody who gave their password may do an admin's work without giving it again. */
export const CONFIRMED_SECONDS = 10 * 60;

type Handler = (request: FastifyRequest, reply: FastifyReply, member: Member) => FastifyReply | Promise<FastifyReply>;

/** A page of admins; to everybody else who is logged in there is no such page. */
export function adminsOnly(web: Web, handler: Handler) {
  return membersOnly(web, (request, reply, member) => {
    if (!member.isAdmin) throw notFound();
    return handler(request, reply, member);
  });
}

/** An admin's action: nothing is done unless they gave their password a short while ago. */
export function confirmedAdminsOnly(web: Web, handler: Handler) {
  return adminsOnly(web, (request, reply, member) => {
    if (isConfirmed(request)) return handler(request, reply, member);
    return reply.redirect("/admin/secrets", 303);
  });
}

/** Whether the person gave their password in the last ten minutes. */
export const isConfirmed = ({ session }: FastifyRequest): boolean =>
  session.verifiedAt !== undefined && Date.now() - session.verifiedAt < CONFIRMED_SECONDS * 1000;
