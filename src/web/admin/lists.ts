import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { wholeNumber } from "../../contract/parameters.ts";
import { changeRole, IS_LEFT, type ListForAdmins, listsForAdmins, personCalled } from "../../harmonize/run/lists.ts";
import { goTo, textField } from "../../http/pages/forms.ts";
import { checkParameters } from "../../http/parameters.ts";
import { t } from "../../language/translate.ts";
import { KnownError, notFound } from "../../shared/errors.ts";
import type { Web } from "../base/deps.ts";
import { type Member, sendAdminPage } from "../base/members.ts";
import { stateInWords } from "../harmonize/run-views.ts";

const PAGE = "/admin/lists";
const PAGE_SIZE = 50;

const asked = z.object({ query: z.string().max(100).default(""), page: wholeNumber("page", 1, 10_000).default(1) });

/** `GET /admin/lists`: name, owners and state of each list, and nothing of its rows. */
export async function showLists(web: Web, request: FastifyRequest, reply: FastifyReply, member: Member) {
  const { query, page } = checkParameters(asked, request.query).value ?? { query: "", page: 1 };
  const part = { named: query, after: (page - 1) * PAGE_SIZE, most: PAGE_SIZE + 1 };
  const found = await listsForAdmins(web.pool, web.config.api.url, part);
  const at = (page: number) =>
    `${PAGE}?${new URLSearchParams({ ...(query && { query }), ...(page > 1 && { page: String(page) }) })}`;
  return sendAdminPage(reply, member, PAGE, "admin/lists", {
    title: t("Lists"),
    query,
    lists: found.slice(0, PAGE_SIZE).map(listView),
    pager: { newer: page > 1 ? at(page - 1) : undefined, older: found.length > PAGE_SIZE ? at(page + 1) : undefined },
  });
}

const listView = ({ id, name, files, state, pausedFor, waitsFor, owners, isLeft }: ListForAdmins) => ({
  id,
  name,
  isLeft,
  files: t("{count, plural, one {# file} other {# files}}", { count: files }),
  state: stateInWords({ state, pausedFor }),
  waits: waitsFor === null ? undefined : t("Waiting for {name} to connect again.", { name: waitsFor || t("somebody") }),
  owners: owners.map((owner) => ({ ...owner, name: owner.name || t("somebody") })),
});

export type AdminList = ReturnType<typeof listView>;

/** `POST /admin/lists/:id/owner` (`who`): somebody owns a list whose owners are all gone. */
export async function handOver(web: Web, request: FastifyRequest, reply: FastifyReply, _admin: Member) {
  const listId = z.uuid().safeParse((request.params as { id?: unknown }).id).data;
  if (!listId) throw notFound();
  try {
    const { id, name } = await personCalled(web.pool, web.config.api.url, textField(request.body, "who").slice(0, 200));
    await changeRole(web.pool, { listId, accountId: id, role: "owner" }, IS_LEFT);
    return goTo(reply, PAGE, { kind: "success", message: t("{name} now owns the list.", { name }) });
  } catch (error) {
    if (!(error instanceof KnownError)) throw error;
    const message =
      error.status === 404 ? t("Nothing was changed: this list still has an active owner.") : error.message;
    return goTo(reply, PAGE, { kind: "danger", message });
  }
}
