import type { FastifyReply, FastifyRequest } from "fastify";
import type { Views } from "../../../.views/all.ts";
import { csrfToken } from "../../http/pages/forms.ts";
import { takeNotice } from "../../http/pages/notice.ts";
import type { Problem } from "../../http/pages/parts.ts";
import { type Exactly, sendView, type ViewData } from "../../http/pages/views.ts";

export type PageMember = { name: string; isAdmin: boolean; isGuest?: true };

interface MemberFrame {
  nav: "app";
  user: PageMember;
  csrf: string;
  path: string;
}

export type PageData<N extends keyof Views> = Omit<ViewData<N>, keyof MemberFrame> & Partial<Pick<MemberFrame, "path">>;

/** The streets of the map are asked for with a member's token. */
const FOR_GUESTS = { csrf: "", streets: false } as const;

/** Sends a member's page in the layout, with the notice left by the previous action. */
export function sendPage<N extends keyof Views, D extends PageData<N>>(
  reply: FastifyReply,
  member: PageMember,
  view: N,
  data: Exactly<D, PageData<N>>,
): FastifyReply {
  if (member.isGuest) return sendView(reply, view, { ...FOR_GUESTS, path: pathOf(reply.request), ...data } as never);
  const notice = data.notice ?? takeNotice(reply.request);
  return sendView(reply, view, { ...pageFrame(reply.request, member, csrfToken(reply)), ...data, notice } as never);
}

export const pageFrame = (request: FastifyRequest, { name, isAdmin }: PageMember, csrf: string): MemberFrame => ({
  nav: "app",
  user: { name, isAdmin },
  csrf,
  path: pathOf(request),
});

const pathOf = ({ url }: FastifyRequest): string => url.replace(/\?.*/s, "");

export function sendProblem(
  reply: FastifyReply,
  member: PageMember,
  problem: Problem & { status: number },
): FastifyReply {
  const data = { title: problem.heading, problem: { ...problem, requestId: reply.request.id } };
  return sendPage(reply.code(problem.status), member, "error", data);
}
