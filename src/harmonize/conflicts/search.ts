import type { Client } from "pg";
import { withOwnConnection } from "../../db/own-connection.ts";
import { unlessUnavailable } from "../../db/unavailable.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { sendEarly } from "../run/queue.ts";
import { FEW, type Findings, findAll, findConflicts } from "./conflicts.ts";
import { idsOf, type Look, lookAt } from "./look.ts";

export interface ConflictSearch {
  findings: Findings | undefined;
  foundAt: Date | undefined;
  /** Listings searched so far; undefined if no search runs. */
  done: number | undefined;
}

type Deps = Pick<Harmonizer, "prisma" | "pool" | "queue" | "directoryUrl">;

/** Searches up to FEW listings at once. For more, returns a worker's last search, and requests one if outdated. */
export async function conflictsOf(deps: Deps, h: Harmonization): Promise<ConflictSearch> {
  const few = h.listingCount <= FEW ? await findConflicts(deps, h).catch(unlessUnavailable) : undefined;
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
  await pool.query(
    `INSERT INTO app.conflict_search AS s (harmonization_id, wanted_at) VALUES ($1, now())
     ON CONFLICT (harmonization_id) DO UPDATE SET wanted_at = now(), done = 0 WHERE s.wanted_at IS NULL`,
    [id],
  );
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
  const { rowCount } = await deps.pool.query(
    "SELECT FROM app.conflict_search WHERE harmonization_id = $1 AND wanted_at IS NOT NULL",
    [h.id],
  );
  if (rowCount === 0) return;
  const options = { name: "conflicts", statementMs: STATEMENT_MS, signal };
  const findings = await withOwnConnection(deps.databaseUrl, options, async (client) => {
    await client.query("BEGIN"); // a pooler then keeps the connection
    const note = (done: number) =>
      deps.pool.query("UPDATE app.conflict_search SET done = $2 WHERE harmonization_id = $1", [h.id, done]);
    return findAll(deps, await lookThrough(client, h, note), h);
  });
  await deps.pool.query(
    `UPDATE app.conflict_search SET findings = $2, basis = $3, found_at = now(), wanted_at = NULL, done = 0
      WHERE harmonization_id = $1`,
    [h.id, findings, basisOf(h)],
  );
}

async function lookThrough(client: Client, h: Harmonization, note: (done: number) => Promise<unknown>): Promise<Look> {
  await client.query(`CREATE TEMP TABLE looked ON COMMIT DROP AS ${lookAt(h, 0, 0)}`);
  for (let after = 0; after < h.listingCount; after += STRETCH) {
    await client.query(`INSERT INTO looked ${lookAt(h, after, after + STRETCH)}`);
    await note(Math.min(after + STRETCH, h.listingCount));
  }
  await client.query("ANALYZE looked");
  await client.query(`CREATE TEMP TABLE ids ON COMMIT DROP AS ${idsOf("looked")}`);
  await client.query("CREATE INDEX ON ids (here)");
  await client.query("ANALYZE ids");
  return { from: "looked", ids: "ids", ask: async (text) => (await client.query(text)).rows };
}
