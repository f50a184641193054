import type { FastifyRequest } from "fastify";
import { type Db, prepared, queryRow } from "../../db/sql.ts";
import { sha256 } from "../../shared/crypto.ts";
import type { DirectoryDeps } from "../deps.ts";
import { type SignedInUser, signedInUser } from "./session/signed-in.ts";
import type { WaitingRequest } from "./waiting-requests.ts";

declare module "fastify" {
  interface Session {
    loggedInFor?: string | undefined;
  }
}

/** `authTime` is set if the request required a fresh log-in. */
export type Answerer = SignedInUser & { authTime?: Date };

/**
 * With prompt=login, only a user who has logged in for this very request may answer it. Otherwise, a prepared request
 * could be answered in the name of a user who has just logged in and left. Always returns the `handle` of the signed-in
 * user, or "".
 */
export async function whoAnswers(
  deps: Pick<DirectoryDeps, "pool">,
  call: FastifyRequest,
  waiting: Pick<WaitingRequest, "id" | "clientId" | "freshLogin">,
): Promise<{ answerer?: Answerer; handle: string }> {
  const user = await signedInUser(deps, call, waiting.clientId);
  if (!user) return { handle: "" };
  const { handle } = user;
  if (!waiting.freshLogin) return { answerer: user, handle };
  const authTime = await loggedInAt(deps, call, waiting.id);
  return authTime ? { answerer: { ...user, authTime }, handle } : { handle };
}

async function loggedInAt(db: Db, { session }: FastifyRequest, requestId: string): Promise<Date | undefined> {
  const row = await queryRow<{ authTime: Date }>(prepared(db))`
    SELECT created_at AS "authTime" FROM directory.session WHERE id_hash = ${sha256(session.sessionId)}
      AND data->>'loggedInFor' = ${requestId}`;
  return row?.authTime;
}
