import type { FastifyReply, FastifyRequest } from "fastify";
import type { Views } from "../../../.views/all.ts";
import type { Guard, ReturnTo } from "../../http/routes.ts";
import type { Exactly } from "../../http/views.ts";
import { notFound } from "../../shared/errors.ts";
import type { Web } from "./deps.ts";
import { loginPath } from "./local-path.ts";
import { type Member, members } from "./members.ts";
import { type PageData, sendPage } from "./page.ts";

/** How long somebody who gave their password may do an admin's work without giving it again. */
const CONFIRMED_SECONDS = 10 * 60;

/** To everybody else who is logged in there is no such page. */
export const admins: Guard<Web, Member> = (web, handler, returnTo) =>
  members(
    web,
    (_web, request, reply, member) => {
      if (!member.isAdmin) throw notFound();
      return handler(web, request, reply, member);
    },
    returnTo,
  );

/** Admins who gave their password a short while ago: for others nothing is done. */
export const confirmedAdmins: Guard<Web, Member> = (web, handler, returnTo = formPage) =>
  admins(
    web,
    (_web, request, reply, member) => {
      if (isConfirmed(request)) return handler(web, request, reply, member);
      const page = returnTo(request);
      return sendAdminPage(reply.code(403), member, page, "admin/late", { title: "Confirm that it is you" });
    },
    returnTo,
  );

/** Where the form of an action stands: `/admin/people` for `/admin/people/:id/disable`. */
const formPage: ReturnTo = ({ url }) => url.split("/", 3).join("/");

interface AdminFrame {
  /** Undefined unless they gave their password lately. */
  confirmedUntil: Date | undefined;
  confirmHref: string;
}

type AdminData<N extends keyof Views> = Omit<PageData<N>, keyof AdminFrame>;

/**
 * A page with the admin's menu. It shows its forms while `it.confirmedUntil` is there, else the way to get it.
 *
 * @param page the page's address, to come back to
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

/** Whether the person gave their password in the last ten minutes. */
export const isConfirmed = (request: FastifyRequest): boolean => confirmedUntil(request) !== undefined;

/** Until when what they do now needs no password; undefined when they have not given it lately. */
function confirmedUntil({ session }: FastifyRequest): Date | undefined {
  const until = (session.verifiedAt ?? 0) + CONFIRMED_SECONDS * 1000;
  return until > Date.now() ? new Date(until) : undefined;
}
