import { execute } from "../../db/sql.ts";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import type { Web } from "../base/deps.ts";

/**
 * What the directory does with the `state` of a log-in, which proves who started it. The interface does not show
 * `state`, so a directory may drop it; RFC 6749 requires it to be returned.
 *
 * - `echoes`: an answer without it is refused
 * - `drops`: an answer belongs to the single log-in that is waiting in this browser
 * - `unknown`: the person has to confirm that they started it
 */
export type StateHandling = "echoes" | "drops" | "unknown";

/**
 * Uses the directory's metadata, or otherwise what was learnt from its answers. Without either, because the directory
 * is unreachable, returns `echoes`: in doubt nobody is logged in.
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
 * Stores how a log-in succeeded. A directory that has once returned `state` never counts as one that drops it:
 * otherwise an answer with its `state` cut off would admit strangers' codes (attacks A02). The price: somebody who adds
 * their `state` to an answer of a directory that drops it locks everyone out until the operator deletes the row.
 */
export async function learnStateHandling(
  { pool, authHost }: Pick<Web, "pool" | "authHost">,
  seen: "echoes" | "drops",
): Promise<void> {
  await execute(pool)`
    INSERT INTO app.known_directory AS known (auth_url, state) VALUES (${authHost.url}, ${seen}::app.state_handling)
    ON CONFLICT (auth_url) DO UPDATE SET state = excluded.state, since = now()
    WHERE known.state = 'drops' AND excluded.state = 'echoes'`;
}
