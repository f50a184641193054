import type { FastifyReply } from "fastify";
import { csrfToken } from "../http/forms.ts";

/** Who a page is for: the layout says the name, and the menu of admins is longer. */
export type PageMember = { name: string; isAdmin: boolean };

/** Sends a member's page inside the layout: name, navigation and the token of its forms. */
export function sendPage(
  reply: FastifyReply,
  member: PageMember,
  view: string,
  data: { title: string } & Record<string, unknown>,
): FastifyReply {
  const path = reply.request.url.split("?", 1)[0];
  const page = {
    nav: "app",
    user: { name: member.name, isAdmin: member.isAdmin },
    csrf: csrfToken(reply),
    path,
    ...data,
  };
  return reply.view(view, page, { layout: "layout" });
}

interface Problem {
  status: number;
  heading: string;
  message: string;
  action: { href: string; label: string };
}

/** The error page for members, who keep the menu. */
export function sendProblem(reply: FastifyReply, member: PageMember, problem: Problem): FastifyReply {
  const data = { title: problem.heading, problem: { ...problem, requestId: reply.request.id } };
  return sendPage(reply.code(problem.status), member, "error", data);
}
