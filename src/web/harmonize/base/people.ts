import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { text } from "../../../contract/text.ts";
import type { ListRole } from "../../../db/generated/enums.ts";
import { sql } from "../../../db/sql.ts";
import { type Harmonization, isOwner } from "../../../harmonize/run/harmonizations.ts";
import { changeRole, isOwnedBy, type ListPerson, peopleOf, personCalled } from "../../../harmonize/run/lists.ts";
import { goTo, textField } from "../../../http/pages/forms.ts";
import { parseParameters } from "../../../http/parameters.ts";
import { t } from "../../../language/translate.ts";
import { KnownError, notFound } from "../../../shared/errors.ts";
import type { Web } from "../../base/deps.ts";
import type { Member } from "../../base/members.ts";
import { sendPage } from "../../base/page.ts";
import type { Seen } from "./guards.ts";

/** Characters of a name, as of a file. */
const LONGEST = 200;
export const ROLES_TO_GIVE = ["viewer", "reviewer", "owner", "none"] as const;
const listName = text("name", LONGEST);
const change = z.object({
  person: z.uuid().optional(),
  who: text("who", LONGEST).optional(),
  role: z.enum(ROLES_TO_GIVE, { error: () => t("“role” must be one of {names}", { names: ROLES_TO_GIVE.join(", ") }) }),
});

/**
 * `POST /harmonizations/:id/people`: what somebody may do with the list, `person` by id or `who` by handle or name, as `role`; with `name`, what
 * the list is called.
 */
export async function changePeople(web: Web, request: FastifyRequest, reply: FastifyReply, seen: Seen) {
  const { h, member } = seen;
  const { data: name } = listName.safeParse(textField(request.body, "name"));
  if (name) {
    await web.prisma.list.updateMany({ where: { id: h.listId }, data: { name } });
    return goTo(reply, peoplePage(h.id), {
      kind: "success",
      message: t("The list is now called {name}.", { name }),
    });
  }
  try {
    const { person, who = "", role } = parseParameters(change, request.body);
    const id = await changePerson(web, seen, { who: person ?? who, role });
    if (role === "none" && id === member.id)
      return goTo(reply, "/harmonizations", { kind: "success", message: t("You are no longer on this list.") });
    return goTo(reply, peoplePage(h.id), { kind: "success", message: t("The people on this list were changed.") });
  } catch (error) {
    if (!(error instanceof KnownError) || ![400, 409].includes(error.status)) throw error;
    return goTo(reply, peoplePage(h.id), { kind: "danger", message: error.message });
  }
}

/**
 * Gives somebody a role on the list: `who` is the id of one of its people, or the handle or name of anybody who has logged in here. Returns
 * their id.
 *
 * @throws KnownError 400, 404 or 409, as personCalled() and changeRole() do
 */
export async function changePerson(
  web: Pick<Web, "pool" | "config">,
  { h, member }: Seen,
  { who, role }: { who: string; role: (typeof ROLES_TO_GIVE)[number] },
): Promise<string> {
  const known = h.list.people.find(({ accountId }) => accountId === who);
  const id = known ? known.accountId : (await personCalled(web.pool, web.config.api.url, who)).id;
  const wish = { listId: h.listId, accountId: id, role: role === "none" ? null : role };
  // Nobody owns a file of the command line by name: all admins do.
  await changeRole(web.pool, wish, h.accountId === null ? sql`${member.isAdmin}` : isOwnedBy(member.id));
  return id;
}

const roleWords = (): Record<ListRole, string> => ({
  owner: t("Owner"),
  reviewer: t("Reviewer"),
  viewer: t("Viewer"),
});

/** Who sees only a file that is shared with all sees no more of its list. */
const mayKnow = (member: Member, h: Harmonization): boolean =>
  h.list.people.some(({ accountId }) => accountId === member.id) || isOwner(h, member);

const nameOf = ({ name }: Pick<ListPerson, "name">): string => name || t("somebody");

/** Who works on the list of a file, for the line on its page. */
export async function peopleLine({ pool }: Pick<Web, "pool">, member: Member, h: Harmonization) {
  if (!mayKnow(member, h)) return undefined;
  const names = (await peopleOf(pool, h.listId)).map(nameOf).join(", ");
  const words = names ? t("People: {names}", { names }) : t("People: all admins");
  return { href: peoplePage(h.id), words };
}

const peoplePage = (id: string): string => `/harmonizations/${id}/people`;

/** `GET /harmonizations/:id/people`: who works on the list of the file, and what they may do. */
export async function showPeople(web: Web, _request: FastifyRequest, reply: FastifyReply, { h, member }: Seen) {
  if (!mayKnow(member, h)) throw notFound();
  const words = roleWords();
  const people = await peopleOf(web.pool, h.listId);
  return sendPage(reply, member, "harmonize/people", {
    title: t("People"),
    path: "/harmonizations",
    file: { name: h.name, href: `/harmonizations/${h.id}` },
    list: h.list.name,
    isOwner: isOwner(h, member),
    people: people.map((person) => personView(person, words)),
    roles: Object.entries(words).map(([value, label]) => ({ value, label })),
  });
}

export type ShownPerson = ReturnType<typeof personView>;

const personView = (person: ListPerson, words: Record<ListRole, string>) => ({
  id: person.accountId,
  name: nameOf(person),
  handle: person.handle ?? undefined,
  role: person.role,
  label: words[person.role],
  isGone: person.isGone,
});
