import type { FastifyRequest } from "fastify";
import { prepared, queryRow } from "../../../db/sql.ts";
import type { SessionLimits } from "../../../http/sessions/session-store.ts";
import { isOperator } from "../../access.ts";
import type { DirectoryDeps } from "../../deps.ts";

/** Gets a prefix under https. */
export const SESSION_COOKIE = "samespot_directory";

const HOUR = 60 * 60;

/** A day without a request, or thirty days in all. */
export const SESSION_LIMITS: SessionLimits = { idleSeconds: 24 * HOUR, absoluteSeconds: 30 * 24 * HOUR };

/** `hasConsented` refers to one application. */
export interface SignedInUser {
  id: string;
  handle: string;
  name: string;
  hasConsented: boolean;
  isOperator: boolean;
}

/** Looks up the user on every request, so that disabling takes effect at once (attacks A17, B28). */
export async function signedInUser(
  { pool, operator }: Pick<DirectoryDeps, "pool" | "operator">,
  request: FastifyRequest,
  clientId?: string,
): Promise<SignedInUser | undefined> {
  const { owner } = request.session;
  if (owner === undefined) return undefined;
  const user = await queryRow<Omit<SignedInUser, "isOperator">>(prepared(pool))`
    SELECT u.id, u.handle, coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.handle) AS name,
           EXISTS (SELECT FROM directory.authorization a WHERE a.user_id = u.id AND a.client_id = ${clientId ?? null})
             AS "hasConsented"
      FROM directory."user" u WHERE u.id = ${owner} AND u.disabled_at IS NULL`;
  return user && { ...user, isOperator: isOperator(operator, user) };
}
