import type { PauseReason } from "../../db/generated/enums.ts";
import { execute, prepared, sql } from "../../db/sql.ts";
import type { Auth } from "../../directory-client/calls/answers.ts";
import type { DirectoryError, DirectoryErrorKind } from "../../directory-client/calls/errors.ts";
import type { Harmonizer } from "./deps.ts";
import { ASKED_AS, AT_WORK, type Harmonization } from "./harmonizations.ts";
import { type Problem, problemOf } from "./problems/problems.ts";

type Deps = Pick<Harmonizer, "pool" | "directoryUrl" | "tokenRefused">;
type Of = Pick<Harmonization, "id" | "accountId">;

/** Silence after which matching pauses until somebody resumes it. */
const PATIENCE_SECONDS = 600;
const LONGEST_WAIT_SECONDS = 60;

/**
 * Holds up all work of `accountId` after a refusal: until the time the directory gave (attacks F08), until the owner
 * connects again (F10), or until somebody resumes it. If the application is not enabled, the supervision retries.
 * Existing pauses stay.
 */
export async function holdUp(deps: Deps, h: Pick<Of, "accountId">, auth: Auth, error: DirectoryError): Promise<void> {
  const { kind, retryAfter = 60 } = error;
  if (kind === "refused_token" && h.accountId !== null) await deps.tokenRefused(h.accountId, auth);
  const isLater = kind === "rate_limited";
  const refusal = kind === "not_enabled" ? { refusal: problemOf(error) } : null;
  const json = sql`${refusal && JSON.stringify(refusal)}::jsonb`;
  await execute(deps)`
    UPDATE app.harmonization AS h
       SET task = CASE WHEN state <> 'matching' THEN task || coalesce(${json}, '{}'::jsonb) ELSE ${json} END,
           retry_at = CASE WHEN ${isLater || refusal !== null} THEN greatest(retry_at, now() + make_interval(secs => ${retryAfter})) ELSE retry_at END,
           paused_for = CASE WHEN ${isLater} THEN paused_for ELSE coalesce(paused_for, ${PAUSE[kind] ?? "directory"}::app.pause_reason) END
     WHERE directory = ${deps.directoryUrl} AND ${ASKED_AS} IS NOT DISTINCT FROM ${h.accountId}::text AND state::text = ANY(${AT_WORK})`;
}

const PAUSE: { [Kind in DirectoryErrorKind]?: PauseReason } = {
  refused_token: "connection",
  not_enabled: "application",
};

export function refusalOf({ pausedFor, task }: Pick<Harmonization, "pausedFor" | "task">): Problem | undefined {
  return pausedFor === "application" ? (task as { refusal?: Problem } | null)?.refusal : undefined;
}

/** Pauses for lack of a token or, without an owner, of client credentials. */
export async function pauseForAuth({ prisma }: Pick<Harmonizer, "prisma">, { id, accountId }: Of): Promise<void> {
  const pausedFor = accountId === null ? "directory" : "connection";
  await prisma.harmonization.updateMany({ where: { id, state: "matching", pausedFor: null }, data: { pausedFor } });
}

/** Delays the next call, ever longer, after one without a response. Pauses after PATIENCE_SECONDS. */
export async function backOff({ pool }: Pick<Deps, "pool">, { id }: Of): Promise<void> {
  await execute(pool)`
    UPDATE app.harmonization
       SET task = jsonb_build_object('silentSince', now() - make_interval(secs => silence.seconds)),
           retry_at = greatest(retry_at, now() + make_interval(secs => least(${LONGEST_WAIT_SECONDS}, greatest(2, silence.seconds)))),
           paused_for = CASE WHEN silence.seconds > ${PATIENCE_SECONDS} THEN 'directory'::app.pause_reason END
      FROM (SELECT coalesce(extract(epoch FROM now() - (task->>'silentSince')::timestamptz), 0)::float8 AS seconds
              FROM app.harmonization WHERE id = ${id}) AS silence
     WHERE id = ${id} AND state = 'matching' AND paused_for IS NULL`;
}

export async function hasAnswered({ pool }: Pick<Deps, "pool">, { id }: Of): Promise<void> {
  await execute(prepared(pool))`
    UPDATE app.harmonization SET task = NULL WHERE id = ${id} AND state = 'matching' AND task IS NOT NULL`;
}
