import { knownNeighbours } from "../positions/neighbours.ts";
import { createPositionCheck } from "../positions/place-check.ts";
import { judgePositions } from "../positions/task.ts";
import type { Harmonization, Person } from "../run/harmonizations.ts";
import { type AddTask, type AddWish, beginTask, type Deps, endTask, type Run, runTask } from "../run/long-task.ts";
import { countListings } from "../run/metrics.ts";
import { isOpen, UNANSWERED, unanswered } from "../run/positions.ts";
import { tryListing } from "../run/trouble.ts";
import { categoryGuesser } from "./category.ts";
import { finishAdd, SETTLED } from "./finish.ts";
import { addReport, interruptedAdds, nextToAdd, type ToAdd } from "./many.ts";
import { addOnce } from "./once.ts";
import { type Failed, failAdds } from "./outcomes.ts";
import { listingRecord } from "./record.ts";
import { categoryFinder, matchedListing } from "./rules.ts";
import { settleFound } from "./settle.ts";
import { addTogether, type Running, type Wanted, withoutAlike } from "./together.ts";
import { venueToAdd } from "./venue.ts";

/**
 * Starts adding all listings without a match. Returns false if something else is under way.
 * @throws KnownError 409 `positions_unanswered` until the owner confirms the positions (attacks F30)
 */
export async function startAdding(
  deps: Pick<Deps, "prisma" | "queue">,
  { id, positions }: Pick<Harmonization, "id" | "positions">,
  person: Person,
  wish: Partial<AddWish>,
): Promise<boolean> {
  if (isOpen(positions)) throw unanswered();
  return beginTask(deps, id, { kind: "add", accountId: person.id, ...wish });
}

/** Limits the check of positions, so that a turn adds something even if the directory is slow. */
const LOOK_MS = 8000;

/** Listings added at once: a pause waits for them. */
const PORTION = 100;

/** The task `add`: resumable; finishes interrupted adds first (attacks F01, F02, F05, F10). */
export const addListings = (deps: Deps, h: Harmonization, run: Run): Promise<void> =>
  runTask<AddTask>(deps, h, { kind: "add", signal: run.signal }, async (task, auth, signal) => {
    // Positions of an older run, or of one added early, are not checked yet (attacks F30).
    const positions = await judgePositions(deps, h, { ...run, deadlineMs: LOOK_MS });
    if (isOpen(positions)) return void (await endTask(deps, h.id, task.runner, { problem: UNANSWERED }));
    const asking = { directory: deps.directory, auth };
    const check = createPositionCheck(asking, { ...h, positions }, await knownNeighbours(deps, h));
    return addAll(deps, { ...run, h, task, auth, signal, check });
  });

async function addAll(deps: Deps, running: Running): Promise<number | undefined> {
  const { h, task, auth, signal } = running;
  const wait = await finishInterrupted(deps, running);
  if (wait) return wait;
  const tree = await deps.directory.categories(auth);
  const usual = task.categoryId && categoryFinder(tree)(task.categoryId);
  const categories = { guess: categoryGuesser(tree), usual };
  for (let after = 0; !signal.aborted; ) {
    const most = Math.max(1, Math.min(PORTION, await deps.directory.mostLines("add")));
    const listings = await nextToAdd(deps, h, task, { after, most });
    if (listings === "stopped") return undefined;
    const last = listings.at(-1);
    if (!last) {
      await endTask(deps, h.id, task.runner, { report: await addReport(deps, h, task) });
      return undefined;
    }
    const plausible = await withoutDoubtful(deps, running, listings);
    const { first, later } = withoutAlike(await usable(deps, running, plausible, categories));
    const wait = await addPortion(deps, running, first);
    if (wait) return wait;
    after = later[0] ? later[0].number - 1 : last.number;
  }
  return undefined;
}

/** Holds back those at doubtful positions (attacks F30, F81). */
async function withoutDoubtful(deps: Deps, { h, auth, check }: Running, listings: ToAdd[]): Promise<ToAdd[]> {
  const plausible: ToAdd[] = [];
  const failed: Failed[] = [];
  for (const listing of listings) {
    const ll = listing.query?.ll ?? listing.query?.byAddress;
    const { done, problem = done } = await tryListing(deps, auth, async () => ll && check(listing.cells, ll));
    if (problem) failed.push({ number: listing.number, problem });
    else plausible.push(listing);
  }
  await failAdds(deps, h.id, failed);
  countListings("add", failed.length);
  return plausible;
}

async function usable(
  deps: Deps,
  { h, task }: Running,
  listings: ToAdd[],
  categories: Parameters<typeof venueToAdd>[2],
): Promise<Wanted[]> {
  const wanted: Wanted[] = [];
  const failed: Failed[] = [];
  for (const listing of listings) {
    const { venue, problem } = { venue: undefined, problem: undefined, ...venueToAdd(h, listing, categories, task) };
    if (venue) wanted.push({ ...listing, venue });
    else failed.push({ ...listing, problem });
  }
  await failAdds(deps, h.id, failed);
  return wanted;
}

/** Together if they are several, and alone what is left. Returns the seconds to wait, if any. */
async function addPortion(deps: Deps, running: Running, wanted: Wanted[]): Promise<number | undefined> {
  const { alone, isUnclear } =
    wanted.length > 1 ? await addTogether(deps, running, wanted) : { alone: wanted, isUnclear: false };
  let wait = isUnclear ? await finishInterrupted(deps, running) : undefined;
  for (const each of alone) {
    if (wait || running.signal.aborted) break;
    wait = await addListing(deps, running, each);
  }
  return wait;
}

async function addListing(
  deps: Deps,
  running: Running,
  { number, query, refused, venue }: Wanted,
): Promise<number | undefined> {
  const { h, auth } = running;
  const { accountId, runner } = running.task;
  const wish = {
    auth,
    accountId,
    venue,
    listing: matchedListing({ query, venue }),
    seen: refused,
    how: "many",
    runner,
  } as const;
  const { done, problem } = await tryListing(deps, auth, () =>
    addOnce(deps, listingRecord(deps, { id: h.id, number }), wish),
  );
  if (problem) await failAdds(deps, h.id, [{ number, problem }]);
  if (done?.kind === "alike") await settleFound(deps, running, [{ ...done, number }]);
  countListings("add");
  return done?.kind === "unclear" && !done.isGivenUp ? finishInterrupted(deps, running) : undefined;
}

const SOON = 10;

/** Returns the seconds to wait while one of the worker's own adds is unclear: another row may be the same place. */
async function finishInterrupted(deps: Deps, { h, auth, signal }: Running): Promise<number | undefined> {
  let isUnclear = false;
  for (const { number, isMany } of await interruptedAdds(deps, h.id)) {
    if (signal.aborted) return undefined;
    const listing = { id: h.id, number };
    const { done, problem } = await tryListing(deps, auth, () => finishAdd(deps, listingRecord(deps, listing), auth));
    if (problem) await failAdds(deps, h.id, [{ number, problem }]);
    if (isMany && done?.kind === "unclear" && !done.isGivenUp) isUnclear = true;
  }
  if (!isUnclear) return undefined;
  return (await deps.directory.honoursKeys()) ? SOON : SETTLED;
}
