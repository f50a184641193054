import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { ClientCredential } from "../../db/generated/client.ts";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import { goTo, textField } from "../../http/pages/forms.ts";
import type { Notice } from "../../http/pages/parts.ts";
import { type ShownTime, shownTime } from "../../http/pages/times.ts";
import type { Handler } from "../../http/routes.ts";
import { t } from "../../language/translate.ts";
import { badRequest, KnownError, notFound } from "../../shared/errors.ts";
import { within } from "../../shared/within.ts";
import type { Web } from "../base/deps.ts";
import { type Member, sendAdminPage } from "../base/members.ts";
import { type CurrentCredentials, currentCredentials } from "./credentials.ts";
import { endOldSecrets, findWaiting, inUseMark, pasteSecret, rotateSecret, switchOnWaiting } from "./rotate.ts";
import type { Overlap } from "./rows.ts";

export const showSecretsPage = (web: Web, _request: FastifyRequest, reply: FastifyReply, member: Member) =>
  showSecrets(web, reply, member);

export const rotate: Press = (web, request, reply, member) =>
  doIt(web, { request, reply, member }, async (order) => {
    const overlap = OVERLAPS.find(({ name }) => name === textField(request.body, "overlap"));
    if (!overlap) throw badRequest(t("Choose when the current secret ends."));
    await rotateSecret(web, { ...order, ...overlap });
    return t("The secret was rotated: every process now uses the new one.");
  });

export const paste: Press = (web, request, reply, member) =>
  doIt(web, { request, reply, member }, async (order) => {
    await pasteSecret(web, { ...order, ...pasted(web, request) });
    return t("The secret passed its test: every process now uses it.");
  });

export const switchOn: Press = (web, request, reply, member) =>
  doIt(web, { request, reply, member }, async (order) => {
    await switchOnWaiting(web, { ...order, id: rowId(request) });
    return t("The secret passed its test: every process now uses it.");
  });

export const endOld: Press = (web, request, reply, member) =>
  doIt(web, { request, reply, member }, async () => {
    await endOldSecrets(web);
    return t("The old secret has ended: it no longer works.");
  });

type Press = Handler<Web, Member>;
type Pressed = { request: FastifyRequest; reply: FastifyReply; member: Member };

/** The actor, and the secret in use that their page showed. */
type Order = { accountId: string; ifInUse: string };

async function doIt(web: Web, { request, reply, member }: Pressed, action: (order: Order) => Promise<string>) {
  try {
    const order = { accountId: member.id, ifInUse: textField(request.body, "in_use") };
    return goTo(reply, SECRETS_PAGE, { kind: "success", message: await action(order) });
  } catch (error) {
    if (!(error instanceof KnownError)) throw error;
    if (error.status >= 500) request.log.warn({ err: error }, "the secret was not changed");
    const notice: Notice = { kind: "danger", message: error.message };
    return showSecrets(web, reply.code(error.status).headers(error.headers), member, notice);
  }
}

/** Values that were pasted are never shown again or stored, right or wrong. */
function pasted({ config }: Web, { body }: FastifyRequest) {
  const clientSecret = textField(body, "client_secret").trim();
  const clientId = textField(body, "client_id").trim();
  if (!/^[\x21-\x7e]{1,500}$/.test(clientSecret))
    throw badRequest(t("Paste the secret as the directory shows it: it has no spaces."));
  if (!/^[\x21-\x7e]{1,200}$/.test(clientId))
    throw badRequest(t("Paste the client id as the directory shows it: it has no spaces."));
  if (config.client && config.client.id !== clientId)
    throw badRequest(t("The client id comes from the settings: change CLIENT_ID there."));
  return { clientId, clientSecret };
}

function rowId({ params }: FastifyRequest): string {
  const { data } = z.object({ id: z.uuid() }).safeParse(params);
  if (!data) throw notFound();
  return data.id;
}

const SECRETS_PAGE = "/admin/secrets";

/** When the old secret ends after a rotation; the first is the default. */
const OVERLAPS: (Overlap & { name: string; label: () => string })[] = [
  {
    name: "unused",
    label: () => t("Once nothing uses it, but after 24 hours at the latest"),
    overlapSeconds: 86_400,
    endsEarly: true,
  },
  { name: "1h", label: () => t("After 1 hour"), overlapSeconds: 3600, endsEarly: false },
  { name: "24h", label: () => t("After 24 hours"), overlapSeconds: 86_400, endsEarly: false },
  { name: "7d", label: () => t("After 7 days"), overlapSeconds: 604_800, endsEarly: false },
];

const HISTORY = 50;

