import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { progressOf } from "../../../harmonize/results/progress.ts";
import { findHarmonization, isAtWork } from "../../../harmonize/run/harmonizations.ts";
import { publicIdOf, sessionsOf } from "../../../http/pages/sessions.ts";
import type { Language } from "../../../language/languages.ts";
import { currentLanguage, inLanguage, t } from "../../../language/translate.ts";
import { KnownError } from "../../../shared/errors.ts";
import type { Web } from "../../base/deps.ts";
import { isRefused, type Member } from "../../base/members.ts";
import { SESSION_LIMITS } from "../../settings/own-sessions.ts";
import type { Seen } from "../base/guards.ts";
import { progressView, stageOf } from "./progress.ts";

const EVERY_MS = 1000;
/** Proxies close streams that are silent for longer. */
const HEARTBEAT_MS = 15_000;
/** Per session; a browser opens at most six connections to a host. */
const MOST_STREAMS = 4;

/** The open streams of a server, counted by the public id of their session. */
interface Streams {
  open: Map<string, number>;
  closing: AbortSignal;
}

declare module "fastify" {
  interface FastifyInstance {
    progressStreams: Streams;
  }
}

export async function keepStreams(scope: FastifyInstance): Promise<void> {
  const closing = new AbortController();
  scope.addHook("preClose", async () => closing.abort());
  scope.decorate("progressStreams", { open: new Map(), closing: closing.signal });
}

/**
 * `GET /harmonizations/:id/events`: progress as server-sent events. `data` is `progressView` as JSON, sent on changes;
 * empty if nothing runs but the positions are still to be judged. `shown` is the stage that the page shows. The event
 * `over` means that the page must be reloaded: the stage has changed, or the reader may no longer see it. The stream
 * ends then, with the session, and with the server.
 */
export async function sendEvents(web: Web, request: FastifyRequest, reply: FastifyReply, { member, h }: Seen) {
  const { open, closing } = request.server.progressStreams;
  reply.type("text/event-stream").header("x-accel-buffering", "no");
  if (request.method === "HEAD") return reply.send("");
  const session = publicIdOf(request.session.sessionId);
  const streams = (open.get(session) ?? 0) + 1;
  if (streams > MOST_STREAMS) throw tooMany();
  open.set(session, streams);
  const gone = new AbortController();
  reply.raw.once("close", () => {
    gone.abort();
    const left = (open.get(session) ?? 1) - 1;
    if (left > 0) open.set(session, left);
    else open.delete(session);
  });
  const signal = AbortSignal.any([closing, gone.signal]);
  const language = currentLanguage();
  const { shown = stageOf(h) } = request.query as { shown?: string };
  return reply.send(Readable.from(events(web, { request, member, language, session, id: h.id, shown, signal })));
}

interface Reader {
  request: FastifyRequest;
  member: Member;
  language: Language;
  session: string;
  id: string;
  shown: string;
  /** Aborted when the reader or the server is gone. */
  signal: AbortSignal;
}

async function* events(
  web: Web,
  { request, member, language, session, id, shown, signal }: Reader,
): AsyncGenerator<string> {
  let last = "";
  let saidAt = performance.now();
  yield `retry: ${5 * EVERY_MS}\n\n`;
  try {
    while (!signal.aborted) {
      const isReader = (await isLive(web, member, session)) && !(await isRefused(web, member));
      const now = isReader && (await findHarmonization(web.harmonizer, member, id));
      if (!now || stageOf(now) !== shown) return yield OVER;
      const counted = isAtWork(now) ? await progressOf(web.harmonizer, now) : undefined;
      // Reading the stream leaves the context of the request.
      const progress = counted ? inLanguage(language, () => progressView(now, counted)) : {};
      const text = JSON.stringify(progress);
      const isNews = text !== last;
      if (isNews || performance.now() - saidAt > HEARTBEAT_MS) {
        yield isNews ? `data: ${text}\n\n` : ": still at it\n\n";
        last = text;
        saidAt = performance.now();
      }
      await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  } catch (err) {
    request.log.warn({ err }, "a progress stream ended"); // the browser reconnects
  }
}

const OVER = "event: over\ndata: {}\n\n";

/** Disabling an account ends its sessions too. */
async function isLive({ pool }: Web, { id }: Member, session: string): Promise<boolean> {
  const sessions = await sessionsOf(pool, "app", id, SESSION_LIMITS);
  return sessions.some(({ publicId }) => publicId === session);
}

const tooMany = () =>
  new KnownError(429, "rate_limit_exceeded", t("Too many tabs are following the progress. Close some of them."), {
    headers: { "retry-after": "10" },
  });
