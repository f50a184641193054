import type { FastifyInstance, FastifyRequest } from "fastify";
import { callback } from "../../contract/common-parameters.ts";
import { KnownError } from "../../shared/errors.ts";

/**
 * JSONP (wire-format 1): with `callback=NAME` in the query every JSON answer, errors too, comes as `NAME(<json>);`. The
 * HTTP status is then 200 unless the fault is ours, because a script element cannot read another; `meta.code` keeps the
 * true one. By POST as well: the Java client asks for it on every call.
 */
export function answerJsonp(app: FastifyInstance): void {
  app.addHook("onRequest", async (request) => {
    const asked = callbackOf(request);
    if (asked === undefined || isName(asked)) return;
    throw new KnownError(400, "param_error", "callback must be the name of a function, given once.");
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

/** The Java client cuts its name and a bracket from the front by length: nothing else may stand there. */
const isName = (name: unknown): name is string => name !== undefined && callback.safeParse(name).success;

/** JSON as it may stand in any script: U+2028 and U+2029 end a line in older ones, `<` may end the element around it. */
const asScript = (json: string): string =>
  json.replace(/[<\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
