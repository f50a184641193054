import { DirectoryError } from "../../directory-client/errors.ts";
import type { Web } from "../base/deps.ts";

/**
 * What the directory does with the `state` of a log-in, which says who began it. The interface does not show `state`, so a
 * directory may drop it; RFC 6749 has it given back.
 *
 * - `echoes`: an answer without it is not the directory's, and is refused
 * - `drops`: no answer has it, so the one log-in that waits in this browser is what it answers
 * - `unknown`: a person has to say that they began it
 */
export type StateHandling = "echoes" | "drops" | "unknown";

/**
 * Without metadata of the directory what was learnt from its answers decides. Where there is neither, because the
 * directory cannot be reached, it counts as `echoes`: in doubt nobody is logged in.
 */
export async function stateHandling({ prisma, authHost }: Pick<Web, "prisma" | "authHost">): Promise<StateHandling> {
  const known = await prisma.knownDirectory.findUnique({ where: { authUrl: authHost.url } });
  const learnt = known?.state;
  if (learnt === "echoes") return "echoes";
  const features = await authHost.features().catch((error) => {
    if (error instanceof DirectoryError) return undefined;
    throw error;
  });
  if (features?.echoesState) return "echoes";
  return learnt ?? (features ? "unknown" : "echoes");
}

/**
 * Remembers how a log-in succeeded. Who has once given `state` back is never taken for one that drops it: otherwise an
 * answer with its `state` cut off would open the door to strangers' codes (attacks A02). The price is that somebody who
 * writes their `state` into the answer of a directory that drops it shuts the door on everybody, until the operator deletes
 * the row; that is the better mistake.
 */
export async function learnStateHandling(
  { pool, authHost }: Pick<Web, "pool" | "authHost">,
  seen: "echoes" | "drops",
): Promise<void> {
  await pool.query(
    `INSERT INTO app.known_directory AS known (auth_url, state) VALUES ($1, $2::app.state_handling)
     ON CONFLICT (auth_url) DO UPDATE SET state = excluded.state, since = now()
     WHERE known.state = 'drops' AND excluded.state = 'echoes'`,
    [authHost.url, seen],
  );
}
