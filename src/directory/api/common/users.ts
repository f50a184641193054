import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { userResponse } from "../../../contract/resources.ts";
import { badRequest, notFound } from "../../../shared/errors.ts";
import type { ApiDeps } from "../../endpoint/declaration.ts";
import { userEndpoint } from "../../endpoint/endpoint.ts";
import type { TokenPair } from "../../tokens.ts";
import { epochSeconds } from "../../venues/present.ts";

/** GET /v2/users/self: not in the interface, but every log-in library calls it (wire-format 10). */
export function registerUsers(app: FastifyInstance, deps: ApiDeps): void {
  userEndpoint(app, deps, {
    methods: ["GET"],
    path: "/v2/users/:id",
    mayMiss: true,
    summary: "The user whose token it is",
    parameters: z.object({}),
    response: userResponse,
    example: ({ user }) => ({ user }),
    answer: async ({ caller, id }) => {
      if (NOT_HERE.test(id)) throw notFound(`There is no endpoint /v2/users/${id}.`);
      requireSelf(caller, id);
      return { user: await presentSelf(deps, caller.userId) };
    },
  });
}

/** Endpoints of the service that this directory does not have. */
const NOT_HERE = /^(?:leaderboard|requests|search)$/i;

/** @throws KnownError 400 param_error for any other user */
export function requireSelf({ userId }: TokenPair, id: string): void {
  if (id !== "self" && id !== userId) throw badRequest("You may not see this user. Use self as the id.");
}

/** `contact`, `photo`, `checkins` and `friends` are always objects, because clients index into them. */
async function presentSelf({ prisma, config }: ApiDeps, id: string) {
  const user = await prisma.user.findUniqueOrThrow({
    where: { id },
    include: { _count: { select: { checkins: true } } },
  });
  return {
    id: user.id,
    handle: user.handle,
    firstName: user.firstName ?? user.handle,
    ...(user.lastName !== null && { lastName: user.lastName }),
    gender: "none",
    relationship: "self",
    type: "user",
    photo: { prefix: `${config.api.url}/icons/users_`, suffix: ".svg" },
    homeCity: user.homeCity ?? "",
    bio: "",
    contact: user.email === null ? {} : { email: user.email },
    checkins: { count: user._count.checkins, items: [] },
    friends: { count: 0, groups: [] },
    createdAt: epochSeconds(user.createdAt),
  };
}
