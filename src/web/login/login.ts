import type { FastifyReply, FastifyRequest } from "fastify";
import type { Display } from "../../directory-client/authorization.ts";
import { textField } from "../../http/forms.ts";
import { sendView } from "../../http/views.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Web } from "../base/deps.ts";
import { localPath } from "../base/local-path.ts";
import { currentMember } from "../base/members.ts";
import { beginAttempt, redirectUri } from "./attempts.ts";
import { hasLoggedOut } from "./logged-out.ts";
import { keepOpener } from "./popup.ts";

/**
 * Log-in by the code flow (interface, "User authorization"). `next` is where to go afterwards. `switch=1` lets the person pick another account. `confirm=1` asks whoever is logged in
 * for their password again, and their session then knows when they gave it. `alone=1` forgets the other log-ins under way
 * in this browser. `display` is passed on.
 */
export async function startLogin(web: Web, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (isFromElsewhere(request)) return offerLogin(web, reply);
  const asks = (name: string) => textField(request.query, name) === "1";
  const { clientId } = await web.credentials();
  const display = displayFor(request);
  const confirms = asks("confirm") ? (await currentMember(web, request))?.id : undefined;
  const next = localPath(textField(request.query, "next"));
  const { state, codeChallenge } = await beginAttempt(web, reply, { next, display, confirms, alone: asks("alone") });
  const canAsk = (confirms !== undefined || hasLoggedOut(web, request)) && (await asksForPasswords(web));
  const url = web.authHost.authorizationUrl({
    clientId,
    redirectUri: redirectUri(web),
    state,
    codeChallenge,
    display,
    freshLogin: confirms !== undefined || canAsk,
    alwaysPrompt: confirms ? !canAsk : asks("switch"),
  });
  if (display === "webpopup") keepOpener(reply);
  return reply.header("referrer-policy", "no-referrer").redirect(url, 303);
}

/**
 * Whether another site leads the browser here. The directory may send somebody straight back who has said yes before
 * (interface, rule 1): a log-in is begun by the person who sits there, and by no page elsewhere.
 */
function isFromElsewhere({ headers }: FastifyRequest): boolean {
  const site = headers["sec-fetch-site"];
  return site !== undefined && site !== "same-origin" && site !== "none";
}

function offerLogin({ authHost }: Web, reply: FastifyReply): FastifyReply {
  const directory = new URL(authHost.url).host;
  return sendView(reply, "login/begin", { title: "Log in", nav: "none", address: reply.request.url, directory });
}

/** Whether the directory asks for the password when told to. The others at least ask something, at /oauth2/authorize. */
const asksForPasswords = ({ authHost }: Web): Promise<boolean> =>
  authHost.features().then(
    ({ freshLogin }) => freshLogin,
    () => false,
  );

/** As asked for, where it is a kind we know how to end; otherwise phones get what is made for fingers. */
function displayFor({ query, headers }: FastifyRequest): Display | undefined {
  const asked = textField(query, "display");
  if (asked === "webpopup" || asked === "touch") return asked;
  const isPhone = headers["sec-ch-ua-mobile"] === "?1" || /\bMobi/.test(headers["user-agent"] ?? "");
  return isPhone ? "touch" : undefined;
}

/** Browsers that load ahead must not use up a log-in that the person has not asked for (attacks A24). */
export async function refusePrefetch(request: FastifyRequest): Promise<void> {
  const purpose = [request.headers["sec-purpose"], request.headers.purpose, request.headers["x-moz"]].join();
  if (/prefetch|prerender|preview/i.test(purpose))
    throw new KnownError(425, "too_early", "This page is not loaded ahead of time. Open it to go on.");
}
