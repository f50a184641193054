import type { FastifyReply, FastifyRequest } from "fastify";
import { csrfToken } from "../../../http/pages/forms.ts";
import { takeNotice } from "../../../http/pages/notice.ts";
import { sendView } from "../../../http/pages/views.ts";
import { t } from "../../../language/translate.ts";
import { KnownError } from "../../../shared/errors.ts";
import { addApplication, listApplications } from "../../applications/applications.ts";
import type { Own } from "../session/guards.ts";
import { type ApplicationForm, checkForm, emptyForm, errorSummary, type FormErrors, readForm } from "./form.ts";
import { keepNewSecret } from "./once.ts";
import type { ApplicationDeps } from "./owned.ts";

const MOST = 50;

export async function listOwned(deps: ApplicationDeps, request: FastifyRequest, reply: FastifyReply, { user }: Own) {
  const applications = await listApplications(deps, { ownerId: user.id });
  return sendView(reply, "directory/applications/index", {
    title: t("Applications"),
    user,
    applications,
    isFull: applications.length >= MOST,
    docs: `${deps.config.api.url}/docs`,
    notice: takeNotice(request),
    csrf: csrfToken(reply),
    path: "/applications",
  });
}

export const askNew = (_deps: ApplicationDeps, _request: FastifyRequest, reply: FastifyReply, { user }: Own) =>
  showNew({ reply, user }, { form: emptyForm() });

export async function register(deps: ApplicationDeps, request: FastifyRequest, reply: FastifyReply, { user }: Own) {
  const form = readForm(request.body);
  const { settings, errors } = checkForm(form);
  if (!settings) return showNew({ reply, user }, { form, errors, status: 400 });
  try {
    const added = await addApplication(
      deps,
      { ownerId: user.id, ...settings, access: deps.operator?.newApplications ?? "enabled" },
      { most: MOST },
    );
    keepNewSecret(deps, request, added);
    return reply.redirect(`/applications/${added.clientId}`, 303);
  } catch (error) {
    if (!(error instanceof KnownError)) throw error;
    return showNew({ reply, user }, { form, errors: { form: error.message }, status: error.status });
  }
}

export async function showNew(
  { reply, user }: Own & { reply: FastifyReply },
  { form, errors = {}, status = 200 }: { form: ApplicationForm; errors?: FormErrors; status?: number },
) {
  return sendView(reply.code(status), "directory/applications/new", {
    title: t("Register an application"),
    user,
    form,
    fieldErrors: errors,
    errors: errorSummary(errors),
    csrf: csrfToken(reply),
    path: "/applications",
  });
}
