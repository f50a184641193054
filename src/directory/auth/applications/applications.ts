import type { FastifyReply, FastifyRequest } from "fastify";
import { CLIENT_SECRET_PATH } from "../../../contract/oauth.ts";
import { csrfToken, takeNotice } from "../../../http/pages/forms.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import { shownTime } from "../../../http/pages/times.ts";
import { sendView } from "../../../http/pages/views.ts";
import { t } from "../../../language/translate.ts";
import { KnownError } from "../../../shared/errors.ts";
import { accessHistory } from "../../applications/access.ts";
import { addApplication, listApplications, type ShownApplication } from "../../applications/applications.ts";
import { listProviders } from "../../applications/providers.ts";
import { type LiveSecret, listSecrets } from "../../applications/secrets.ts";
import type { Own } from "../base/session.ts";
import {
  type ApplicationForm,
  checkForm,
  emptyForm,
  errorSummary,
  type FormErrors,
  formOf,
  keepNewSecret,
  readForm,
  takeNewSecret,
} from "./form.ts";
import type { ApplicationDeps, Owned } from "./owned.ts";

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

export interface Refused {
  status?: number;
  form?: ApplicationForm;
  errors?: FormErrors;
  provider?: { typed: string; error: string } | undefined;
  /** The application's name, typed to confirm its deletion. */
  removal?: { typed: string; error: string } | undefined;
  notice?: Notice;
}

export async function showApplication(
  deps: ApplicationDeps,
  reply: FastifyReply,
  { user, application }: Owned,
  { status = 200, form = formOf(application), errors = {}, provider, removal, notice }: Refused = {},
) {
  const { clientId } = application;
  return sendView(reply.code(status), "directory/applications/show", {
    title: application.name,
    user,
    application,
    registered: shownTime(application.createdAt),
    said: (await accessHistory(deps, clientId)).find(({ access }) => access !== null)?.why || undefined,
    contact: contactOf(deps, application),
    users: await deps.prisma.authorization.count({ where: { clientId } }),
    newSecret: takeNewSecret(deps, reply.request, clientId),
    secrets: (await listSecrets(deps, clientId)).map(secretView),
    overlaps: overlaps(),
    addresses: addressesOf(deps, application),
    docs: `${deps.config.api.url}/docs`,
    form,
    fieldErrors: errors,
    errors: errorSummary(errors),
    providers: await listProviders(deps, clientId),
    provider,
    removal,
    notice: notice ?? takeNotice(reply.request),
    csrf: csrfToken(reply),
    path: `/applications/${clientId}`,
  });
}

/** By the interface ("Registration rules"), owners ask in an e-mail that contains the client id. */
function contactOf({ operator }: ApplicationDeps, { clientId, name }: ShownApplication) {
  const contact = operator?.contact;
  if (contact === undefined || URL.canParse(contact)) return contact && { href: contact, text: contact };
  const [subject, body] = [t("Please enable {name}", { name }), t("Client id: {clientId}", { clientId })].map(
    encodeURIComponent,
  );
  return { href: `mailto:${contact}?subject=${subject}&body=${body}`, text: contact };
}
export type Contact = NonNullable<ReturnType<typeof contactOf>>;

export const overlaps = () => [
  { value: "0", label: t("End it immediately"), hours: 0 },
  { value: "1h", label: t("Keep it for {hours, plural, one {# hour} other {# hours}}", { hours: 1 }), hours: 1 },
  { value: "24h", label: t("Keep it for {hours, plural, one {# hour} other {# hours}}", { hours: 24 }), hours: 24 },
  { value: "7d", label: t("Keep it for {days, plural, one {# day} other {# days}}", { days: 7 }), hours: 7 * 24 },
];
export type Overlap = ReturnType<typeof overlaps>[number];

function secretView({ id, createdAt, expiresAt, lastUsedAt, now }: LiveSecret, _index: number, all: LiveSecret[]) {
  const current = all.find((each) => each.expiresAt === null);
  return {
    id,
    made: shownTime(createdAt, now),
    ends: expiresAt ? shownTime(expiresAt, now) : undefined,
    used: lastUsedAt ? shownTime(lastUsedAt, now) : undefined,
    /** True if an expiring secret was used after the current one was created. Last uses are stored to the minute. */
    isStillUsed: expiresAt !== null && lastUsedAt !== null && current !== undefined && lastUsedAt > current.createdAt,
  };
}
export type SecretView = ReturnType<typeof secretView>;

function addressesOf({ config: { auth, api } }: ApplicationDeps, application: ShownApplication) {
  const { clientId, redirectUris, rotatesItself } = application;
  const [redirectUri = ""] = redirectUris;
  const query = `client_id=${clientId}&response_type=code&redirect_uri=${encodeURIComponent(redirectUri)}`;
  return [
    { id: "authorize", label: t("Send users to"), value: `${auth.url}/oauth2/authenticate?${query}` },
    { id: "ask", label: t("To ask users every time"), value: `${auth.url}/oauth2/authorize?${query}` },
    { id: "token", label: t("Exchange the code at"), value: `${auth.url}/oauth2/access_token` },
    ...(rotatesItself
      ? [{ id: "secret", label: t("Change the secret at"), value: auth.url + CLIENT_SECRET_PATH }]
      : []),
    { id: "api", label: t("Call the API at"), value: `${api.url}/v2/` },
    { id: "reconcile", label: t("OpenRefine service"), value: `${api.url}/reconcile/0.2` },
  ];
}
