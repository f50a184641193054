import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { wholeNumber } from "../../contract/parameters.ts";
import { goTo } from "../../http/pages/forms.ts";
import type { Notice } from "../../http/pages/parts.ts";
import { shownTime } from "../../http/pages/times.ts";
import { checkParameters } from "../../http/parameters.ts";
import type { Handler } from "../../http/routes.ts";
import { t } from "../../language/translate.ts";
import { KnownError, notFound } from "../../shared/errors.ts";
import type { Web } from "../base/deps.ts";
import { type Member, sendAdminPage } from "../base/members.ts";
import * as rows from "./people-rows.ts";

const PEOPLE_PAGE = "/admin/people";

const listing = z.object({ query: z.string().max(100).default(""), page: wholeNumber("page", 1, 10_000).default(1) });
type Listing = z.output<typeof listing>;
const listingOf = ({ query }: FastifyRequest): Listing =>
  checkParameters(listing, query).value ?? { query: "", page: 1 };

type Action = (web: Web, order: { actor: string; id: string }) => Promise<void>;

const loggedOut = () =>
  t("The person is logged out everywhere, but can log in again. To prevent that, disable the account.");

export const listPeople = (web: Web, _request: FastifyRequest, reply: FastifyReply, member: Member) =>
  showPeople(web, reply, member);

/* `POST /admin/people/:id/…`: each change takes effect with the next request. */
type Act = Handler<Web, Member>;
export const makeAdmin: Act = (...call) => change(rows.makeAdmin, t("The person is now an admin."), ...call);
export const takeAdmin: Act = (...call) => change(rows.takeAdmin, t("The person is no longer an admin."), ...call);
export const disable: Act = (...call) =>
  change(rows.disable, t("The account is disabled and logged out everywhere."), ...call);
export const enable: Act = (...call) => change(rows.enable, t("The account may log in again."), ...call);
export const endSessions: Act = (...call) => change(rows.endSessions, loggedOut(), ...call);

async function change(
  act: Action,
  said: string,
  web: Web,
  request: FastifyRequest,
  reply: FastifyReply,
  member: Member,
): Promise<FastifyReply> {
  const id = z.uuid().safeParse((request.params as { id?: unknown }).id).data;
  if (!id) throw notFound();
  try {
    await act(web, { actor: member.id, id });
  } catch (error) {
    if (!(error instanceof KnownError) || error.status !== 409) throw error;
    return showPeople(web, reply.code(409), member, { kind: "danger", message: error.message });
  }
  return goTo(reply, addressOf(listingOf(request)), { kind: "success", message: said });
}

async function showPeople(web: Web, reply: FastifyReply, member: Member, notice?: Notice): Promise<FastifyReply> {
  const where = listingOf(reply.request);
  const { query, page } = where;
  const { people, hasMore } = await rows.findPeople(web, where);
  return sendAdminPage(reply, member, PEOPLE_PAGE, "admin/people", {
    title: t("People"),
    notice,
    query,
    found: inWords(page, people.length, hasMore),
    people: people.map((person) => personView(person, member)),
    listing: new URL(addressOf(where), web.config.web.url).search,
    pager: {
      newer: page > 1 ? addressOf({ query, page: page - 1 }) : undefined,
      older: hasMore ? addressOf({ query, page: page + 1 }) : undefined,
    },
  });
}

function inWords(page: number, shown: number, hasMore: boolean): string {
  if (page === 1 && !hasMore) return t("{shown, plural, one {# person} other {# people}}", { shown });
  if (shown === 0) return t("No more people");
  const before = (page - 1) * rows.PAGE_SIZE;
  const first = before + 1;
  const last = before + shown;
  return hasMore
    ? t("{first, number}–{last, number}, and more", { first, last })
    : t("{first, number}–{last, number} of {all, number}", { first, last, all: last });
}

function addressOf({ query, page }: Listing): string {
  const search = new URLSearchParams({ ...(query ? { query } : {}), ...(page > 1 ? { page: String(page) } : {}) });
  return search.size ? `${PEOPLE_PAGE}?${search}` : PEOPLE_PAGE;
}

function personView(
  { id, name, handle, admin, disabledAt, lastLoginAt, sessions, waiting }: rows.Person,
  { id: own }: Member,
) {
  return {
    id,
    name: name || handle || t("No name"),
    handle: name ? handle : undefined,
    admin,
    isDisabled: disabledAt !== null,
    lastLogin: shownTime(lastLoginAt),
    sessions,
    waiting:
      waiting > 0
        ? t("{count, plural, one {# file waits} other {# files wait}} for this connection", { count: waiting })
        : undefined,
    isSelf: id === own,
  };
}
export type PersonView = ReturnType<typeof personView>;
