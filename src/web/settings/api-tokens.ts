import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { findHarmonization, listHarmonizations } from "../../harmonize/run/harmonizations.ts";
import { goTo, textField } from "../../http/pages/forms.ts";
import { shownTime } from "../../http/pages/times.ts";
import { t } from "../../language/translate.ts";
import { KnownError, notFound } from "../../shared/errors.ts";
import { endToken, LIFETIMES, type LiveToken, liveTokens, makeToken, SCOPES, type Scope } from "../api/tokens.ts";
import type { Web } from "../base/deps.ts";
import { isConfirmed, type Member } from "../base/members.ts";
import { sendPage } from "../base/page.ts";

const PAGE = "/settings/tokens";
const CONFIRM_HREF = "/login?confirm=1&next=%2Fsettings%2Ftokens";
const LONGEST_NAME = 100;

/** `GET /settings/tokens`: the tokens of the person's programs. */
export const showTokens = (web: Web, request: FastifyRequest, reply: FastifyReply, member: Member) =>
  sendTokens(web, request, reply, member, {});

/**
 * `POST /settings/tokens` (`name`, `scope`…, `days`, `which` all or chosen, `file`…): makes a token and shows it once. As it outlives
 * the session, it takes a confirmation in the last ten minutes.
 */
export async function createToken(web: Web, request: FastifyRequest, reply: FastifyReply, member: Member) {
  if (!isConfirmed(request)) return reply.redirect(CONFIRM_HREF, 303);
  const { body } = request;
  const name = textField(body, "name")
    .toWellFormed()
    .replace(/\p{C}+/gu, " ")
    .trim();
  const days = LIFETIMES.find((each) => String(each) === textField(body, "days")) ?? LIFETIMES[1];
  const scopes: Scope[] = ["read", ...SCOPES.filter((scope) => listField(body, "scope").includes(scope))];
  const isChosen = textField(body, "which") === "chosen";
  const files = isChosen ? await seenFiles(web, member, listField(body, "file")) : undefined;
  const errors = [
    ...(name === "" ? [{ field: "name", message: t("Give the token a name, such as that of the program.") }] : []),
    ...([...name].length > LONGEST_NAME
      ? [{ field: "name", message: t("Use at most {most} characters.", { most: LONGEST_NAME }) }]
      : []),
    ...(files?.length === 0 ? [{ field: "which", message: t("Choose at least one file, or all.") }] : []),
  ];
  const typed = { name, days, scopes, isChosen };
  if (errors.length > 0) return sendTokens(web, request, reply.code(400), member, { errors, typed });
  try {
    const made = await makeToken(web, member.id, { name, scopes, days, files });
    return sendTokens(web, request, reply, member, { made });
  } catch (error) {
    if (!(error instanceof KnownError) || error.status !== 409) throw error;
    const message = { field: "name", message: error.message };
    return sendTokens(web, request, reply.code(409), member, { errors: [message], typed });
  }
}

/** `POST /settings/tokens/:id/end`: needs no password, because it only takes away. */
export async function endOneToken(web: Web, request: FastifyRequest, reply: FastifyReply, member: Member) {
  const id = z.uuid().safeParse((request.params as { id?: unknown }).id).data;
  if (!id) throw notFound();
  const wasLive = await endToken(web, member.id, id);
  return goTo(reply, PAGE, {
    ...(wasLive
      ? { kind: "success", message: t("The token has been ended: no program can use it any more.") }
      : { kind: "info", message: t("This token had already ended.") }),
  });
}

const listField = (body: unknown, name: string): string[] =>
  [(body as Record<string, string | string[] | undefined> | null)?.[name] ?? []].flat();

async function seenFiles({ harmonizer }: Web, member: Member, ids: string[]): Promise<string[]> {
  const found = await Promise.all(
    [...new Set(ids)].slice(0, 200).map((id) => findHarmonization(harmonizer, member, id)),
  );
  return found.flatMap((file) => (file ? [file.id] : []));
}

interface Shown {
  errors?: { field: string; message: string }[];
  typed?: { name: string; days: number; scopes: Scope[]; isChosen: boolean };
  /** Shown once. */
  made?: string;
}

const NOTHING_TYPED = {
  name: "",
  days: LIFETIMES[1] as number,
  scopes: ["read", "decide"] as Scope[],
  isChosen: false,
};

async function sendTokens(
  web: Web,
  request: FastifyRequest,
  reply: FastifyReply,
  member: Member,
  { errors = [], typed = NOTHING_TYPED, made }: Shown,
) {
  const [tokens, files] = await Promise.all([liveTokens(web, member.id), listHarmonizations(web.harmonizer, member)]);
  const words = scopeWords();
  return sendPage(reply, member, "settings/tokens", {
    title: t("Tokens for programs"),
    path: PAGE,
    errors,
    typed,
    made,
    tokens: tokens.map((token) => tokenView(token, words)),
    scopes: SCOPES.filter((scope) => scope !== "read").map((scope) => ({ scope, ...words[scope] })),
    lifetimes: LIFETIMES.map((days) => ({ value: String(days), words: t("{days} days", { days }) })),
    /** One of each list: its newest edition. */
    files: files
      .filter(({ listId }, at) => files.findIndex((other) => other.listId === listId) === at)
      .map(({ id, name, createdAt }) => ({ id, name, at: shownTime(createdAt) })),
    confirmHref: isConfirmed(request) ? undefined : CONFIRM_HREF,
  });
}

const scopeWords = (): Record<Scope, { label: string; meaning: string }> => ({
  read: { label: t("Read"), meaning: t("See files and their results, and download them.") },
  decide: { label: t("Decide"), meaning: t("Upload, match and delete files, and decide about their rows.") },
  write: {
    label: t("Write to the directory"),
    meaning: t("Add venues, delete those it added, and write your ids to venues, in your name."),
  },
});

function tokenView(
  { id, name, scopes, allFiles, lists, createdAt, expiresAt, lastUsedAt }: LiveToken,
  words: ReturnType<typeof scopeWords>,
) {
  return {
    id,
    name,
    may: scopes.map((scope) => words[scope].label).join(", "),
    files: allFiles
      ? t("all files")
      : t("{lists, plural, one {# chosen list} other {# chosen lists}}, with new editions", { lists }),
    made: shownTime(createdAt),
    expires: shownTime(expiresAt),
    lastUsed: lastUsedAt ? shownTime(lastUsedAt) : undefined,
  };
}
export type TokenView = ReturnType<typeof tokenView>;
