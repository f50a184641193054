import type { FastifyRequest } from "fastify";
import { sha256 } from "../../shared/crypto.ts";
import type { DirectoryDeps } from "../deps.ts";
import { type SignedInUser, signedInUser } from "./session/signed-in.ts";
import type { WaitingRequest } from "./waiting-requests.ts";

declare module "fastify" {
  interface Session {
    /** Id of the request that the log-in of this session was for. */
    loggedInFor?: string | undefined;
  }
}

/** Who may answer a request, with the time of the log-in that was made for it, if it asked for one. */
export type Answerer = SignedInUser & { authTime?: Date };

/**
 * Who may answer the request: whoever is signed in, but where it asks for a fresh log-in (prompt=login) only who has given
 * the password for this very request, whose id nobody knew before it came in. A log-in before it does not count, nor one
 * since then for something else, in another tab or by somebody else: a request made ready in advance would otherwise be
 * answered for a person who has just logged in and left.
 *
 * @returns `handle` of who is signed in, whether they may or not; empty when nobody is
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

/** When this session was begun, by the database's clock, if that was for the request. */
async function loggedInAt(
  { pool }: Pick<DirectoryDeps, "pool">,
  { session }: FastifyRequest,
  requestId: string,
): Promise<Date | undefined> {
  const { rows } = await pool.query<{ authTime: Date }>({
    name: "logged-in-for-request",
    text: `SELECT created_at AS "authTime" FROM directory.session WHERE id_hash = $1 AND data->>'loggedInFor' = $2`,
    values: [sha256(session.sessionId), requestId],
  });
  return rows[0]?.authTime;
}
