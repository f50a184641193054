import type { FastifyReply } from "fastify";
import { csrfToken } from "../http/forms.ts";

/** Sends a member's page inside the layout: name, navigation and the token of its forms. */
export function sendPage(
  reply: FastifyReply,
  member: { name: string },
  view: string,
  data: { title: string } & Record<string, unknown>,
): FastifyReply {
  const path = reply.request.url.split("?", 1)[0];
  const page = { nav: "app", user: { name: member.name }, csrf: csrfToken(reply), path, ...data };
  return reply.view(view, page, { layout: "layout" });
}
