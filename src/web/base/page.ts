import type { FastifyReply, FastifyRequest } from "fastify";
import type { Views } from "../../../.views/all.ts";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import { csrfToken, takeNotice } from "../../http/pages/forms.ts";
import type { Notice, Problem } from "../../http/pages/parts.ts";
import { type Exactly, sendView, type ViewData } from "../../http/pages/views.ts";
import { withDecimalSign } from "../../language/format.ts";
import { metresInWords } from "../../matching/distance.ts";
import type { Web } from "./deps.ts";

type PageMember = { name: string; isAdmin: boolean; isGuest?: true };

interface MemberFrame {
  nav: "app";
  user: PageMember;
  csrf: string;
  path: string;
}

export type PageData<N extends keyof Views> = Omit<ViewData<N>, keyof MemberFrame> & Partial<Pick<MemberFrame, "path">>;

/** Sends a member's page in the layout, with the notice left by the previous action. */
export function sendPage<N extends keyof Views, D extends PageData<N>>(
  reply: FastifyReply,
  member: PageMember,
  view: N,
  data: Exactly<D, PageData<N>>,
): FastifyReply {
  if (member.isGuest) return sendView(reply, view, { csrf: "", path: pathOf(reply.request), ...data } as never);
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

/** Whether to say on a page that the directory has demo data. `href` leads admins to its removal, which its operators can do. */
export async function demoNote(
  { authHost }: Pick<Web, "authHost">,
  { isAdmin }: { isAdmin: boolean },
): Promise<{ href: string | undefined } | undefined> {
  const url = await authHost.features().then(
    ({ demoDataUrl }) => demoDataUrl,
    () => undefined,
  );
  return url && { href: isAdmin ? url.href : undefined };
}

/**
 * Returns the notice for a page that stays usable, with its form, when the directory fails.
 *
 * @throws the error itself if it is unexpected or a refused token, which has its own page
 */
export function problemOf(error: unknown): { status: number; notice: Notice } {
  if (!(error instanceof DirectoryError) || error.kind === "refused_token") throw error;
  const kind = error.kind === "rejected" ? "danger" : "warning";
  return { status: error.status, notice: { kind, heading: `${error.title}.`, message: error.message } };
}

/** "350 m", "1.2 km", with the decimal sign of the language. */
export const distanceInWords = (metres: number): string => withDecimalSign(metresInWords(metres));
