import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { wholeNumber } from "../../../contract/parameters.ts";
import { text } from "../../../contract/text.ts";
import { csrfToken, goTo, takeNotice, textField } from "../../../http/pages/forms.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import { shownTime } from "../../../http/pages/times.ts";
import { sendView } from "../../../http/pages/views.ts";
import { checkParameters } from "../../../http/parameters.ts";
import { t } from "../../../language/translate.ts";
import { badRequest, KnownError, notFound } from "../../../shared/errors.ts";
import { type Access, LEVELS } from "../../access.ts";
import {
  accessHistory,
  callsThisHour,
  changeAccess,
  isOwnApplication,
  ownApplication,
} from "../../applications/access.ts";
import {
  findApplication,
  type ListedApplication,
  lastUse,
  listApplications,
  type ShownApplication,
} from "../../applications/applications.ts";
import { listSecrets } from "../../applications/secrets.ts";
import { demoNote } from "../../sample/remove.ts";
import type { ApplicationDeps, Owned } from "../applications/owned.ts";
import { loginFor, type Own } from "../base/session.ts";
import { isFreshLogin } from "./operators-only.ts";

export const ALL_APPLICATIONS_PAGE = "/operator/applications";

const PAGE_SIZE = 50;

/** Defaults to the first page if the parameters are invalid. */
const wantedPart = z.object({ query: text("query", 100).default(""), page: wholeNumber("page", 1, 10_000).default(1) });

export async function listAll(deps: ApplicationDeps, request: FastifyRequest, reply: FastifyReply, { user }: Own) {
  const { query, page } = checkParameters(wantedPart, request.query).value ?? { query: "", page: 1 };
  const part = { query, skip: (page - 1) * PAGE_SIZE, take: PAGE_SIZE + 1 };
  const found = await listApplications(deps, { ...part, isForOperator: true });
  const shown = found.slice(0, PAGE_SIZE);
  const calls = await callsThisHour(deps, shown);
  const now = new Date();
  return sendView(reply, "directory/operator/applications", {
    title: t("All applications"),
    user,
    demo: await demoNote(deps, user),
    applications: shown.map((each) => applicationRow(each, calls.get(each.clientId), now)),
    query,
    pager: {
      newer: page > 1 ? addressOf(query, page - 1) : undefined,
      older: found.length > PAGE_SIZE ? addressOf(query, page + 1) : undefined,
    },
    notice: takeNotice(request),
    csrf: csrfToken(reply),
    path: ALL_APPLICATIONS_PAGE,
  });
}

function applicationRow(application: ListedApplication, calls: number | undefined, now: Date) {
  const { clientId, name, owner, access, requestedAt, createdAt, accessEvents } = application;
  const used = lastUse(application);
  return {
    clientId,
    name,
    access,
    owner: owner.handle,
    isAsking: requestedAt !== null,
    made: shownTime(createdAt, now),
    used: used && shownTime(used, now),
    calls,
    note: accessEvents[0]?.why ?? "",
  };
}
export type ApplicationRow = ReturnType<typeof applicationRow>;

function addressOf(query: string, page: number): string {
  const search = new URLSearchParams({ ...(query ? { query } : {}), ...(page > 1 ? { page: String(page) } : {}) });
  return search.size ? `${ALL_APPLICATIONS_PAGE}?${search}` : ALL_APPLICATIONS_PAGE;
}

export async function showAny(deps: ApplicationDeps, request: FastifyRequest, reply: FastifyReply, { user }: Own) {
  return show(deps, reply, { user, application: await theApplication(deps, request) });
}

async function theApplication(deps: ApplicationDeps, { params }: FastifyRequest): Promise<ShownApplication> {
  const application = await findApplication(deps, (params as { id: string }).id);
  if (!application) throw notFound(t("We can’t find this application."));
  return application;
}

export interface Typed {
  access: Access;
  why: string;
  confirmation: string;
}

export async function decideAccess(deps: ApplicationDeps, request: FastifyRequest, reply: FastifyReply, { user }: Own) {
  const application = await theApplication(deps, request);
  const { clientId, name } = application;
  const [chosen, before] = ["access", "before"].map((field) => textField(request.body, field));
  const access = LEVELS.find((level) => level === chosen);
  const typed = {
    access: access ?? application.access,
    why: textField(request.body, "why"),
    confirmation: textField(request.body, "confirmation"),
  };
  try {
    if (!access) throw badRequest(t("Choose what the application may do."));
    if (!(await isFreshLogin(deps, request))) throw new KnownError(403, "not_authorized", logInAgain());
    const changed = await changeAccess(deps, clientId, {
      actorId: user.id,
      access,
      why: typed.why,
      ifAccess: LEVELS.find((level) => level === before) ?? application.access,
      isConfirmed: typed.confirmation.trim() === name,
    });
    request.log.info({ operator: user.id, clientId, ...changed }, "an operator changed the access of an application");
  } catch (error) {
    if (!(error instanceof KnownError)) throw error;
    const message =
      error.code === "own_application"
        ? `${error.message} ${t("Type the application’s name to confirm.")}`
        : error.message;
    const refused = { status: error.status, typed, notice: { kind: "danger", message } } as const;
    return show(deps, reply, { user, application: (await findApplication(deps, clientId)) ?? application }, refused);
  }
  return goTo(reply, `${ALL_APPLICATIONS_PAGE}/${clientId}`, { kind: "success", message: done()[access] });
}

const logInAgain = () =>
  t("Nothing was changed because you logged in more than ten minutes ago. Log in again to continue.");

const done = (): Record<Access, string> => ({
  stopped: t("Stopped. The directory now refuses all of its calls."),
  reading: t("The application may now log people in and read, but nothing else."),
  enabled: t("Enabled. The application may now do everything."),
});

async function show(
  deps: ApplicationDeps,
  reply: FastifyReply,
  { user, application }: Owned,
  { status = 200, typed, notice }: { status?: number; typed?: Typed; notice?: Notice } = {},
) {
  const { request } = reply;
  const { clientId, access, requestedAt } = application;
  const now = new Date();
  const shown = (at: Date) => shownTime(at, now);
  const used = lastUse({ secrets: await listSecrets(deps, clientId) });
  const path = `${ALL_APPLICATIONS_PAGE}/${clientId}`;
  return sendView(reply.code(status), "directory/operator/application", {
    title: application.name,
    user,
    application,
    users: await deps.prisma.authorization.count({ where: { clientId } }),
    asked: requestedAt ? shown(requestedAt) : undefined,
    made: shown(application.createdAt),
    used: used && shown(used),
    calls: (await callsThisHour(deps, [application])).get(clientId),
    history: (await accessHistory(deps, clientId)).map(({ createdAt, ...event }) => ({
      ...event,
      at: shown(createdAt),
    })),
    form: typed ?? { access, why: "", confirmation: "" },
    isOwn: isOwnApplication(deps.operator, application) ? ownApplication() : undefined,
    mayChange: await isFreshLogin(deps, request),
    loginHref: loginFor(path),
    notice: notice ?? takeNotice(request),
    csrf: csrfToken(reply),
    path,
  });
}
