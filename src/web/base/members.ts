import type { FastifyReply, FastifyRequest } from "fastify";
import type { Views } from "../../../.views/all.ts";
import { prepared, queryRow } from "../../db/sql.ts";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import { signOut } from "../../http/pages/sessions.ts";
import { type ShownTime, shownTime } from "../../http/pages/times.ts";
import { type Exactly, sendView } from "../../http/pages/views.ts";
import type { Guard, ReturnTo } from "../../http/routes.ts";
import { t } from "../../language/translate.ts";
import { KnownError, notFound } from "../../shared/errors.ts";
import { type Connection, markBroken, openToken } from "./connections.ts";
import type { Web } from "./deps.ts";
import { localPath, loginPath } from "./local-path.ts";
import { type PageData, sendPage, sendProblem } from "./page.ts";

export interface Member {
  id: string;
  name: string;
  handle: string | undefined;
  /** By a grant or by ADMINS. */
  isAdmin: boolean;
  connection: Connection | undefined;
  /** Looks at the example without having logged in. */
  isGuest?: true;
  /** Acts by a token (src/web/api). */
  isProgram?: true;
}

/** A member with a token that has not been refused, as far as is known (token-checks.ts). */
export interface Visit {
  member: Member;
  auth: { token: string };
}

const samePage: ReturnTo = ({ url }) => url;

export const members: Guard<Web, Member> =
  (web, handler, returnTo = samePage) =>
  async (request, reply) => {
    const member = await currentMember(web, request);
    if (!member) return reply.redirect(loginPath(returnTo(request)), 303);
    if (await isRefused(web, member)) return endRefused(request, reply, localPath(returnTo(request)));
    return handler(web, request, reply, member);
  };

/**
 * Whether the directory has refused the member's token, as it does once they have been disabled there or have ended the connection: asked
 * about once a minute (token-checks.ts).
 */
export async function isRefused(web: Web, { connection }: Pick<Member, "connection">): Promise<boolean> {
  if (!connection) return false;
  if (connection.brokenAt) return true;
  const token = openToken(web.vault, connection);
  if (token === undefined) return false;
  const onRefused = () => markBroken(web, connection);
  const isNow = await web.tokenChecks.isRefused(token, onRefused);
  if (isNow) await onRefused();
  return isNow;
}

/**
 * Who is refused by the directory is nobody here: only a new log-in there tells who they are. Their session ends with the page that says
 * so. An answer to a script, such as a tile of a map, does not end it: nobody reads that, and the next page would be a log-in, unexplained.
 */
async function endRefused(request: FastifyRequest, reply: FastifyReply, next: string): Promise<FastifyReply> {
  if (request.headers["sec-fetch-dest"] !== FOR_A_SCRIPT) await signOut(request);
  return sendView(reply.code(200), "partials/connect-again", { title: t("Connect again"), next });
}

/** What browsers send with fetch(). */
const FOR_A_SCRIPT = "empty";

/**
 * Members with a connection to the directory. If their token is missing, cannot be decrypted or is refused, the page is
 * "Connect again", and their session ends if it is refused: tokens may be revoked at any time (interface, "Access token"). Other failures of the directory are
 * shown on an error page with the menu.
 */
export const connected: Guard<Web, Visit> = (web, handler, returnTo = samePage) =>
  members(
    web,
    async (_web, request, reply, member) => {
      const next = localPath(returnTo(request));
      // The handler may have set another code.
      const connectAgain = () =>
        sendPage(reply.code(200), member, "partials/connect-again", { title: t("Connect again"), next });
      const token = openToken(web.vault, member.connection);
      if (!member.connection || token === undefined) return connectAgain();
      try {
        return await handler(web, request, reply, { member, auth: { token } });
      } catch (error) {
        if (!(error instanceof DirectoryError)) throw error;
        if (error.kind !== "refused_token") return sendDirectoryProblem(reply, member, error);
        await markBroken(web, member.connection);
        return endRefused(request, reply, next);
      }
    },
    returnTo,
  );

