import { isHoldUp } from "../../directory-client/calls/errors.ts";
import { type Row, readRows } from "../../files/formats/table.ts";
import { WORTH_A_LOOK } from "../../matching/decide.ts";
import { randomId } from "../../shared/crypto.ts";
import { repairedRow } from "../query/repaired-row.ts";
import { queryInFile } from "../query/to-query.ts";
import { assess, reasonsOf } from "../run/candidates.ts";
import type { Harmonizer } from "../run/deps.ts";
import { type Harmonization, loadHarmonization } from "../run/harmonizations.ts";
import { type Problem, problemOf } from "../run/problems/problems.ts";
import { asListing, MOST_CANDIDATES, type Outcome, type Query } from "../run/rows.ts";
import { readParts } from "./parts.ts";
import { withoutTotal } from "./total-row.ts";

type Deps = Pick<Harmonizer, "prisma" | "pool" | "directory" | "directoryUrl" | "authFor" | "tokenRefused">;

export interface Trial {
  /** Identifies the attempt: an outdated one cannot overwrite it. */
  id: string;
  state: "waiting" | "done";
  since: string;
  total: number;
  done: number;
  counts: Record<TrialOutcome, number>;
  examples: Example[];
  error?: Problem;
}

type TrialOutcome = Exclude<Outcome, "pending">;

interface Example {
  outcome: TrialOutcome;
  line: number;
  name: string;
  venue?: string;
  /** The attribution of the venue's source. */
  credit?: string;
  score?: number;
  reasons: string[];
  problem?: Problem;
}

const LISTINGS = 200;
const EXAMPLES = 5;
const PARTS = 16;
const MOST_ROWS = 50_000;
const AT_ONCE = 50;

export const newTrial = (): Trial => ({
  id: randomId(),
  state: "waiting",
  since: new Date().toISOString(),
  total: 0,
  done: 0,
  counts: { matched: 0, review: 0, none: 0, failed: 0 },
  examples: [],
});

/** The task `trial`: matches a sample of the first megabytes of a draft. */
export async function tryOut(
  deps: Deps,
  harmonization: Harmonization,
  { signal, calls = signal }: { signal: AbortSignal; calls?: AbortSignal },
): Promise<void> {
  let at: Harmonization | undefined = harmonization;
  while (at?.state === "draft") {
    const trial = at.trial as unknown as Trial | null;
    if (trial?.state !== "waiting") return;
    signal.throwIfAborted();
    if (await run(deps, at, { ...newTrial(), id: trial.id, since: trial.since }, { signal, calls })) return;
    at = await loadHarmonization(deps, at.id); // restarted with other columns
  }
}

async function run(
  deps: Deps,
  harmonization: Harmonization,
  trial: Trial,
  { signal, calls }: { signal: AbortSignal; calls: AbortSignal },
): Promise<boolean> {
  const rows = await sampleRows(deps, harmonization);
  trial.total = rows.length;
  for (let from = 0; from < rows.length && !trial.error; from += AT_ONCE) {
    signal.throwIfAborted();
    const some = rows.slice(from, from + AT_ONCE);
    const end = await askAbout(deps, harmonization, some, trial, calls);
    if (end) trial.error = end;
    trial.done = from + some.length;
    if (!(await note(deps, harmonization.id, trial))) return false;
  }
  return note(deps, harmonization.id, { ...trial, state: "done" });
}

async function sampleRows({ pool }: Deps, { id, format, header, columns }: Harmonization): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of withoutTotal(readRows(readParts(pool, id, PARTS), format, header), columns)) {
    rows.push(row);
    if (rows.length === MOST_ROWS) break;
  }
  const step = Math.max(rows.length / LISTINGS, 1);
  return Array.from({ length: Math.min(rows.length, LISTINGS) }, (_, index) => rows[Math.floor(index * step)]).filter(
    (row) => row !== undefined,
  );
}

// Returns a problem if the trial must stop.
async function askAbout(
  deps: Deps,
  harmonization: Harmonization,
  rows: Row[],
  trial: Trial,
  signal: AbortSignal,
): Promise<Problem | undefined> {
  const { accountId, acceptFrom, reviewFrom } = harmonization;
  const asked: { row: Row; query: Query }[] = [];
  const add = (example: Example) => {
    trial.counts[example.outcome] += 1;
    if (trial.counts[example.outcome] <= EXAMPLES) trial.examples.push(example);
  };
  for (const row of rows) {
    const { query, problem } = queryInFile(row.cells, harmonization);
    const why = row.problem ?? problem;
    const { name: said = "" } = repairedRow(row.cells, harmonization).given;
    const name = said.slice(0, 100).toWellFormed();
    if (query && !why) asked.push({ row, query });
    else add({ outcome: "failed", line: row.line, name, reasons: [], ...(why && { problem: why }) });
  }
  if (asked.length === 0) return undefined;
  const auth = await deps.authFor(accountId);
  if (!auth) return { code: "not_connected" };
  const how = { minScore: WORTH_A_LOOK, limit: MOST_CANDIDATES, signal };
  const outcomes = await deps.directory.matchListings(
    auth,
    asked.map(({ query }) => asListing(query)),
    how,
  );
  for (const [index, outcome] of outcomes.entries()) {
    const { row, query } = asked[index] ?? {};
    if (!row || !query) continue;
    const known = { line: row.line, name: query.name };
    if ("error" in outcome) {
      const { error } = outcome;
      if (error.kind === "refused_token" && accountId) await deps.tokenRefused(accountId, auth);
      if (isHoldUp(error)) return problemOf(error);
      add({ ...known, outcome: "failed", reasons: [], problem: problemOf(error) });
      continue;
    }
    const { category } = repairedRow(row.cells, harmonization).given;
    const { score, isClear, bestId, candidates } = assess(outcome.found, undefined, { category: category ?? null });
    const isMatched = isClear && score !== null && score >= acceptFrom;
    const isLikely = bestId !== null && (score ?? 1) >= reviewFrom;
    const [best] = candidates;
    const reasons = best ? reasonsOf(best) : [];
    const found = best && {
      venue: best.name,
      ...(best.credit && { credit: best.credit }),
      ...(score !== null && { score }),
    };
    add({ ...known, ...found, outcome: isMatched ? "matched" : isLikely ? "review" : "none", reasons });
  }
  return undefined;
}

async function note({ prisma }: Deps, id: string, trial: Trial): Promise<boolean> {
  const where = { id, state: "draft" as const, trial: { path: ["id"], equals: trial.id } };
  const { count } = await prisma.harmonization.updateMany({
    where,
    data: { trial: JSON.parse(JSON.stringify(trial)) },
  });
  return count === 1;
}
