import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    who?: Named;
    handler?: Named;
  }
}

type Answer = FastifyReply | Promise<FastifyReply>;

/** `granted` is what the route's guard has found out about the caller. */
export type Handler<Deps, Granted = undefined> = (
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  granted: Granted,
) => Answer;

/** Returns where a caller goes after logging in. */
export type ReturnTo = (request: FastifyRequest) => string;

/** Passes authorized callers to the handler, and responds to all others itself. */
export type Guard<Deps, Granted> = (
  deps: Deps,
  handler: Handler<Deps, Granted>,
  returnTo?: ReturnTo,
) => (request: FastifyRequest, reply: FastifyReply) => Answer;

export const anyone =
  <Deps>(deps: Deps, handler: Handler<Deps>): ReturnType<Guard<Deps, undefined>> =>
  (request, reply) =>
    handler(deps, request, reply, undefined);

interface Options<Deps> {
  returnTo?: ReturnTo;
  cost?: FastifyContextConfig["cost"];
  /** In bytes. */
  bodyLimit?: number;
  /** False if a GET has an effect; HEAD then returns 405. */
  answersHead?: false;
  check?: (request: FastifyRequest) => Promise<void>;
  isOn?: (deps: Deps) => boolean;
  prepare?: (scope: FastifyInstance, deps: Deps) => Promise<void>;
}

export interface Route<Deps> {
  method: Method;
  path: string;
  who: Named;
  handler: Named;
  options: Options<Deps>;
  answerWith(deps: Deps): ReturnType<Guard<Deps, unknown>>;
}

type Method = "GET" | "POST" | "DELETE";

type Named = { readonly name: string };

export function rowsFor<Deps>() {
  const row =
    (method: Method) =>
    <Granted>(
      path: string,
      who: Guard<Deps, Granted>,
      handler: Handler<Deps, NoInfer<Granted>>,
      options: Options<Deps> = {},
    ): Route<Deps> => ({
      method,
      path,
      who,
      handler,
      options,
      answerWith: (deps) => who(deps, handler, options.returnTo),
    });
  return { get: row("GET"), post: row("POST"), del: row("DELETE") };
}

export async function registerRoutes<Deps>(
  app: FastifyInstance,
  deps: Deps,
  routes: readonly Route<Deps>[],
): Promise<void> {
  for (const { method, path, who, handler, options, answerWith } of routes) {
    const { cost, bodyLimit, answersHead, check, isOn, prepare } = options;
    if (isOn && !isOn(deps)) continue;
    const route = {
      method,
      url: path.slice(app.prefix.length),
      handler: answerWith(deps),
      config: { who, handler, ...(cost && { cost }) },
      ...(bodyLimit && { bodyLimit }),
      ...(check && { preHandler: check }),
      ...(answersHead === false && { exposeHeadRoute: false }),
    };
    if (!prepare) app.route(route);
    else
      await app.register(async (scope) => {
        await prepare(scope, deps);
        scope.route(route);
      });
  }
}
