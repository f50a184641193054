import type { FastifyReply, FastifyRequest } from "fastify";
import { csrfToken, textField } from "../../../http/pages/forms.ts";
import { goTo, takeNotice } from "../../../http/pages/notice.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import { sendView } from "../../../http/pages/views.ts";
import { t } from "../../../language/translate.ts";
import { KnownError, notFound } from "../../../shared/errors.ts";
import { type Access, LEVELS } from "../../access.ts";
import {
  accessHistory,
  callsThisHour,
  changeAccess,
  isOwnApplication,
  ownApplication,
} from "../../applications/access.ts";
import { findApplication, lastUse, type ShownApplication } from "../../applications/applications.ts";
import { listSecrets } from "../../applications/secrets.ts";
import type { ApplicationDeps, Owned } from "../applications/owned.ts";
import { shownTime } from "../applications/words.ts";
import type { Own } from "../session/guards.ts";
import { loginFor } from "../session/log-in-paths.ts";
import { ALL_APPLICATIONS_PAGE } from "./applications.ts";
import { isFreshLogin } from "./operators-only.ts";

export async function showAny(deps: ApplicationDeps, request: FastifyRequest, reply: FastifyReply, { user }: Own) {
  return show(deps, reply, { user, application: await theApplication(deps, request) });
}

async function theApplication(deps: ApplicationDeps, { params }: FastifyRequest): Promise<ShownApplication> {
  const application = await findApplication(deps, (params as { id: string }).id);
  if (!application) throw notFound(t("There is no application at this address."));
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
    if (!access) throw new KnownError(400, "param_error", t("Choose what the application may do."));
    if (!(await isFreshLogin(deps, request))) throw new KnownError(403, "not_authorized", logInAgain());
    const changed = await changeAccess(deps, clientId, {
      ...{ actorId: user.id, access, why: typed.why },
      ifAccess: LEVELS.find((level) => level === before) ?? application.access,
      isConfirmed: typed.confirmation.trim() === name,
    });
    request.log.info({ operator: user.id, clientId, ...changed }, "an operator changed the access of an application");
  } catch (error) {
    if (!(error instanceof KnownError)) throw error;
    const message =
      error.code === "own_application" ? `${error.message} ${t("Type its name to confirm.")}` : error.message;
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
