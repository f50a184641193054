import type { Venue } from "../../contract/resources.ts";
import type { Auth } from "../../directory-client/answers.ts";
import { DirectoryError } from "../../directory-client/errors.ts";
import { type Deps, isLost } from "../run/long-task.ts";
import { wordsOf } from "../run/words.ts";
import type { AddRecord } from "./record.ts";
import { UNKNOWN } from "./rows.ts";
import { type Added, type BegunAdd, listingOf, madeBy } from "./rules.ts";

/** Seconds after which an add that has no answer is taken to have had its effect, or none. */
export const SETTLED = 60;

/**
 * An add that the directory never answers although it does answer searches is not sent more often than this: by a worker for
 * two minutes, in which what has gone wrong there may have ended.
 */
const MOST_AGAIN = 12;

/**
 * Finds out what came of an add that was interrupted, or whose answer was lost. A directory that honours keys is sent the
 * very same add, which adds once; any other is only searched, and never sent it twice. What stays unknown is put before a
 * person.
 *
 * @param auth of whoever asks; the add itself goes out with the token of whoever began it
 * @returns undefined where no add is under way
 * @throws DirectoryError when the directory does not answer, or refuses this token: then nothing has changed
 */
export async function finishAdd(deps: Deps, record: AddRecord, auth: Auth): Promise<Added | undefined> {
  const { adding, age } = await record.read();
  if (!adding) return undefined;
  const found = await deps.directory.matchVenues(auth, listingOf(adding.venue), { minScore: 0, limit: 50 });
  const { made, ended } = (await sendAgain(deps, record, adding, auth)) ?? { made: madeBy(adding, found) };
  if (ended) return ended;
  if (!made) {
    if (Number(age) < SETTLED) return unclear(adding.venue.name);
    await record.park(adding.key, found);
    return { kind: "unclear", message: wordsOf(UNKNOWN), isGivenUp: true };
  }
  await record.commit(adding, made);
  return { kind: "added", venueId: made.id, venueName: made.name };
}

/** The venue, or how it ended otherwise; undefined where the directory cannot be asked in this way. */
async function sendAgain(
  deps: Deps,
  record: AddRecord,
  add: BegunAdd,
  auth: Auth,
): Promise<{ made: Venue; ended?: never } | { made?: never; ended: Added } | undefined> {
  const { directory } = deps;
  const own = await deps.authFor(add.accountId); // keys are of one user and application
  if (!own || add.again >= MOST_AGAIN || !(await directory.honoursKeys())) return undefined;
  if (!(await record.countAgain(add.key))) return { ended: unclear(add.venue.name) };
  const once = { idempotencyKey: add.key, ignoreDuplicatesKey: add.ignoreDuplicatesKey };
  try {
    return { made: await directory.addVenue(own, add.venue, once) };
  } catch (error) {
    if (isLost(error)) return { ended: unclear(add.venue.name) };
    if (!(error instanceof DirectoryError) || error.kind === "rate_limited" || error.kind === "not_enabled")
      throw error;
    if (error.duplicates) {
      // A key that has added something is answered with that: so it has not.
      await record.clear(add.key);
      return { ended: { kind: "alike", venues: error.duplicates.candidates, confident: false } };
    }
    if (error.kind !== "refused_token") return undefined;
    if ("token" in own && "token" in auth && own.token === auth.token) throw error;
    await deps.tokenRefused(add.accountId, own);
    return undefined;
  }
}

export const unclear = (name: string): Added => ({
  kind: "unclear",
  isGivenUp: false,
  message: `It is not known yet whether “${name}” was added. Send it again in a minute: it is looked for first, and not added twice.`,
});
