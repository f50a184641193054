import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The guard of the route and its handler, as they stand in the table. */
    who?: Named;
    handler?: Named;
  }
}

type Answer = FastifyReply | Promise<FastifyReply>;

/** Answers a route. `granted` is what the route's guard has found out about the caller. */
export type Handler<Deps, Granted = undefined> = (
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  granted: Granted,
) => Answer;

/** Where somebody comes back to who has to log in first. */
export type ReturnTo = (request: FastifyRequest) => string;

/** Who may call a route: answers everybody else itself, and lets these through to the handler. */
export type Guard<Deps, Granted> = (
  deps: Deps,
  handler: Handler<Deps, Granted>,
  returnTo?: ReturnTo,
) => (request: FastifyRequest, reply: FastifyReply) => Answer;

/** No guard. */
export const anyone =
  <Deps>(deps: Deps, handler: Handler<Deps>): ReturnType<Guard<Deps, undefined>> =>
  (request, reply) =>
    handler(deps, request, reply, undefined);

interface Options<Deps> {
  /** For the guard; by default it decides itself. */
  returnTo?: ReturnTo;
  cost?: FastifyContextConfig["cost"];
  /** Bytes. */
  bodyLimit?: number;
  /** False where a GET has an effect: HEAD is then answered 405. */
  answersHead?: false;
  /** Runs before the handler, and throws to refuse the request. */
  check?: (request: FastifyRequest) => Promise<void>;
  /** Whether there is such a route, by the settings. */
  isOn?: (deps: Deps) => boolean;
  /** Prepares the scope of its own that the route then has. */
  prepare?: (scope: FastifyInstance) => Promise<void>;
}

/** A row of the table of a program's routes. */
export interface Route<Deps> {
  method: Method;
  path: string;
  who: Named;
  handler: Named;
  options: Options<Deps>;
  answerWith(deps: Deps): ReturnType<Guard<Deps, unknown>>;
}

type Method = "GET" | "POST" | "DELETE";

/** A function of the program, to be found by its name. */
type Named = { readonly name: string };

/** The ways to write a row: path, who may, handler. A handler that needs more than its guard grants does not compile. */
export function rowsFor<Deps>() {
  const row =
    (method: Method) =>
    <Granted>(
      path: string,
      who: Guard<Deps, Granted>,
      handler: Handler<Deps, NoInfer<Granted>>,
      options: Options<Deps> = {},
    ): Route<Deps> => ({
      ...{ method, path, who, handler, options },
      answerWith: (deps) => who(deps, handler, options.returnTo),
    });
  return { get: row("GET"), post: row("POST"), del: row("DELETE") };
}

/** Registers a table, in its order. Paths begin with the prefix of `app`, where it has one. */
export async function registerRoutes<Deps>(
  app: FastifyInstance,
  deps: Deps,
  routes: readonly Route<Deps>[],
): Promise<void> {
  for (const { method, path, who, handler, options, answerWith } of routes) {
    const { cost, bodyLimit, answersHead, check, isOn, prepare } = options;
    if (isOn && !isOn(deps)) continue;
    const route = {
      ...{ method, url: path.slice(app.prefix.length), handler: answerWith(deps) },
      config: { who, handler, ...(cost && { cost }) },
      ...(bodyLimit && { bodyLimit }),
      ...(check && { preHandler: check }),
      ...(answersHead === false && { exposeHeadRoute: false }),
    };
    if (!prepare) app.route(route);
    else
      await app.register(async (scope) => {
        await prepare(scope);
        scope.route(route);
      });
  }
}
