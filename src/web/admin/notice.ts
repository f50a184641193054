import type { FastifyReply, FastifyRequest } from "fastify";
import { takeOnce } from "../../http/once.ts";

declare module "fastify" {
  interface Session {
    /** What an action did, for the next page to say. */
    adminNotice?: Notice | undefined;
  }
}

interface Notice {
  kind: "success" | "warning" | "danger";
  message: string;
}

/** On to the page that says that it is done. */
export function done(reply: FastifyReply, page: string, message: string): FastifyReply {
  reply.request.session.adminNotice = { kind: "success", message };
  return reply.redirect(page, 303);
}

/** What the action before this page did, once. */
export const takeNotice = (request: FastifyRequest): Notice | undefined => takeOnce(request, "adminNotice");
