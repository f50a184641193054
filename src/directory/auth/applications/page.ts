import type { FastifyReply } from "fastify";
import { CLIENT_SECRET_PATH } from "../../../contract/oauth.ts";
import { csrfToken } from "../../../http/pages/forms.ts";
import { takeNotice } from "../../../http/pages/notice.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import { sendView } from "../../../http/pages/views.ts";
import { formatDate } from "../../../language/format.ts";
import { t } from "../../../language/translate.ts";
import { accessHistory } from "../../applications/access.ts";
import type { ShownApplication } from "../../applications/applications.ts";
import { listProviders } from "../../applications/providers.ts";
import { type LiveSecret, listSecrets } from "../../applications/secrets.ts";
import { type ApplicationForm, errorSummary, type FormErrors, formOf } from "./form.ts";
import { takeNewSecret } from "./once.ts";
import type { ApplicationDeps, Owned } from "./owned.ts";
import { shownTime } from "./words.ts";

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
    registered: formatDate(application.createdAt, "long"),
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
