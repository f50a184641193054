import type { FastifyReply, FastifyRequest } from "fastify";
import { sha256 } from "../../../shared/crypto.ts";
import { notFound } from "../../../shared/errors.ts";
import type { DirectoryDeps } from "../../deps.ts";
import { type ApplicationDeps, type Call, signedIn } from "../applications/owned.ts";

/** A page for the directory's operators (OPERATORS); 404 for everybody else who is logged in. */
export function operatorsOnly(deps: ApplicationDeps, answer: (call: Call) => Promise<FastifyReply>) {
  return signedIn(deps, async (call) => {
    if (!call.user.isOperator) throw notFound();
    return answer(call);
  });
}

/** Whether they logged in with their password in the last ten minutes, which every change by an operator needs. */
export async function isFreshLogin(
  { pool }: Pick<DirectoryDeps, "pool">,
  { session }: FastifyRequest,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "is-fresh-login",
    text: `SELECT FROM directory.session
            WHERE id_hash = $1 AND user_id IS NOT NULL AND created_at > now() - interval '10 minutes'`,
    values: [sha256(session.sessionId)],
  });
  return rowCount === 1;
}
