import type { FastifyInstance } from "fastify";
import { csrfToken, textField } from "../../../http/forms.ts";
import { goTo, type Notice, takeNotice } from "../../../http/notice.ts";
import { KnownError, notFound } from "../../../shared/errors.ts";
import { type Access, LEVELS } from "../../access.ts";
import {
  accessHistory,
  callsThisHour,
  changeAccess,
  isOwnApplication,
  OWN_APPLICATION,
} from "../../application-access.ts";
import { findApplication, lastUse, type ShownApplication } from "../../applications.ts";
import { listSecrets } from "../../secrets.ts";
import type { ApplicationDeps, Call } from "../applications/owned.ts";
import { relativeTime } from "../applications/words.ts";
import { loginFor } from "../login.ts";
import { OPERATOR_PAGE } from "./applications.ts";
import { isFreshLogin, operatorsOnly } from "./operators-only.ts";

type OperatorCall = Call & { application: ShownApplication };

/** GET /operator/applications/:id and POST …/access: what an operator sees of an application, and what it may do. */
export function registerOperatorApplication(app: FastifyInstance, deps: ApplicationDeps): void {
  const ofOne = (answer: (call: OperatorCall) => ReturnType<typeof show>) =>
    operatorsOnly(deps, async (call) => {
      const { id } = call.request.params as { id: string };
      const application = await findApplication(deps, id);
      if (!application) throw notFound("There is no application at this address.");
      return answer({ ...call, application });
    });

  app.get(
    `${OPERATOR_PAGE}/:id`,
    ofOne((call) => show(deps, call)),
  );
  app.post(
    `${OPERATOR_PAGE}/:id/access`,
    ofOne((call) => change(deps, call)),
  );
}

/** What an operator sent, to be shown again. */
interface Typed {
  access: Access;
  why: string;
  confirmation: string;
}

async function change(deps: ApplicationDeps, call: OperatorCall) {
  const { request, reply, user, application } = call;
  const { clientId, name } = application;
  const [chosen, before] = ["access", "before"].map((field) => textField(request.body, field));
  const access = LEVELS.find((level) => level === chosen);
  const typed = {
    access: access ?? application.access,
    why: textField(request.body, "why"),
    confirmation: textField(request.body, "confirmation"),
  };
  try {
    if (!access) throw new KnownError(400, "param_error", "Choose what the application may do.");
    if (!(await isFreshLogin(deps, request))) throw new KnownError(403, "not_authorized", LOG_IN_AGAIN);
    const changed = await changeAccess(deps, clientId, {
      ...{ actorId: user.id, access, why: typed.why },
      ifAccess: LEVELS.find((level) => level === before) ?? application.access,
      isConfirmed: typed.confirmation.trim() === name,
    });
    request.log.info({ operator: user.id, clientId, ...changed }, "an operator said what an application may do");
  } catch (error) {
    if (!(error instanceof KnownError)) throw error;
    const message = error.code === "own_application" ? `${error.message} Type its name to confirm.` : error.message;
    const refused = { status: error.status, typed, notice: { kind: "danger", message } } as const;
    return show(deps, { ...call, application: (await findApplication(deps, clientId)) ?? application }, refused);
  }
  return goTo(reply, `${OPERATOR_PAGE}/${clientId}`, { kind: "success", message: DONE[access] });
}

const LOG_IN_AGAIN = "Nothing was changed: you logged in more than ten minutes ago. Log in again first.";

const DONE: Record<Access, string> = {
  stopped: "Stopped. All of its calls are refused from now on.",
  reading: "It may log people in and read, but nothing else.",
  enabled: "Enabled. It may do everything.",
};

async function show(
  deps: ApplicationDeps,
  { request, reply, user, application }: OperatorCall,
  { status = 200, typed, notice }: { status?: number; typed?: Typed; notice?: Notice } = {},
) {
  const { clientId, access, requestedAt } = application;
  const now = new Date();
  const shown = (at: Date) => ({ iso: at.toISOString(), text: relativeTime(at, now) });
  const used = lastUse({ secrets: await listSecrets(deps, clientId) });
  const path = `${OPERATOR_PAGE}/${clientId}`;
  const data = {
    title: application.name,
    user,
    application,
    users: await deps.prisma.authorization.count({ where: { clientId } }),
    asked: requestedAt ? shown(requestedAt) : undefined,
    made: shown(application.createdAt),
    used: used && shown(used),
    calls: (await callsThisHour(deps, [application])).get(clientId),
    history: (await accessHistory(deps, clientId)).map((event) => ({ ...event, at: shown(event.createdAt) })),
    form: typed ?? { access, why: "", confirmation: "" },
    isOwn: isOwnApplication(deps.operator, application) ? OWN_APPLICATION : undefined,
    mayChange: await isFreshLogin(deps, request),
    loginHref: loginFor(path),
    notice: notice ?? takeNotice(request),
    csrf: csrfToken(reply),
    path,
  };
  return reply.code(status).view("directory/operator/application", data, { layout: "layout" });
}
