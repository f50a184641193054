import type { FastifyInstance, FastifyRequest } from "fastify";
import { callback } from "../../../contract/common-parameters.ts";
import type { LatLng } from "../../../contract/parameters.ts";
import { badRequest } from "../../../shared/errors.ts";
import { countVisits } from "../../checkins.ts";
import type { Caller } from "../../endpoint/credentials.ts";
import type { ApiDeps } from "../../endpoint/declaration.ts";
import { sourcesOf } from "../../sources.ts";
import type { Presentation } from "../../venues/present.ts";
import type { VenueRow } from "../../venues/rows.ts";

/** `from` is the `ll` of the call. */
export async function presentationFor(
  { config, pool }: Pick<ApiDeps, "config" | "pool">,
  { userId }: Pick<Caller, "userId">,
  venues: Pick<VenueRow, "id" | "sourceId">[],
  from?: LatLng,
): Promise<Presentation> {
  const ids = venues.map(({ id }) => id);
  const visits = userId === undefined ? undefined : await countVisits(pool, userId, ids);
  const sources = await sourcesOf(pool, venues);
  return { baseUrl: config.api.url, from, visits, sources, now: new Date() };
}

/**
 * JSONP (wire-format 1) for GET and POST, because the Java client sends `callback` with every call. The HTTP status is
 * 200 except for 5xx, because script elements cannot read other responses; `meta.code` keeps the original.
 */
export function answerJsonp(app: FastifyInstance): void {
  app.addHook("onRequest", async (request) => {
    const asked = callbackOf(request);
    if (asked === undefined || isName(asked)) return;
    throw badRequest("callback must be one function name, given once.");
  });

  app.addHook("onSend", async (request, reply, payload) => {
    const name = callbackOf(request);
    const isJson = /^application\/json\b/.test(String(reply.getHeader("content-type")));
    if (!isName(name) || !isJson || typeof payload !== "string") return payload;
    reply.type("text/javascript; charset=utf-8");
    if (reply.statusCode < 500) reply.code(200);
    return `${name}(${asScript(payload)});`;
  });
}

function callbackOf({ method, query }: FastifyRequest): unknown {
  const { callback } = query as { callback?: unknown };
  return callback === "" || !["GET", "POST"].includes(method) ? undefined : callback;
}

/** The Java client removes the name and a bracket by length, so nothing may precede them. */
const isName = (name: unknown): name is string => name !== undefined && callback.safeParse(name).success;

/** Escapes what is unsafe in scripts: U+2028 and U+2029 end a line in old engines, `<` can end the script element. */
const asScript = (json: string): string =>
  json.replace(/[<\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
