import { setTimeout as sleep } from "node:timers/promises";
import type { AddVenueParameters } from "../../contract/parameters.ts";
import type { Venue } from "../../contract/resources.ts";
import type { Auth } from "../../directory-client/answers.ts";
import { DirectoryError } from "../../directory-client/errors.ts";
import { storable } from "../run/candidates.ts";
import { type Deps, isLost } from "../run/long-task.ts";
import { finishAdd, unclear } from "./finish.ts";
import type { AddRecord } from "./record.ts";
import { decided } from "./rows.ts";
import { type Added, type BegunAdd, listingOf, lookAlikes } from "./rules.ts";

/** A venue that somebody wants to be added. */
export interface NewVenue {
  auth: Auth;
  /** Of whoever adds. */
  accountId: string;
  venue: AddVenueParameters;
  /** Ids of the venues that they have seen and that are none of them. */
  seen: string[];
  /** From a directory that has found duplicates: add all the same. */
  ignoreDuplicatesKey?: string | undefined;
  how: "person" | "many";
  /** With `many`: the run that may add. */
  runner?: string;
}

/** Milliseconds from the claim to the call: whoever wakes up later finds that somebody else has looked after it. */
const SENT_WITHIN = 20_000;

/**
 * Adds a venue once, whatever fails in between (interface, venues/add: a GET with an effect; attacks F01 to F03): looks
 * once more, takes the record, adds, writes down.
 *
 * @throws DirectoryError when it was surely not added
 * @throws KnownError 409 `decided` when the listing has another decision, 404 when there is no such listing
 */
export async function addOnce(deps: Deps, record: AddRecord, wish: NewVenue): Promise<Added> {
  const before = await settled(deps, record, wish);
  if (before) return before;
  const { venue, ignoreDuplicatesKey, accountId, how } = wish;
  const found = await deps.directory.matchVenues(wish.auth, listingOf(venue), { minScore: 0, limit: 50 });
  const venues = lookAlikes(found.venues, wish.seen);
  const isFirst = venues[0]?.id === found.venues[0]?.id;
  if (venues.length > 0) {
    // Perhaps what has just been added for this very listing, by a double click.
    const meanwhile = await settled(deps, record, wish);
    return meanwhile ?? { kind: "alike", venues, confident: found.confident && isFirst };
  }
  const add = {
    ...{ key: record.keyOf(venue), venue, accountId, how, ignoreDuplicatesKey, again: 0 },
    known: found.venues.map((each) => storable(each.id)),
  };
  const claimedAt = performance.now();
  if (!(await record.claim(add, wish.runner))) return (await settled(deps, record, wish)) ?? unclear(venue.name);
  if (performance.now() - claimedAt > SENT_WITHIN) return unclear(venue.name);
  return send(deps, record, wish, add);
}

/** How long to wait for somebody else's add of the same listing to end, and how long one takes that nobody interrupts. */
const PATIENCE = 5000;
const USUAL_SECONDS = 15;

/** What has come of the listing already: a double click, a form sent again, an add that was interrupted. */
async function settled(deps: Deps, record: AddRecord, wish: NewVenue): Promise<Added | undefined> {
  const begun = performance.now();
  for (;;) {
    const { decision, venueId, venueName, adding, age } = await record.read();
    if (decision === "added")
      return { kind: "added", venueId: venueId ?? "", venueName: venueName ?? "", wasAdded: true };
    if (decision === "matched") throw decided({ code: "decided", venue: venueName ?? undefined });
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
    if (isLost(error)) return unclear(add.venue.name);
    if (error instanceof DirectoryError) await record.clear(add.key);
    const { duplicates } = error as DirectoryError;
    if (!duplicates) throw error;
    const { candidates, key } = duplicates;
    // Whoever said that it is none of these is not asked again.
    const isDecided = !wish.ignoreDuplicatesKey && candidates.every((each) => wish.seen.includes(each.id));
    if (isDecided) return addOnce(deps, record, { ...wish, ignoreDuplicatesKey: key });
    return { kind: "alike", venues: candidates, confident: false, ignoreDuplicatesKey: key };
  }
  await record.commit(add, venue);
  return { kind: "added", venueId: venue.id, venueName: venue.name };
}
