import type { AddVenueParameters } from "../../contract/parameters.ts";
import type { Auth } from "../../directory-client/calls/answers.ts";
import { type DirectoryError, isHoldUp } from "../../directory-client/calls/errors.ts";
import type { FoundVenues } from "../../directory-client/match-listings.ts";
import type { NewVenue } from "../../directory-client/write-lines.ts";
import { mayFind } from "../../matching/may-find.ts";
import { storable } from "../../shared/storable.ts";
import type { PositionCheck } from "../positions/place-check.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { type AddTask, type Deps, isLost, type Run } from "../run/long-task.ts";
import { countListings } from "../run/metrics.ts";
import { problemOf } from "../run/problems/problems.ts";
import { tryListing } from "../run/trouble.ts";
import type { ToAdd } from "./many.ts";
import { SENT_WITHIN } from "./once.ts";
import { type Claimed, claimAdds, clearAdds, commitAdds, type Failed, failAdds, type Made } from "./outcomes.ts";
import { listingRecord } from "./record.ts";
import { addKey, lookAlikes, matchedListing } from "./rules.ts";
import { type Found, settleFound } from "./settle.ts";

export interface Running extends Run {
  h: Harmonization;
  task: AddTask & { runner: string };
  auth: Auth;
  check: PositionCheck;
}

export interface Wanted extends ToAdd {
  venue: AddVenueParameters;
}

/** Splits off those that may be the same place as one before them, whose venue must be found when they are searched for. */
export function withoutAlike(wanted: readonly Wanted[]): { first: Wanted[]; later: Wanted[] } {
  const first: Wanted[] = [];
  const later: Wanted[] = [];
  const spots: Parameters<typeof mayFind>[0][] = [];
  for (const each of wanted) {
    const spot = { ...each.venue, ...each.venue.ll };
    if (mayFind(spot, spots)) later.push(each);
    else {
      first.push(each);
      spots.push(spot);
    }
  }
  return { first, later };
}

/** `alone`: to be added one by one. `isUnclear`: some were sent without an answer. */
interface Sent {
  alone: Wanted[];
  isUnclear: boolean;
}

/**
 * Adds listings with one search and one call for all, with the guarantees of addOnce(): each is claimed before the call, and
 * what has no answer keeps its claim.
 * @throws DirectoryError after writing the outcomes, if every call would be refused now
 */
export async function addTogether(deps: Deps, running: Running, wanted: readonly Wanted[]): Promise<Sent> {
  const { h, auth } = running;
  const listings = wanted.map(matchedListing);
  const outcomes = await deps.directory.matchListings(auth, listings, { minScore: 0, limit: 50 });
  const alone: Wanted[] = [];
  const alike: Found[] = [];
  const claims: (Claimed & { wanted: Wanted })[] = [];
  for (const [at, each] of wanted.entries()) {
    const outcome = outcomes[at];
    if (!outcome || "error" in outcome) {
      if (outcome && isHoldUp(outcome.error)) throw outcome.error;
      alone.push(each);
      continue;
    }
    const { found } = outcome;
    const venues = lookAlikes(each.venue, found.venues, each.refused);
    const confident = found.confident && venues[0]?.id === found.venues[0]?.id;
    if (venues.length > 0) alike.push({ number: each.number, venues, confident });
    else claims.push({ number: each.number, add: addOf(running, each, found), wanted: each });
  }
  await settleFound(deps, running, alike);
  countListings("add", alike.length);
  const sent = await send(deps, running, claims);
  return { alone: [...alone, ...sent.alone], isUnclear: sent.isUnclear };

  function addOf({ task: { accountId } }: Running, { number, venue }: Wanted, { venues }: FoundVenues): Claimed["add"] {
    const known = venues.map(({ id }) => storable(id));
    return { key: addKey({ id: h.id, number }, venue), venue, accountId, how: "many", again: 0, known };
  }
}

async function send(deps: Deps, running: Running, claims: (Claimed & { wanted: Wanted })[]): Promise<Sent> {
  const { h, task, auth } = running;
  if (claims.length === 0) return { alone: [], isUnclear: false };
  const claimedAt = performance.now();
  const numbers = await claimAdds(
    deps,
    h.id,
    task.runner,
    claims.map(({ number, add }) => ({ number, add })),
  );
  const claimed = claims.filter(({ number }) => numbers.has(number));
  if (claimed.length === 0) return { alone: [], isUnclear: false };
  if (performance.now() - claimedAt > SENT_WITHIN) return { alone: [], isUnclear: true };
  const calls = claimed.map(({ add }): NewVenue => ({ venue: add.venue, idempotencyKey: add.key }));
  const written = await deps.directory.addVenues(auth, calls);
  if (!written) {
    await clearAdds(deps, h.id, claimed);
    return { alone: claimed.map(({ wanted }) => wanted), isUnclear: false };
  }
  const made: Made[] = [];
  const undone: Claimed[] = [];
  const failed: Failed[] = [];
  const alike: Found[] = [];
  const alone: Wanted[] = [];
  let holdUp: DirectoryError | undefined;
  for (const [at, each] of claimed.entries()) {
    const outcome = written[at];
    if (!outcome || ("error" in outcome && isLost(outcome.error))) continue;
    if ("done" in outcome) {
      made.push({ ...each, venue: outcome.done });
      continue;
    }
    const { error } = outcome;
    undone.push(each);
    const { number, wanted } = each;
    const candidates = error.duplicates?.candidates;
    if (isHoldUp(error)) holdUp = error;
    else if (!candidates) failed.push({ number, problem: problemOf(error) });
    else if (candidates.every(({ id }) => wanted.refused.includes(id))) alone.push(wanted);
    else alike.push({ number, venues: candidates, confident: false });
  }
  failed.push(...(await commit(deps, running, made)));
  await clearAdds(deps, h.id, undone);
  await settleFound(deps, running, alike);
  await failAdds(deps, h.id, failed);
  countListings("add", made.length + alike.length + failed.length);
  if (holdUp) throw holdUp;
  return { alone, isUnclear: made.length + undone.length < claimed.length };
}

/** Returns those that were decided otherwise meanwhile. */
async function commit(deps: Deps, { h, task: { accountId } }: Running, made: Made[]): Promise<Failed[]> {
  const written = await commitAdds(deps, h.id, accountId, made);
  const failed: Failed[] = [];
  for (const { number, add, venue } of made.filter(({ number }) => !written.has(number))) {
    const { problem } = await tryListing(deps, { token: "" }, () =>
      listingRecord(deps, { id: h.id, number }).commit(add, venue),
    );
    if (problem) failed.push({ number, problem });
  }
  return failed;
}
