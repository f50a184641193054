import type { AddVenueParameters } from "../../contract/parameters.ts";
import type { Venue } from "../../contract/resources.ts";
import type { Auth } from "../../directory-client/answers.ts";
import { MATCH_CUT } from "../../matching/decide.ts";
import { createPlaceCheck, type PlaceCheck } from "../positions/place-check.ts";
import { judgePositions } from "../positions/task.ts";
import type { Harmonization, Person } from "../run/harmonizations.ts";
import { type AddTask, beginTask, type Deps, endTask, type Run, runTask } from "../run/long-task.ts";
import { countListings } from "../run/metrics.ts";
import { isOpen, UNANSWERED, unanswered } from "../run/positions.ts";
import type { ListingId } from "../run/rows.ts";
import { onItsOwn } from "../run/trouble.ts";
import { finishAdd, SETTLED } from "./finish.ts";
import { addReport, failAdd, interruptedAdds, isOwnVenue, matchMany, nextToAdd, type ToAdd } from "./many.ts";
import { addOnce } from "./once.ts";
import { listingRecord } from "./record.ts";
import { putToReview } from "./rows.ts";
import { type Added, categoryFinder } from "./rules.ts";
import { venueToAdd } from "./venue.ts";

/**
 * Starts adding all listings without a match. Returns false if something else is under way.
 * @throws KnownError 409 `positions_unanswered` until the owner confirms the positions (attacks F30)
 */
export async function startAdding(
  deps: Pick<Deps, "prisma" | "queue">,
  { id, positions }: Pick<Harmonization, "id" | "positions">,
  person: Person,
  { categoryId }: { categoryId?: string | undefined },
): Promise<boolean> {
  if (isOpen(positions)) throw unanswered();
  return beginTask(deps, id, { kind: "add", accountId: person.id, categoryId });
}

/** Limits the check of positions, so that a turn adds something even if the directory is slow. */
const LOOK_MS = 8000;

interface Running extends Run {
  h: Harmonization;
  task: AddTask & { runner: string };
  auth: Auth;
  placeCheck: PlaceCheck;
}

/** The task `add`: resumable; finishes interrupted adds first (attacks F01, F02, F05, F10). */
export const addListings = (deps: Deps, h: Harmonization, run: Run): Promise<void> =>
  runTask<AddTask>(deps, h, { kind: "add", signal: run.signal }, async (task, auth, signal) => {
    // Positions of an older run, or of one added early, are not checked yet (attacks F30).
    const positions = await judgePositions(deps, h, { ...run, deadlineMs: LOOK_MS });
    if (isOpen(positions)) return void (await endTask(deps, h.id, task.runner, { problem: UNANSWERED }));
    const placeCheck = createPlaceCheck({ directory: deps.directory, auth }, { ...h, positions });
    return addAll(deps, { ...run, h, task, auth, signal, placeCheck });
  });

async function addAll(deps: Deps, running: Running): Promise<number | undefined> {
  const { h, task, auth, signal } = running;
  const wait = await finishInterrupted(deps, running);
  if (wait) return wait;
  const find = categoryFinder(await deps.directory.categories(auth));
  const categories = { find, usual: task.categoryId && find(task.categoryId) };
  for (let after = 0; !signal.aborted; ) {
    const listing = await nextToAdd(deps, h, task, after);
    if (listing === "stopped") return undefined;
    if (!listing) {
      await endTask(deps, h.id, task.runner, { report: await addReport(deps, h, task) });
      return undefined;
    }
    after = listing.number;
    const wanted = venueToAdd(h, listing, categories);
    if ("problem" in wanted) await failAdd(deps, { ...listing, id: h.id }, wanted.problem);
    else {
      const wait = await addListing(deps, running, listing, wanted.venue);
      if (wait) return wait;
    }
  }
  return undefined;
}

async function addListing(
  deps: Deps,
  running: Running,
  { number, cells, refused }: ToAdd,
  venue: AddVenueParameters,
): Promise<number | undefined> {
  const { h, auth, placeCheck } = running;
  const listing = { id: h.id, number };
  const { accountId, runner } = running.task;
  const wish = { auth, accountId, venue, seen: refused, how: "many", runner } as const;
  const { done, problem } = await onItsOwn(deps, auth, async () => {
    const misplaced = await placeCheck(cells, venue.ll);
    if (misplaced) throw misplaced;
    return addOnce(deps, listingRecord(deps, listing), wish);
  });
  if (problem) await failAdd(deps, listing, problem);
  if (done?.kind === "alike") await settle(deps, running, listing, done);
  countListings("add");
  return done?.kind === "unclear" && !done.isGivenUp ? finishInterrupted(deps, running) : undefined;
}

/** Matches a confident venue, or one that this file added (a repeated row). Otherwise the listing goes to review. */
async function settle(deps: Deps, { task }: Running, listing: ListingId, alike: Added & { kind: "alike" }) {
  const { venues, confident } = alike;
  const [best] = venues;
  if (!best) return;
  const found = { confident, geocode: undefined, venues: venues as [Venue, ...Venue[]] };
  const isRepeated = async () => (best.score ?? 1) >= MATCH_CUT && (await isOwnVenue(deps, listing.id, best.id));
  if (confident || (await isRepeated())) await matchMany(deps, listing, found, task.accountId);
  else await putToReview(deps, listing, found);
}

const SOON = 10;

/** Returns the seconds to wait while one of the worker's own adds is unclear: another row may be the same place. */
async function finishInterrupted(deps: Deps, { h, auth, signal }: Running): Promise<number | undefined> {
  let isUnclear = false;
  for (const { number, isMany } of await interruptedAdds(deps, h.id)) {
    if (signal.aborted) return undefined;
    const listing = { id: h.id, number };
    const { done, problem } = await onItsOwn(deps, auth, () => finishAdd(deps, listingRecord(deps, listing), auth));
    if (problem) await failAdd(deps, listing, problem);
    if (isMany && done?.kind === "unclear" && !done.isGivenUp) isUnclear = true;
  }
  if (!isUnclear) return undefined;
  return (await deps.directory.honoursKeys()) ? SOON : SETTLED;
}
