import type { FastifyReply, FastifyRequest } from "fastify";
import type { Views } from "../../../.views/all.ts";
import type { Exactly } from "../../http/pages/views.ts";
import type { Guard, ReturnTo } from "../../http/routes.ts";
import { t } from "../../language/translate.ts";
import { notFound } from "../../shared/errors.ts";
import type { Web } from "./deps.ts";
import { loginPath } from "./local-path.ts";
import { type Member, members } from "./members.ts";
import { type PageData, sendPage } from "./page.ts";

const CONFIRMED_SECONDS = 10 * 60;

/** Admins. For other members the page does not exist. */
export const admins: Guard<Web, Member> = (web, handler, returnTo) =>
  members(
    web,
    (_web, request, reply, member) => {
      if (!member.isAdmin) throw notFound();
      return handler(web, request, reply, member);
    },
    returnTo,
  );

/** Admins who have confirmed their password within the last ten minutes. */
export const confirmedAdmins: Guard<Web, Member> = (web, handler, returnTo = formPage) =>
  admins(
    web,
    (_web, request, reply, member) => {
      if (isConfirmed(request)) return handler(web, request, reply, member);
      const page = returnTo(request);
      return sendAdminPage(reply.code(403), member, page, "admin/late", { title: t("Confirm that it is you") });
    },
    returnTo,
  );

/** The page with the form: `/admin/people` for `/admin/people/:id/disable`. */
const formPage: ReturnTo = ({ url }) => url.split("/", 3).join("/");

interface AdminFrame {
  confirmedUntil: Date | undefined;
  confirmHref: string;
}

type AdminData<N extends keyof Views> = Omit<PageData<N>, keyof AdminFrame>;

/**
 * Sends a page with the admin's menu. Its view shows forms only if `it.confirmedUntil` is set.
 *
 * @param page the page's address, to return to after a confirmation
 */
export function sendAdminPage<N extends keyof Views, D extends AdminData<N>>(
  reply: FastifyReply,
  member: Member,
  page: string,
  view: N,
  data: Exactly<D, AdminData<N>>,
): FastifyReply {
  const confirmHref = loginPath(page, { confirm: "1" });
  const frame: AdminFrame = { confirmedUntil: confirmedUntil(reply.request), confirmHref };
  return sendPage(reply, member, view, { ...frame, ...data } as never);
}

export const isConfirmed = (request: FastifyRequest): boolean => confirmedUntil(request) !== undefined;

function confirmedUntil({ session }: FastifyRequest): Date | undefined {
  const until = (session.verifiedAt ?? 0) + CONFIRMED_SECONDS * 1000;
  return until > Date.now() ? new Date(until) : undefined;
}
