import { sql } from "../../db/sql.ts";
import type { Auth } from "../../directory-client/calls/answers.ts";
import { type DirectoryError, isHoldUp } from "../../directory-client/calls/errors.ts";
import { storable } from "../../shared/storable.ts";
import { noteGone } from "../run/gone-venues.ts";
import type { Harmonization, Person } from "../run/harmonizations.ts";
import { beginTask, type Deps, endTask, isLost, type Run, runTask, type UndoTask } from "../run/long-task.ts";
import { countListings } from "../run/metrics.ts";
import type { Problem } from "../run/problems/problems.ts";
import { holdersOf } from "../run/venue-holders.ts";
import { type Kept, nextToUndo, noteKept, noteUndone, type ToUndo, undoReport } from "./undo-rows.ts";

/** Starts deleting the venues that the person has added for listings of this file lately. */
export const startUndoing = (
  deps: Pick<Deps, "prisma" | "queue">,
  { id }: Pick<Harmonization, "id">,
  person: Person,
): Promise<boolean> => beginTask(deps, id, { kind: "undo", accountId: person.id });

/** Venues deleted at once: a pause waits for them. */
const PORTION = 100;

/** The task `undo`. Resumable, because a repeated deletion has no effect (attacks F43). */
export const undoListings = (deps: Deps, h: Harmonization, run: Run): Promise<void> =>
  runTask<UndoTask>(deps, h, { kind: "undo", signal: run.signal }, async (task, auth, signal) => {
    const end = (await deps.directory.deletesVenues())
      ? await undoAll(deps, h, { task, auth, signal })
      : { problem: NOT_POSSIBLE };
    if (end) await endTask(deps, h.id, task.runner, end);
    return undefined;
  });

const NOT_POSSIBLE = { code: "no_undo" } as const satisfies Problem;

interface Running extends Run {
  task: UndoTask & { runner: string };
  auth: Auth;
}

/** Returns how the task ends; undefined if it does not end now. */
async function undoAll(
  deps: Deps,
  h: Harmonization,
  running: Running,
): Promise<Parameters<typeof endTask>[3] | undefined> {
  const { task, signal } = running;
  for (let after = 0; !signal.aborted; ) {
    const most = Math.max(1, Math.min(PORTION, await deps.directory.mostLines("delete")));
    const listings = await nextToUndo(deps, h, task, { after, most });
    if (listings === "stopped") return undefined;
    const last = listings.at(-1);
    if (!last) return { report: await undoReport(deps, h, task) };
    if (!(await undoTogether(deps, h, running, listings))) return { problem: NOT_POSSIBLE };
    after = last.number;
  }
  return undefined;
}

/**
 * Deletes those venues that no other file holds (attacks F78). Returns false if the directory does not delete venues after all.
 * @throws DirectoryError after noting the outcomes, if listings are left without one
 */
async function undoTogether(
  deps: Deps,
  h: Harmonization,
  running: Running,
  listings: readonly ToUndo[],
): Promise<boolean> {
  const ids = listings.map(({ venueId }) => venueId);
  const holders = await holdersOf(deps, ids, sql`(h.id = ${h.id})`);
  const held = listings.flatMap((listing): Kept[] => {
    const by = holders.get(listing.venueId);
    if (!by) return [];
    const lists = by.lists.filter((list) => list !== h.listId).length;
    return [{ ...listing, problem: { code: "venue_held", rows: by.rows, lists } }];
  });
  await noteKept(deps, h.id, held);
  countListings("undo", held.length);
  const free = listings.filter(({ venueId }) => !holders.has(venueId));
  return free.length === 0 || deleteTogether(deps, h, running, free);
}

async function deleteTogether(
  deps: Deps,
  h: Harmonization,
  { task, auth }: Running,
  listings: readonly ToUndo[],
): Promise<boolean> {
  const ids = listings.map(({ venueId }) => venueId);
  const outcomes = await deps.directory.deleteVenues(auth, ids);
  if (!outcomes) return false;
  const undone: ToUndo[] = [];
  const kept: Kept[] = [];
  let open: DirectoryError | undefined;
  for (const [at, listing] of listings.entries()) {
    const outcome = outcomes[at];
    if (!outcome) continue;
    if ("done" in outcome) undone.push(listing);
    else if (isOpen(outcome.error)) open = outcome.error;
    else kept.push({ ...listing, problem: { code: "not_undone", said: storable(outcome.error.message) } });
  }
  // Before the listings, which are not looked at again once they are undone.
  await noteGone(
    deps,
    undone.map(({ venueId }) => venueId),
    { besides: h.id, areDeleted: true },
  );
  await noteUndone(deps, h.id, task.accountId, undone);
  await noteKept(deps, h.id, kept);
  countListings("undo", undone.length + kept.length);
  if (open) throw open;
  return true;
}

/** Whether another call may succeed. */
const isOpen = (error: DirectoryError): boolean => isLost(error) || isHoldUp(error);
