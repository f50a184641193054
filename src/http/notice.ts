import type { FastifyReply, FastifyRequest } from "fastify";
import { takeOnce } from "./once.ts";
import type { Notice } from "./parts.ts";

declare module "fastify" {
  interface Session {
    /** What an action did, for the next page to say, once. */
    notice?: Notice | undefined;
  }
}

/** On to a page, which says what came of the action. */
export function goTo(reply: FastifyReply, href: string, notice?: Notice): FastifyReply {
  if (notice) reply.request.session.notice = notice;
  return reply.redirect(href, 303);
}

/** What the action before this page did. */
export const takeNotice = (request: FastifyRequest): Notice | undefined => takeOnce(request, "notice");
