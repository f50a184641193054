import type { FastifyReply } from "fastify";
import { goTo, textField } from "../../../http/pages/forms.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import type { Handler } from "../../../http/routes.ts";
import { t } from "../../../language/translate.ts";
import { badRequest, KnownError } from "../../../shared/errors.ts";
import { requestAccess } from "../../applications/access.ts";
import { removeApplication, updateApplication } from "../../applications/applications.ts";
import { listProviders, releaseProvider, reserveProvider } from "../../applications/providers.ts";
import { endSecret, rotateSecret } from "../../applications/secrets.ts";
import { overlaps, showApplication } from "./applications.ts";
import { checkForm, keepNewSecret, readForm } from "./form.ts";
import type { ApplicationDeps, Owned } from "./owned.ts";

/** Most provider ids of one application; operators can add more. */
const MOST_PROVIDERS = 20;

type OwnersHandler = Handler<ApplicationDeps, Owned>;

export const showOwned: OwnersHandler = (deps, _request, reply, own) => showApplication(deps, reply, own);

export const change: OwnersHandler = async (deps, request, reply, own) => {
  const form = readForm(request.body);
  const { settings, errors } = checkForm(form);
  if (!settings) return showApplication(deps, reply, own, { status: 400, form, errors });
  return done(deps, reply, own, async () => {
    await updateApplication(deps, own.application.clientId, settings);
    return { kind: "success", message: t("Saved.") };
  });
};

export const addSecret: OwnersHandler = (deps, request, reply, own) =>
  done(deps, reply, own, async () => {
    const { clientId } = own.application;
    const chosen = textField(request.body, "overlap");
    const overlap = overlaps().find(({ value }) => value === chosen);
    if (!overlap) throw badRequest(t("Choose how long the current secret keeps working."));
    const ifCurrent = textField(request.body, "current");
    const rotated = await rotateSecret(deps, clientId, { overlapHours: overlap.hours, ifCurrent });
    keepNewSecret(deps, request, { clientId, ...rotated });
    return undefined; // the page shows the new secret instead of a notice
  });

export const endOneSecret: OwnersHandler = (deps, request, reply, own) =>
  done(deps, reply, own, async () => {
    await endSecret(deps, own.application.clientId, textField(request.body, "secret"));
    return { kind: "success", message: t("The secret has been ended and no longer works.") };
  });

export const reserve: OwnersHandler = async (deps, request, reply, own) => {
  const { application } = own;
  const typed = textField(request.body, "provider").trim();
  try {
    if ((await listProviders(deps, application.clientId)).length >= MOST_PROVIDERS)
      throw new KnownError(
        409,
        "param_error",
        t("An application can reserve at most {most, number} provider ids.", { most: MOST_PROVIDERS }),
      );
    await reserveProvider(deps, typed, application.clientId);
  } catch (error) {
    const { status, message } = foreseen(error);
    return showApplication(deps, reply, own, { status, provider: { typed, error: message } });
  }
  const message = t("{provider} is now reserved for this application.", { provider: typed });
  return goTo(reply, `/applications/${application.clientId}`, { kind: "success", message });
};

export const release: OwnersHandler = (deps, request, reply, own) =>
  done(deps, reply, own, async () => {
    const name = textField(request.body, "provider");
    await releaseProvider(deps, name, own.application.clientId);
    return {
      kind: "success",
      message: t("{provider} has been released. Any application can reserve it now.", { provider: name }),
    };
  });

export const askForAccess: OwnersHandler = (deps, request, reply, own) =>
  done(deps, reply, own, async () => {
    const why = textField(request.body, "why");
    await requestAccess(deps, own.application.clientId, { actorId: own.user.id, why });
    return { kind: "success", message: t("Your request has been sent to the operators of this directory.") };
  });

export const remove: OwnersHandler = async (deps, request, reply, own) => {
  const { application } = own;
  const typed = textField(request.body, "name");
  if (typed.trim() !== application.name) {
    const error = typed
      ? t("This is not the application's name. Type it exactly as shown above.")
      : t("Type the name to confirm.");
    return showApplication(deps, reply, own, { status: 400, removal: { typed, error } });
  }
  await removeApplication(deps, application.clientId);
  return goTo(reply, "/applications", {
    kind: "success",
    message: t("{name} has been deleted.", { name: application.name }),
  });
};

async function done(
  deps: ApplicationDeps,
  reply: FastifyReply,
  own: Owned,
  action: () => Promise<Notice | undefined>,
): Promise<FastifyReply> {
  try {
    return goTo(reply, `/applications/${own.application.clientId}`, await action());
  } catch (error) {
    const { status, message } = foreseen(error);
    return showApplication(deps, reply, own, { status, notice: { kind: "danger", message } });
  }
}

function foreseen(error: unknown): KnownError {
  if (error instanceof KnownError) return error;
  throw error;
}
