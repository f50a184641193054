import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { KnownError } from "../errors.ts";
import { textField } from "../http/forms.ts";
import { signOut } from "../http/sessions.ts";
import { beginAttempt, redirectUri } from "./attempts.ts";
import { finishLogin } from "./callback.ts";
import type { Web } from "./deps.ts";
import { localPath } from "./local-path.ts";

/** Log-in by the code flow (interface, "User authorization"), and log-out. */
export function registerLogin(app: FastifyInstance, web: Web): void {
  const onlyWhenAsked = { preHandler: refusePrefetch, exposeHeadRoute: false };
  app.get("/login", onlyWhenAsked, (request, reply) => startLogin(web, request, reply));
  app.get("/login/callback", onlyWhenAsked, (request, reply) => finishLogin(web, request, reply));
  app.post("/logout", async (request, reply) => {
    await signOut(request);
    return reply.redirect("/?loggedout=1", 303);
  });
}

/** `next` is where to go afterwards; `switch=1` lets the person pick another account. */
async function startLogin(web: Web, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { state, codeChallenge } = await beginAttempt(web, request, reply, localPath(textField(request.query, "next")));
  const { clientId } = await web.credentials();
  const url = web.authHost.authorizationUrl({
    clientId,
    redirectUri: redirectUri(web),
    state,
    codeChallenge,
    prompt: textField(request.query, "switch") === "1",
  });
  return reply.header("referrer-policy", "no-referrer").redirect(url, 303);
}

/** Browsers that load ahead must not use up a log-in that the person has not asked for (attacks A24). */
async function refusePrefetch(request: FastifyRequest): Promise<void> {
  const purpose = [request.headers["sec-purpose"], request.headers.purpose, request.headers["x-moz"]].join();
  if (/prefetch|prerender|preview/i.test(purpose))
    throw new KnownError(425, "too_early", "This page is not loaded ahead of time. Open it to go on.");
}
