import type { Venue } from "../../contract/resources.ts";
import type { Auth } from "../../directory-client/calls/answers.ts";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import { type Deps, isLost } from "../run/long-task.ts";
import { wordsOf } from "../run/problems/words.ts";
import type { AddRecord } from "./record.ts";
import { ADD_UNKNOWN } from "./rows.ts";
import { type Added, type BegunAdd, listingOf, madeBy } from "./rules.ts";

/** Seconds after which an add without a response has taken effect, or never will. */
export const SETTLED = 60;

/** Resends per add, about two minutes' worth, in case the directory answers searches but not this add. */
const MOST_AGAIN = 12;

/**
 * Settles an add that was interrupted or got no response. A directory that honours keys is sent the same add again; any
 * other is only searched, never sent it twice. What stays unknown goes to review. Returns undefined if no add is under
 * way.
 * @param auth of the caller; the add itself uses the token of the account that began it
 * @throws DirectoryError without changes, if the directory does not respond or rejects this token
 */
export async function finishAdd(deps: Deps, record: AddRecord, auth: Auth): Promise<Added | undefined> {
  const { adding, age } = await record.read();
  if (!adding) return undefined;
  const found = await deps.directory.matchVenues(auth, listingOf(adding.venue), { minScore: 0, limit: 50 });
  const { made, ended } = (await sendAgain(deps, record, adding, auth)) ?? { made: madeBy(adding, found) };
  if (ended) return ended;
  if (!made) {
    if (Number(age) < SETTLED) return unclearAdd(adding.venue.name);
    await record.park(adding.key, found);
    return { kind: "unclear", message: wordsOf(ADD_UNKNOWN), isGivenUp: true };
  }
  await record.commit(adding, made);
  return { kind: "added", venueId: made.id, venueName: made.name, isHeld: made.held };
}

async function sendAgain(
  deps: Deps,
  record: AddRecord,
  add: BegunAdd,
  auth: Auth,
): Promise<{ made: Venue; ended?: never } | { made?: never; ended: Added } | undefined> {
  const { directory } = deps;
  const own = await deps.authFor(add.accountId); // keys belong to a user and an application
  if (!own || add.again >= MOST_AGAIN || !(await directory.honoursKeys())) return undefined;
  if (!(await record.countAgain(add.key))) return { ended: unclearAdd(add.venue.name) };
  const once = { idempotencyKey: add.key, ignoreDuplicatesKey: add.ignoreDuplicatesKey };
  try {
    return { made: await directory.addVenue(own, add.venue, once) };
  } catch (error) {
    if (isLost(error)) return { ended: unclearAdd(add.venue.name) };
    if (!(error instanceof DirectoryError) || error.kind === "rate_limited" || error.kind === "not_enabled")
      throw error;
    if (error.duplicates) {
      // A key that has added a venue returns it: so this one has not.
      await record.clear(add.key);
      return { ended: { kind: "alike", venues: error.duplicates.candidates, confident: false } };
    }
    if (error.kind !== "refused_token") return undefined;
    if ("token" in own && "token" in auth && own.token === auth.token) throw error;
    await deps.tokenRefused(add.accountId, own);
    return undefined;
  }
}

export const unclearAdd = (name: string): Added => ({
  kind: "unclear",
  isGivenUp: false,
  message: `Samespot does not know yet whether “${name}” was added. Send it again in a minute: Samespot looks for it first, and does not add it twice.`,
});
