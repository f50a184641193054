import type { FastifyInstance } from "fastify";
import { textField } from "../../../http/forms.ts";
import { goTo, type Notice } from "../../../http/notice.ts";
import { KnownError } from "../../../shared/errors.ts";
import { requestAccess } from "../../application-access.ts";
import { removeApplication, type ShownApplication, updateApplication } from "../../applications.ts";
import { listProviders, releaseProvider, reserveProvider } from "../../providers.ts";
import { endSecret, rotateSecret } from "../../secrets.ts";
import { checkForm, readForm } from "./form.ts";
import { keepNewSecret } from "./once.ts";
import { type ApplicationDeps, type Call, owned } from "./owned.ts";
import { OVERLAPS, showApplication } from "./page.ts";

type OwnCall = Call & { application: ShownApplication };

/** Provider ids of one application: whoever needs more talks to the operator. */
const MOST_PROVIDERS = 20;

/** GET /applications/:id and its forms: what the owner of an application sees of it and can do to it. */
export function registerApplication(app: FastifyInstance, deps: ApplicationDeps): void {
  const post = (path: string, answer: (call: OwnCall) => Promise<Notice | undefined>) =>
    app.post(
      path,
      owned(deps, (call) => done(deps, call, answer)),
    );

  app.get(
    "/applications/:id",
    owned(deps, (call) => showApplication(deps, call)),
  );

  app.post(
    "/applications/:id",
    owned(deps, (call) => update(deps, call)),
  );

  post("/applications/:id/secrets", async ({ request, application: { clientId } }) => {
    const chosen = textField(request.body, "overlap");
    const overlap = OVERLAPS.find(({ value }) => value === chosen);
    if (!overlap) throw new KnownError(400, "param_error", "Choose how long the secret in use so far works on.");
    const ifCurrent = textField(request.body, "current");
    const rotated = await rotateSecret(deps, clientId, { overlapHours: overlap.hours, ifCurrent });
    keepNewSecret(deps, request, { clientId, ...rotated });
    return undefined; // the new secret says it
  });

  post("/applications/:id/secrets/end", async ({ request, application }) => {
    await endSecret(deps, application.clientId, textField(request.body, "secret"));
    return { kind: "success", message: "The secret has ended: it works nowhere any more." };
  });

  app.post(
    "/applications/:id/providers",
    owned(deps, (call) => reserve(deps, call)),
  );

  post("/applications/:id/providers/release", async ({ request, application }) => {
    const name = textField(request.body, "provider");
    await releaseProvider(deps, name, application.clientId);
    return { kind: "success", message: `${name} is released: anybody can reserve it now.` };
  });

  post("/applications/:id/requests", async ({ request, user, application }) => {
    await requestAccess(deps, application.clientId, { actorId: user.id, why: textField(request.body, "why") });
    return { kind: "success", message: "The operators of this directory see your request now." };
  });

  app.post(
    "/applications/:id/delete",
    owned(deps, (call) => remove(deps, call)),
  );
}

/** Does it and goes back to the page of the application, or shows that page with the reason why not. */
async function done(deps: ApplicationDeps, call: OwnCall, action: (call: OwnCall) => Promise<Notice | undefined>) {
  const { reply, application } = call;
  try {
    return goTo(reply, `/applications/${application.clientId}`, await action(call));
  } catch (error) {
    const { status, message } = foreseen(error);
    return showApplication(deps, call, { status, notice: { kind: "danger", message } });
  }
}

async function update(deps: ApplicationDeps, call: OwnCall) {
  const form = readForm(call.request.body);
  const { settings, errors } = checkForm(form);
  if (!settings) return showApplication(deps, call, { status: 400, form, errors });
  return done(deps, call, async ({ application }) => {
    await updateApplication(deps, application.clientId, settings);
    return { kind: "success", message: "Saved." };
  });
}

async function reserve(deps: ApplicationDeps, call: OwnCall) {
  const { request, reply, application } = call;
  const typed = textField(request.body, "provider").trim();
  try {
    if ((await listProviders(deps, application.clientId)).length >= MOST_PROVIDERS)
      throw new KnownError(409, "param_error", `An application can reserve ${MOST_PROVIDERS} provider ids.`);
    await reserveProvider(deps, typed, application.clientId);
  } catch (error) {
    const { status, message } = foreseen(error);
    return showApplication(deps, call, { status, provider: { typed, error: message } });
  }
  const message = `${typed} is reserved for this application.`;
  return goTo(reply, `/applications/${application.clientId}`, { kind: "success", message });
}

/** Deletes the application when its name was typed: its users' tokens end with it. */
async function remove(deps: ApplicationDeps, call: OwnCall) {
  const { request, reply, application } = call;
  const typed = textField(request.body, "name");
  if (typed.trim() !== application.name) {
    const error = typed ? "This is not its name. Type it as it stands above." : "Type the name to confirm.";
    return showApplication(deps, call, { status: 400, removal: { typed, error } });
  }
  await removeApplication(deps, application.clientId);
  return goTo(reply, "/applications", { kind: "success", message: `${application.name} is deleted.` });
}

function foreseen(error: unknown): KnownError {
  if (error instanceof KnownError) return error;
  throw error;
}
