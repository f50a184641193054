import { setImmediate as nextTurn } from "node:timers/promises";
import type { PoolClient } from "pg";
import { VENUE_ID } from "../../venues/find.ts";
import { ourCategory, type Unmapped } from "../categories.ts";
import { PROBLEMS_KEPT } from "../import-venues.ts";
import type { Place, Release } from "../release.ts";
import { copyLine, storeVenues } from "../store-venues.ts";
import { type MadeRow, venueRow } from "../venue-row.ts";
import { type Change, type Changes, changesOf, NO_CHANGES } from "./changes.ts";
import { noteSeen } from "./edition.ts";
import type { Portion } from "./read-release.ts";

export interface ReleaseProblem {
  file: string;
  /** From 1. */
  row: number;
  problem: string;
}

/** What an import has done so far. */
export interface Tally {
  changes: Changes;
  unchanged: number;
  refused: number;
  /** Places that are closed, flagged as not being a place, or outside the extent. */
  skipped: Record<"closed" | "flagged" | "elsewhere", number>;
  /** How often an attribute was unusable; the venue was stored without it. */
  leftOut: Record<string, number>;
  unmapped: Unmapped;
  problems: ReleaseProblem[];
}

export const newTally = (): Tally => ({
  changes: { ...NO_CHANGES },
  unchanged: 0,
  refused: 0,
  skipped: { closed: 0, flagged: 0, elsewhere: 0 },
  leftOut: {},
  unmapped: { places: 0, categories: new Map() },
  problems: [],
});

export interface Work {
  client: PoolClient;
  release: Release;
  sourceOf: (dataset: string, licence: string | undefined) => Promise<number>;
  /** Whether the ids are noted, to find the venues that an edition lacks. */
  closesMissing: boolean;
  tally: Tally;
  /** Called before they are stored. */
  onChanges: (changes: readonly Change[]) => void;
  onProblem: ((problem: ReleaseProblem) => void) | undefined;
}

export interface Batch {
  /** Lines to copy, by venue id. */
  lines: Map<string, string>;
  names: Map<string, string>;
  seen: { id: string; isClosed: boolean }[];
}

const PLACES_A_TURN = 100;

export async function prepareBatch(work: Work, { file, places, elsewhere }: Portion): Promise<Batch> {
  const { tally } = work;
  tally.skipped.elsewhere += elsewhere;
  const batch: Batch = { lines: new Map(), names: new Map(), seen: [] };
  for (const [at, { row, place }] of places.entries()) {
    if (at % PLACES_A_TURN === 0) await nextTurn(); // so that the portion before goes on being stored
    const { id = "", gone } = place;
    if (VENUE_ID.test(id)) batch.seen.push({ id, isClosed: gone !== undefined });
    if (gone) {
      tally.skipped[gone] += 1;
      continue;
    }
    const made = madeOf(place, work, await work.sourceOf(place.dataset, place.licence));
    if (!made.row) refuse(work, { file, row, problem: made.problem });
    else {
      batch.lines.set(made.row[0], copyLine(made.row));
      batch.names.set(made.row[0], String(made.row[1]));
      for (const attribute of made.leftOut) tally.leftOut[attribute] = (tally.leftOut[attribute] ?? 0) + 1;
    }
  }
  return batch;
}

function madeOf({ id, lat, lng, fields, categories }: Place, { release, tally }: Work, sourceId: number): MadeRow {
  const category = ourCategory(release.id, categories, tally.unmapped);
  return venueRow({ ...fields, id, lat, lng, category }, { source: release.id, keepIds: true, sourceId });
}

function refuse({ tally, onProblem }: Work, problem: ReleaseProblem): void {
  tally.refused += 1;
  if (tally.problems.length < PROBLEMS_KEPT) tally.problems.push(problem);
  onProblem?.(problem);
}

/** Stores the batch in statements that are a transaction each; storing it again completes an interrupted one. */
export async function storeBatch({ client, closesMissing, tally, onChanges }: Work, batch: Batch): Promise<void> {
  if (closesMissing) await noteSeen(client, batch.seen);
  if (batch.lines.size === 0) return;
  const { unchanged } = await storeVenues(client, batch.lines, (some) => onChanges([...changesOf(some, batch.names)]));
  tally.unchanged += unchanged;
}
