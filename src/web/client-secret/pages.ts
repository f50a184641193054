import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { textField } from "../../http/pages/forms.ts";
import { goTo } from "../../http/pages/notice.ts";
import type { Notice } from "../../http/pages/parts.ts";
import type { Handler } from "../../http/routes.ts";
import { t } from "../../language/translate.ts";
import { KnownError, notFound } from "../../shared/errors.ts";
import type { Web } from "../base/deps.ts";
import type { Member } from "../base/members.ts";
import { endOldSecrets } from "./end-old.ts";
import { OVERLAPS, SECRETS_PAGE, showSecrets } from "./page.ts";
import { pasteSecret, rotateSecret, switchOnWaiting } from "./rotate.ts";

export const showSecretsPage = (web: Web, _request: FastifyRequest, reply: FastifyReply, member: Member) =>
  showSecrets(web, reply, member);

export const rotate: Press = (web, request, reply, member) =>
  doIt(web, { request, reply, member }, async (order) => {
    const overlap = OVERLAPS.find(({ name }) => name === textField(request.body, "overlap"));
    if (!overlap) throw new KnownError(400, "param_error", t("Choose when the current secret ends."));
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
    throw new KnownError(400, "param_error", t("Paste the secret as the directory shows it: it has no spaces."));
  if (!/^[\x21-\x7e]{1,200}$/.test(clientId))
    throw new KnownError(400, "param_error", t("Paste the client id as the directory shows it: it has no spaces."));
  if (config.client && config.client.id !== clientId)
    throw new KnownError(400, "param_error", t("The client id comes from the settings: change CLIENT_ID there."));
  return { clientId, clientSecret };
}

function rowId({ params }: FastifyRequest): string {
  const { data } = z.object({ id: z.uuid() }).safeParse(params);
  if (!data) throw notFound();
  return data.id;
}
