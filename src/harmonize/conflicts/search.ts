import type { Client } from "pg";
import { withOwnConnection } from "../../db/own-connection.ts";
import { execute, sql } from "../../db/sql.ts";
import { unlessUnavailable } from "../../db/unavailable.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { sendEarly } from "../run/queue.ts";
import { FEW_LISTINGS, type Findings, findAll, findConflicts } from "./conflicts.ts";
import { idsOf, type Look, rowsLookedAt } from "./look.ts";

export interface ConflictSearch {
  findings: Findings | undefined;
  foundAt: Date | undefined;
  /** Listings searched so far; undefined if no search runs. */
  done: number | undefined;
}

type Deps = Pick<Harmonizer, "prisma" | "pool" | "queue" | "directoryUrl">;

/** Searches up to FEW listings at once. For more, returns a worker's last search, and requests one if outdated. */
export async function conflictsOf(deps: Deps, h: Harmonization): Promise<ConflictSearch> {
  const few = h.listingCount <= FEW_LISTINGS ? await findConflicts(deps, h).catch(unlessUnavailable) : undefined;
  if (few) return { findings: few, foundAt: undefined, done: undefined };
  const row = await deps.prisma.conflictSearch.findUnique({ where: { harmonizationId: h.id } });
  if (!row?.wantedAt && row?.basis !== basisOf(h)) await wantConflicts(deps, h);
  const isWanted = row?.wantedAt || row?.basis !== basisOf(h);
  const findings = (row?.findings ?? undefined) as Findings | undefined;
  return { findings, foundAt: row?.foundAt ?? undefined, done: isWanted ? (row?.done ?? 0) : undefined };
}

const basisOf = ({ acceptFrom, reviewFrom, matchedAt }: Harmonization): string =>
  JSON.stringify([acceptFrom, reviewFrom, matchedAt]);

/** Requests a search, unless one is due. Keeps the old findings until it is done. */
export async function wantConflicts(
  { pool, queue }: Pick<Deps, "pool" | "queue">,
  { id }: { id: string },
): Promise<void> {
  await execute(pool)`
    INSERT INTO app.conflict_search AS s (harmonization_id, wanted_at) VALUES (${id}, now())
     ON CONFLICT (harmonization_id) DO UPDATE SET wanted_at = now(), done = 0 WHERE s.wanted_at IS NULL`;
  await sendEarly(queue, { kind: "conflicts", harmonizationId: id });
}

const STATEMENT_MS = 120_000;
const STRETCH = 20_000;

/** The task `conflicts`. Restarts if interrupted. */
export async function searchConflicts(
  deps: Pick<Harmonizer, "prisma" | "pool" | "databaseUrl" | "directoryUrl">,
  h: Harmonization,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  const rowCount = await execute(deps)`
    SELECT FROM app.conflict_search WHERE harmonization_id = ${h.id} AND wanted_at IS NOT NULL`;
  if (rowCount === 0) return;
  const options = { name: "conflicts", statementMs: STATEMENT_MS, signal };
  const findings = await withOwnConnection(deps.databaseUrl, options, async (client) => {
    await execute(client)`BEGIN`; // a pooler then keeps the connection
    const note = (done: number) =>
      execute(deps)`UPDATE app.conflict_search SET done = ${done} WHERE harmonization_id = ${h.id}`;
    return findAll(deps, await lookThrough(client, h, note), h);
  });
  await execute(deps)`
    UPDATE app.conflict_search SET findings = ${JSON.stringify(findings)}::jsonb, basis = ${basisOf(h)}, found_at = now(), wanted_at = NULL, done = 0
     WHERE harmonization_id = ${h.id}`;
}

async function lookThrough(client: Client, h: Harmonization, note: (done: number) => Promise<unknown>): Promise<Look> {
  await execute(client)`CREATE TEMP TABLE looked ON COMMIT DROP AS ${rowsLookedAt(h, 0, 0)}`;
  for (let after = 0; after < h.listingCount; after += STRETCH) {
    await execute(client)`INSERT INTO looked ${rowsLookedAt(h, after, after + STRETCH)}`;
    await note(Math.min(after + STRETCH, h.listingCount));
  }
  await execute(client)`ANALYZE looked`;
  await execute(client)`CREATE TEMP TABLE ids ON COMMIT DROP AS ${idsOf(sql`looked`)}`;
  await execute(client)`CREATE INDEX ON ids (here)`;
  await execute(client)`ANALYZE ids`;
  return { db: client, from: sql`looked`, ids: sql`ids` };
}
