import type { FastifyReply, FastifyRequest } from "fastify";
import type { Views } from "../../../.views/all.ts";
import { csrfToken } from "../../http/forms.ts";
import { takeNotice } from "../../http/notice.ts";
import type { Problem } from "../../http/parts.ts";
import { type Exactly, sendView, type ViewData } from "../../http/views.ts";

/** Who a page is for: the layout says the name, and the menu of admins is longer. */
export type PageMember = { name: string; isAdmin: boolean };

/** What every page of a member has. */
interface MemberFrame {
  nav: "app";
  user: PageMember;
  /** The token of its forms. */
  csrf: string;
  path: string;
}

/** What a handler gives to a member's page. */
export type PageData<N extends keyof Views> = Omit<ViewData<N>, keyof MemberFrame> & Partial<Pick<MemberFrame, "path">>;

/** Sends a member's page inside the layout: name, navigation, the token of its forms, and what the action before it did. */
export function sendPage<N extends keyof Views, D extends PageData<N>>(
  reply: FastifyReply,
  member: PageMember,
  view: N,
  data: Exactly<D, PageData<N>>,
): FastifyReply {
  const notice = data.notice ?? takeNotice(reply.request);
  return sendView(reply, view, { ...pageFrame(reply.request, member, csrfToken(reply)), ...data, notice } as never);
}

/** What the layout shows around every page of a member. */
export const pageFrame = ({ url }: FastifyRequest, { name, isAdmin }: PageMember, csrf: string): MemberFrame => ({
  nav: "app",
  user: { name, isAdmin },
  csrf,
  path: url.replace(/\?.*/s, ""),
});

/** The error page for members, who keep the menu. */
export function sendProblem(
  reply: FastifyReply,
  member: PageMember,
  problem: Problem & { status: number },
): FastifyReply {
  const data = { title: problem.heading, problem: { ...problem, requestId: reply.request.id } };
  return sendPage(reply.code(problem.status), member, "error", data);
}
