import type { FastifyRequest } from "fastify";
import { type Db, execute, prepared } from "../../../db/sql.ts";
import type { Guard } from "../../../http/routes.ts";
import { sha256 } from "../../../shared/crypto.ts";
import { notFound } from "../../../shared/errors.ts";
import { type AuthDeps, type Own, users } from "../base/session.ts";

/** Other users get 404. */
export const operators: Guard<AuthDeps, Own> = (deps, handler) =>
  users(deps, (_deps, request, reply, own) => {
    if (!own.user.isOperator) throw notFound();
    return handler(deps, request, reply, own);
  });

export async function isFreshLogin(db: Db, { session }: FastifyRequest): Promise<boolean> {
  const count = await execute(prepared(db))`
    SELECT FROM directory.session
     WHERE id_hash = ${sha256(session.sessionId)} AND user_id IS NOT NULL AND created_at > now() - interval '10 minutes'`;
  return count === 1;
}
