import type { FastifyInstance } from "fastify";
import { csrfToken } from "../../../http/forms.ts";
import { takeNotice } from "../../../http/notice.ts";
import { KnownError } from "../../../shared/errors.ts";
import { addApplication, listApplications } from "../../applications.ts";
import { type ApplicationForm, checkForm, emptyForm, errorSummary, type FormErrors, readForm } from "./form.ts";
import { keepNewSecret } from "./once.ts";
import { type ApplicationDeps, type Call, signedIn } from "./owned.ts";

/** Applications of one user. */
const MOST = 50;

/** GET /applications, GET /applications/new and POST /applications: the applications a user has registered. */
export function registerApplications(app: FastifyInstance, deps: ApplicationDeps): void {
  app.get(
    "/applications",
    signedIn(deps, async ({ request, reply, user }) => {
      const applications = await listApplications(deps, { ownerId: user.id });
      const data = {
        title: "Applications",
        user,
        applications,
        isFull: applications.length >= MOST,
        docs: `${deps.config.api.url}/docs`,
        notice: takeNotice(request),
        csrf: csrfToken(reply),
        path: "/applications",
      };
      return reply.view("directory/applications/index", data, { layout: "layout" });
    }),
  );

  app.get(
    "/applications/new",
    signedIn(deps, (call) => showNew(call, { form: emptyForm() })),
  );

  app.post(
    "/applications",
    signedIn(deps, async (call) => {
      const { request, reply, user } = call;
      const form = readForm(request.body);
      const { settings, errors } = checkForm(form);
      if (!settings) return showNew(call, { form, errors, status: 400 });
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
        return showNew(call, { form, errors: { form: error.message }, status: error.status });
      }
    }),
  );
}

/** The form that registers an application. What was typed stays. */
export async function showNew(
  { reply, user }: Omit<Call, "request">,
  { form, errors = {}, status = 200 }: { form: ApplicationForm; errors?: FormErrors; status?: number },
) {
  const data = {
    title: "Register an application",
    user,
    form,
    fieldErrors: errors,
    errors: errorSummary(errors),
    csrf: csrfToken(reply),
    path: "/applications",
  };
  return reply.code(status).view("directory/applications/new", data, { layout: "layout" });
}
