import type { FastifyReply, FastifyRequest } from "fastify";
import { takeOnce } from "./once.ts";
import type { Notice } from "./parts.ts";

declare module "fastify" {
  interface Session {
    /** The result of an action, shown once on the next page. */
    notice?: Notice | undefined;
  }
}

export function goTo(reply: FastifyReply, href: string, notice?: Notice): FastifyReply {
  if (notice) reply.request.session.notice = notice;
  return reply.redirect(href, 303);
}

export const takeNotice = (request: FastifyRequest): Notice | undefined => takeOnce(request, "notice");