/** Sends the page of the client secret. It never contains a secret or a part of one. */
async function showSecrets(web: Web, reply: FastifyReply, member: Member, notice?: Notice) {
  const { config, prisma } = web;
  const inUse = await currentCredentials(web);
  const waiting = await findWaiting(web);
  const rows = await prisma.clientCredential.findMany({
    where: { directory: config.api.url },
    include: { account: { select: { handle: true, firstName: true, lastName: true } } },
    orderBy: [{ createdAt: "desc" }, { switchedOnAt: "desc" }],
    take: HISTORY,
  });
  const history = rows.map((row) => historyRow(row, inUse));
  return sendAdminPage(reply, member, SECRETS_PAGE, "admin/secrets", {
    title: t("Secrets"),
    notice,
    directory: new URL(config.auth.url).host,
    clientId: inUse.clientId,
    isClientIdFixed: config.client !== undefined,
    inUseMark: inUseMark(inUse),
    inUse: history.find(({ id }) => id === inUse.id),
    waiting: history.find(({ id }) => id === waiting?.id),
    old: history.find(({ state }) => state === "running out"),
    atDirectory: await within(askDirectory(web, inUse)).catch(problemWords),
    overlaps: OVERLAPS.map(({ name, label }) => ({ name, label: label() })),
    history,
  });
}

export interface AtDirectory {
  /** Why nothing is known; undefined if the directory accepts the secret. */
  problem?: string;
  isRefused?: boolean;
  /** Why it cannot be rotated here; undefined if it can. */
  noRotation?: string;
  used?: ShownTime | undefined;
  /** Set if the directory has a newer secret, which is not in use here. */
  ends?: ShownTime | undefined;
  oldUsed?: ShownTime | undefined;
}

/** Asks the directory about the secret in use. Times are by its clock. */
async function askDirectory(web: Web, { clientId, clientSecret }: CurrentCredentials): Promise<AtDirectory> {
  const secrets = await web.authHost.ownSecrets();
  if (!secrets) {
    await web.directory.askCategories({ clientId, clientSecret });
    return { noRotation: t("This directory does not let applications rotate their secrets.") };
  }
  try {
    const list = await secrets.list({ clientId, clientSecret });
    const own = list.find(({ usedNow }) => usedNow);
    const isTooLate = own?.expiresAt && list.some(({ current, lastUsedAt }) => current && lastUsedAt);
    const old = own?.current ? list.find(({ usedNow }) => !usedNow) : undefined;
    return {
      used: maybe(own?.lastUsedAt),
      ends: maybe(own?.expiresAt),
      oldUsed: maybe(old?.lastUsedAt),
      ...(isTooLate
        ? {
            noRotation: t(
              "The newer one is already in use elsewhere: paste it, or create another at the directory and paste that.",
            ),
          }
        : {}),
    };
  } catch (error) {
    if (error instanceof DirectoryError && error.kind === "rejected") return { noRotation: error.message };
    throw error;
  }
}

function problemWords(error: unknown): AtDirectory {
  if (!(error instanceof KnownError)) throw error;
  const isRefused = error instanceof DirectoryError && error.kind === "refused_client";
  return { problem: error.message, isRefused };
}

const maybe = (at: Date | null | undefined) => (at ? shownTime(at) : undefined);

type Row = ClientCredential & {
  account: { handle: string | null; firstName: string | null; lastName: string | null } | null;
};

const ORIGINS = {
  setup: () => ({ how: t("First start or settings"), by: "Samespot" }),
  rotated: () => ({ how: t("Rotated here"), by: t("an admin") }),
  pasted: () => ({ how: t("Pasted here"), by: t("an admin") }),
  command: () => ({ how: t("Rotated on the command line"), by: t("Command line") }),
};

function historyRow(row: Row, inUse: CurrentCredentials) {
  const { account, origin, createdAt, switchedOnAt, lastUsedAt, expiresAt, endsEarly, endedAt } = row;
  const { how, by } = ORIGINS[origin]();
  const name = [account?.firstName, account?.lastName].filter(Boolean).join(" ");
  const isInUse = inUse.id ? row.id === inUse.id : row.secret === null; // the row of the secret from the settings holds no secret
  return {
    id: row.id,
    clientId: row.clientId,
    how,
    by: account ? [name, account.handle && `(${account.handle})`].filter(Boolean).join(" ") : by,
    state: stateOf(row, isInUse),
    made: shownTime(createdAt),
    switchedOn: maybe(switchedOnAt),
    used: maybe(lastUsedAt),
    ended: maybe(endedAt),
    runsUntil: maybe(expiresAt),
    endsEarly,
  };
}
export type SecretView = ReturnType<typeof historyRow>;

function stateOf(
  { endedAt, switchedOnAt, expiresAt }: Row,
  isInUse: boolean,
): "ended" | "in use" | "waiting" | "running out" {
  if (endedAt) return "ended";
  if (isInUse) return "in use";
  if (!switchedOnAt) return "waiting";
  return expiresAt ? "running out" : "in use"; // one without an end was switched on after `inUse` was read
}
