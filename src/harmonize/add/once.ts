import { setTimeout as sleep } from "node:timers/promises";
import type { AddVenueParameters } from "../../contract/parameters.ts";
import type { Venue } from "../../contract/resources.ts";
import type { Auth } from "../../directory-client/calls/answers.ts";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import type { Listing } from "../../directory-client/match-listings.ts";
import { storable } from "../../shared/storable.ts";
import { type Deps, isLost } from "../run/long-task.ts";
import { finishAdd, unclearAdd } from "./finish.ts";
import type { AddRecord } from "./record.ts";
import { alreadyDecided } from "./rows.ts";
import { type Added, type BegunAdd, listingOf, lookAlikes } from "./rules.ts";

export interface NewVenue {
  auth: Auth;
  accountId: string;
  venue: AddVenueParameters;
  /** What is searched for; without it, the venue itself. */
  listing?: Listing;
  /** Ids of venues that the person has seen and rejected. */
  seen: string[];
  ignoreDuplicatesKey?: string | undefined;
  how: "person" | "many";
  runner?: string;
}

/** Milliseconds from claim to call; later, another process may have finished the add. */
export const SENT_WITHIN = 20_000;

/**
 * Adds a venue exactly once despite failures (interface, venues/add: a GET with an effect; attacks F01 to F03).
 * @throws DirectoryError if it was certainly not added; KnownError 409 `decided`, 404
 */
export async function addOnce(deps: Deps, record: AddRecord, wish: NewVenue): Promise<Added> {
  const before = await settled(deps, record, wish);
  if (before) return before;
  const { venue, listing = listingOf(venue), ignoreDuplicatesKey, accountId, how } = wish;
  const found = await deps.directory.matchVenues(wish.auth, listing, { minScore: 0, limit: 50 });
  const venues = lookAlikes(venue, found.venues, wish.seen);
  const isFirst = venues[0]?.id === found.venues[0]?.id;
  if (venues.length > 0) {
    // A double click may just have added it.
    const meanwhile = await settled(deps, record, wish);
    return meanwhile ?? { kind: "alike", venues, confident: found.confident && isFirst };
  }
  const add = {
    key: record.keyOf(venue),
    venue,
    accountId,
    how,
    ignoreDuplicatesKey,
    again: 0,
    known: found.venues.map((each) => storable(each.id)),
  };
  const claimedAt = performance.now();
  if (!(await record.claim(add, wish.runner))) return (await settled(deps, record, wish)) ?? unclearAdd(venue.name);
  if (performance.now() - claimedAt > SENT_WITHIN) return unclearAdd(venue.name);
  return send(deps, record, wish, add);
}

/** Milliseconds to wait for another add of the same listing; seconds that an add usually takes. */
const PATIENCE = 5000;
const USUAL_SECONDS = 15;

async function settled(deps: Deps, record: AddRecord, wish: NewVenue): Promise<Added | undefined> {
  const begun = performance.now();
  for (;;) {
    const { decision, venueId, venueName, adding, age } = await record.read();
    if (decision === "added")
      return { kind: "added", venueId: venueId ?? "", venueName: venueName ?? "", wasAdded: true };
    if (decision === "matched") throw alreadyDecided({ code: "decided", venue: venueName ?? undefined });
    if (!adding) return undefined;
    const isUnderWay = wish.how === "person" && Number(age) < USUAL_SECONDS;
    if (!isUnderWay || performance.now() - begun > PATIENCE) {
      const finished = await finishAdd(deps, record, wish.auth);
      if (finished) return finished.kind === "added" ? { ...finished, wasAdded: true } : finished;
    }
    await sleep(150);
  }
}

async function send(deps: Deps, record: AddRecord, wish: NewVenue, add: Omit<BegunAdd, "since">): Promise<Added> {
  const once = { idempotencyKey: add.key, ignoreDuplicatesKey: add.ignoreDuplicatesKey };
  let venue: Venue;
  try {
    venue = await deps.directory.addVenue(wish.auth, add.venue, once);
  } catch (error) {
    if (isLost(error)) return unclearAdd(add.venue.name);
    if (error instanceof DirectoryError) await record.clear(add.key);
    const { duplicates } = error as DirectoryError;
    if (!duplicates) throw error;
    const { candidates, key } = duplicates;
    // Do not ask again about venues that the person has rejected.
    const isDecided = !wish.ignoreDuplicatesKey && candidates.every((each) => wish.seen.includes(each.id));
    if (isDecided) return addOnce(deps, record, { ...wish, ignoreDuplicatesKey: key });
    return { kind: "alike", venues: candidates, confident: false, ignoreDuplicatesKey: key };
  }
  await record.commit(add, venue);
  return { kind: "added", venueId: venue.id, venueName: venue.name, isHeld: venue.held };
}