function sendDirectoryProblem(reply: FastifyReply, member: Member, error: DirectoryError): FastifyReply {
  const { status, title, message } = error;
  if (status >= 500) reply.request.log.warn({ err: error }, "the directory failed");
  const isMissing = error.kind === "not_found";
  const action = isMissing
    ? { href: "/venues", label: t("Search venues") }
    : { href: "/", label: t("Go to the start page") };
  return sendProblem(reply.headers(error.headers), member, { status, heading: title ?? "", message, action });
}

/**
 * Returns the member of the session, or undefined for a guest.
 *
 * @throws KnownError 403 if the account is disabled; ends the session
 */
export async function currentMember(web: Web, request: FastifyRequest): Promise<Member | undefined> {
  if (!request.session.owner) return undefined;
  const found = await findMember(web, request.session.owner);
  if (typeof found === "object") return found;
  await signOut(request);
  if (found === "unknown") return undefined;
  throw accountDisabled();
}

export const accountDisabled = () =>
  new KnownError(403, "not_authorized", t("This account can no longer use Samespot. Ask an admin of Samespot."), {
    title: t("This account is disabled"),
  });

/**
 * Returns the member with this account id. Accounts of another directory than the configured one are unknown: their
 * tokens must not be sent to this one.
 */
export async function findMember(web: Web, id: string): Promise<Member | "unknown" | "disabled"> {
  const row = await queryRow<MemberRow>(prepared(web.pool))`
    SELECT a.id, a.external_id, a.handle, a.first_name, a.last_name, a.role, a.disabled_at, c.token, c.broken_at
    FROM app.account a LEFT JOIN app.connection c ON c.account_id = a.id
    WHERE a.id = ${id} AND a.directory = ${web.config.api.url}`;
  if (!row) return "unknown";
  return row.disabled_at ? "disabled" : toMember(web, row);
}

interface MemberRow {
  id: string;
  external_id: string;
  handle: string | null;
  first_name: string | null;
  last_name: string | null;
  role: "member" | "admin";
  token: Buffer | null;
  broken_at: Date | null;
  disabled_at: Date | null;
}

function toMember({ config }: Web, row: MemberRow): Member {
  const { id, handle, token, broken_at: brokenAt } = row;
  const name = [row.first_name, row.last_name].filter(Boolean).join(" ") || handle || t("you");
  const connection = token ? { accountId: id, sealed: token, brokenAt: brokenAt ?? undefined } : undefined;
  const isAdmin = row.role === "admin" || isNamedAdmin(config.admins, row);
  return { id, name, handle: handle ?? undefined, isAdmin, connection };
}

/** Whether ADMINS names the account, by its id or handle at the directory. */
export const isNamedAdmin = (admins: readonly string[], account: { external_id: string; handle: string | null }) =>
  admins.some((name) => name === account.external_id || name.toLowerCase() === account.handle?.toLowerCase());

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
      return sendAdminPage(reply.code(403), member, page, "admin/late", { title: t("Confirm it’s you") });
    },
    returnTo,
  );

/** The page with the form: `/admin/people` for `/admin/people/:id/disable`. */
const formPage: ReturnTo = ({ url }) => url.split("/", 3).join("/");

interface AdminFrame {
  confirmedUntil: ShownTime | undefined;
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
  const until = confirmedUntil(reply.request);
  const frame: AdminFrame = { confirmedUntil: until && shownTime(until), confirmHref };
  return sendPage(reply, member, view, { ...frame, ...data } as never);
}

export const isConfirmed = (request: FastifyRequest): boolean => confirmedUntil(request) !== undefined;

function confirmedUntil({ session }: FastifyRequest): Date | undefined {
  const until = (session.verifiedAt ?? 0) + CONFIRMED_SECONDS * 1000;
  return until > Date.now() ? new Date(until) : undefined;
}
