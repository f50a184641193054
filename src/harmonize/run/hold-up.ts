import type { PauseReason } from "../../db/generated/enums.ts";
import type { Auth } from "../../directory-client/answers.ts";
import type { DirectoryError, DirectoryErrorKind } from "../../directory-client/errors.ts";
import { storable } from "./candidates.ts";
import type { Harmonizer } from "./deps.ts";
import { ASKED_AS, AT_WORK, type Harmonization } from "./harmonizations.ts";

type Deps = Pick<Harmonizer, "pool" | "directoryUrl" | "tokenRefused">;
type Of = Pick<Harmonization, "id" | "accountId">;

/** A directory that has not answered anything for so long is left alone until somebody says that it is back. */
const PATIENCE_SECONDS = 600;
const LONGEST_WAIT_SECONDS = 60;

/**
 * Halts the work on everything that is asked in the same name, after a refusal that is a hold-up: until the time the
 * directory named (attacks F08), or until its owner has connected again (F10) or somebody says to go on. Where the
 * directory has not enabled the application, `task.refusal` is what it said, and the supervision tries again. A pause there
 * is already holds. The directory has said something: a silence is over.
 *
 * @param h of the account in whose name it was asked; null for the application itself
 */
export async function holdUp(
  deps: Deps,
  h: Pick<Of, "accountId">,
  auth: Auth,
  { kind, retryAfter = 60, message }: DirectoryError,
): Promise<void> {
  if (kind === "refused_token" && h.accountId !== null) await deps.tokenRefused(h.accountId, auth);
  const isLater = kind === "rate_limited";
  const refusal = kind === "not_enabled" ? { refusal: storable(message) } : null;
  await deps.pool.query(
    `UPDATE app.harmonization AS h
        SET task = CASE WHEN state <> 'matching' THEN task || coalesce($7, '{}'::jsonb) ELSE $7 END,
            retry_at = CASE WHEN $4 OR $7 IS NOT NULL THEN greatest(retry_at, now() + make_interval(secs => $5)) ELSE retry_at END,
            paused_for = CASE WHEN $4 THEN paused_for ELSE coalesce(paused_for, $6::app.pause_reason) END
      WHERE directory = $1 AND ${ASKED_AS} IS NOT DISTINCT FROM $2::text AND state::text = ANY($3)`,
    [
      ...[deps.directoryUrl, h.accountId, AT_WORK],
      ...[isLater, retryAfter, PAUSE[kind] ?? "directory", refusal && JSON.stringify(refusal)],
    ],
  );
}

const PAUSE: { [Kind in DirectoryErrorKind]?: PauseReason } = {
  refused_token: "connection",
  not_enabled: "application",
};

/** What the directory said to one that is held up because the application is not enabled. */
export function refusalOf({ pausedFor, task }: Pick<Harmonization, "pausedFor" | "task">): string | undefined {
  return pausedFor === "application" ? (task as { refusal?: string } | null)?.refusal : undefined;
}

/** There is nobody to ask as: its owner has to connect again; where there is none, the application has no credentials. */
export async function pauseForAuth({ prisma }: Pick<Harmonizer, "prisma">, { id, accountId }: Of): Promise<void> {
  const pausedFor = accountId === null ? "directory" : "connection";
  await prisma.harmonization.updateMany({ where: { id, state: "matching", pausedFor: null }, data: { pausedFor } });
}

/**
 * After a call without an answer: waits, longer each time, and gives up after ten minutes of nothing but that. `task` of a
 * harmonization that is matching says since when: `{ silentSince }`.
 */
export async function backOff({ pool }: Pick<Deps, "pool">, { id }: Of): Promise<void> {
  await pool.query(
    `UPDATE app.harmonization
        SET task = jsonb_build_object('silentSince', now() - make_interval(secs => silence.seconds)),
            retry_at = greatest(retry_at, now() + make_interval(secs => least($3, greatest(2, silence.seconds)))),
            paused_for = CASE WHEN silence.seconds > $2 THEN 'directory'::app.pause_reason END
       FROM (SELECT coalesce(extract(epoch FROM now() - (task->>'silentSince')::timestamptz), 0)::float8 AS seconds
               FROM app.harmonization WHERE id = $1) AS silence
      WHERE id = $1 AND state = 'matching' AND paused_for IS NULL`,
    [id, PATIENCE_SECONDS, LONGEST_WAIT_SECONDS],
  );
}

/** The directory has answered something: the next silence is a new one. */
export async function hasAnswered({ pool }: Pick<Deps, "pool">, { id }: Of): Promise<void> {
  const text = "UPDATE app.harmonization SET task = NULL WHERE id = $1 AND state = 'matching' AND task IS NOT NULL";
  await pool.query({ name: "has-answered", text, values: [id] });
}
