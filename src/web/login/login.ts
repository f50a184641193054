import type { FastifyReply, FastifyRequest } from "fastify";
import type { Display } from "../../directory-client/auth-host.ts";
import { textField } from "../../http/pages/forms.ts";
import { sendView } from "../../http/pages/views.ts";
import { t } from "../../language/translate.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Web } from "../base/deps.ts";
import { localPath } from "../base/local-path.ts";
import { currentMember } from "../base/members.ts";
import { beginAttempt, redirectUri } from "./attempts.ts";
import { keepOpener } from "./callback.ts";
import { hasLoggedOut } from "./logged-out.ts";
import { loginProblem } from "./problems.ts";

/**
 * `/login`: starts the code flow (interface, "User authorization"). `next` is the page to go to afterwards. `switch=1`
 * lets the person choose another account. `confirm=1` asks a logged-in person for their password again; their session
 * records when. `alone=1` forgets the other log-ins of this browser. `display` is passed on.
 */
export async function startLogin(web: Web, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (isFromElsewhere(request)) return offerLogin(web, reply);
  const asks = (name: string) => textField(request.query, name) === "1";
  const { clientId } = await web.credentials();
  const display = displayFor(request);
  const confirms = asks("confirm") ? (await currentMember(web, request))?.id : undefined;
  const next = localPath(textField(request.query, "next"));
  // Otherwise the browser would show an error page of its own.
  const cause = await web.authHost.whyUnreachable();
  if (cause) {
    const attempt = { next, display: display ?? null, confirms: confirms ?? null };
    return loginProblem(reply, "unreachable", { attempt, cause });
  }
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
 * Whether another site led the browser here. The directory may redirect people back without asking (interface, rule 1),
 * so only the person in front of the browser may start a log-in.
 */
function isFromElsewhere({ headers }: FastifyRequest): boolean {
  const site = headers["sec-fetch-site"];
  return site !== undefined && site !== "same-origin" && site !== "none";
}

function offerLogin({ authHost }: Web, reply: FastifyReply): FastifyReply {
  const directory = new URL(authHost.url).host;
  return sendView(reply, "login/begin", { title: t("Log in"), nav: "none", address: reply.request.url, directory });
}

/** Whether the directory supports asking for the password again. Others at least prompt at /oauth2/authorize. */
const asksForPasswords = ({ authHost }: Web): Promise<boolean> =>
  authHost.features().then(
    ({ freshLogin }) => freshLogin,
    () => false,
  );

/** The requested display if it is supported; otherwise `touch` for phones. */
function displayFor({ query, headers }: FastifyRequest): Display | undefined {
  const asked = textField(query, "display");
  if (asked === "webpopup" || asked === "touch") return asked;
  const isPhone = headers["sec-ch-ua-mobile"] === "?1" || /\bMobi/.test(headers["user-agent"] ?? "");
  return isPhone ? "touch" : undefined;
}

/** A browser that loads pages in advance must not use up a log-in (attacks A24). */
export async function refusePrefetch(request: FastifyRequest): Promise<void> {
  const purpose = [request.headers["sec-purpose"], request.headers.purpose, request.headers["x-moz"]].join();
  if (/prefetch|prerender|preview/i.test(purpose))
    throw new KnownError(425, "too_early", t("The log-in cannot be loaded in advance. Open the page to log in."));
}
