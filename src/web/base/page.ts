import type { FastifyReply, FastifyRequest } from "fastify";
import { csrfToken } from "../../http/forms.ts";
import { takeNotice } from "../../http/notice.ts";

/** Who a page is for: the layout says the name, and the menu of admins is longer. */
export type PageMember = { name: string; isAdmin: boolean };

/** Sends a member's page inside the layout: name, navigation, the token of its forms, and what the action before it did. */
export function sendPage(
  reply: FastifyReply,
  member: PageMember,
  view: string,
  data: { title: string } & Record<string, unknown>,
): FastifyReply {
  const notice = data.notice ?? takeNotice(reply.request);
  const page = { ...pageFrame(reply.request, member, csrfToken(reply)), ...data, notice };
  return reply.view(view, page, { layout: "layout" });
}

/** What the layout shows around every page of a member. */
export const pageFrame = ({ url }: FastifyRequest, { name, isAdmin }: PageMember, csrf: string) => ({
  nav: "app",
  user: { name, isAdmin },
  csrf,
  path: url.split("?", 1)[0],
});

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
