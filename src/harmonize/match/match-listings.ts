import { setTimeout as sleep } from "node:timers/promises";
import { isTooSlow } from "../../db/bulk.ts";
import { DATABASE_RETRY_MS, isUnavailable } from "../../db/unavailable.ts";
import type { Auth } from "../../directory-client/calls/answers.ts";
import { type DirectoryError, isHoldUp } from "../../directory-client/calls/errors.ts";
import type { FoundVenues, MatchOutcome } from "../../directory-client/client.ts";
import { WORTH_A_LOOK } from "../../matching/decide.ts";
import { KnownError } from "../../shared/errors.ts";
import { withPosition } from "../query/shared.ts";
import { assess, type Former } from "../run/candidates.ts";
import type { Harmonizer } from "../run/deps.ts";
import { type Harmonization, mayGoOn } from "../run/harmonizations.ts";
import { backOff, hasAnswered, holdUp, pauseForAuth } from "../run/hold-up.ts";
import { countListings } from "../run/metrics.ts";
import { type Claim, type Claimed, claimPortion, giveBack, type Written, writeListings } from "../run/portions.ts";
import { type Problem, problemOf } from "../run/problems/problems.ts";
import { asListing, firstColumn, isShared, MOST_CANDIDATES, type Query } from "../run/rows.ts";
import { askFormers } from "./former-venues.ts";
import { inTown, townsIn } from "./towns-of-file.ts";

interface Options {
  portion: number;
  signal: AbortSignal;
  calls?: AbortSignal;
}

/** Attempts for a listing without a response while others get one; then it fails. */
const MOST_ASKS = 4;
/** With more unanswered listings than this, the directory is down; with fewer, a call checks it. */
const FEW = 50;

export async function matchPending(deps: Harmonizer, h: Harmonization, { portion, signal, calls = signal }: Options) {
  while (await mayGoOn(deps, h.id, "matching")) {
    signal.throwIfAborted();
    const auth = await authFor(deps, h);
    if (!auth) return pauseForAuth(deps, h);
    const claim = await claimPortion(deps.pool, h.id, portion, firstColumn(h.columns, "category"));
    if (!claim || !(await matchClaim({ deps, h, auth, claim, signal, calls }))) return;
  }
}

export async function authFor(deps: Pick<Harmonizer, "authFor">, { accountId }: Pick<Harmonization, "accountId">) {
  return deps.authFor(accountId).catch((error) => {
    if (error instanceof KnownError) return undefined; // the application has no credentials either
    throw error;
  });
}

interface Run {
  deps: Harmonizer;
  h: Harmonization;
  auth: Auth;
  claim: Claim;
  signal: AbortSignal;
  calls: AbortSignal;
}

// Returns false if matching has to stop for now.
async function matchClaim(run: Run): Promise<boolean> {
  const { deps, h, claim, signal } = run;
  for (let asks = 0, listings = claim.listings; ; ) {
    const { silent, hold } = await askAndWrite(run, listings);
    const isProgress = silent.length < listings.length;
    if (hold || signal.aborted || (!isProgress && (await isSilent(run, silent)))) {
      await endClaim(run);
      signal.throwIfAborted();
      await (hold ? holdUp(deps, h, run.auth, hold) : backOff(deps, h));
      return false;
    }
    asks = isProgress ? 1 : asks + 1;
    if (asks === MOST_ASKS) await write(run, silent.map(failed));
    if (silent.length === 0 || asks === MOST_ASKS) {
      await endClaim(run);
      return true;
    }
    // In random order, as the client may have stopped at listings that never get a response.
    listings = silent.map(({ listing }) => listing).sort(() => Math.random() - 0.5);
    await sleep(1000 * 2 ** (asks - 1), undefined, { signal }).catch(() => undefined); // the claim then ends above
  }
}

interface Unanswered {
  listing: Claimed;
  error: DirectoryError;
}

async function askAndWrite(run: Run, listings: Claimed[]) {
  const { deps, h } = run;
  const { queries, outcomes, formers } = await askAbout(run, listings);
  const written: Written[] = [];
  const silent: Unanswered[] = [];
  let hold: DirectoryError | undefined;
  for (const [index, listing] of listings.entries()) {
    const outcome = outcomes[index];
    if (!outcome) continue;
    if ("found" in outcome) written.push(answered(listing, outcome.found, queries[index], formers[index]));
    else if (isHoldUp(outcome.error)) hold ??= outcome.error;
    else if (isSilence(outcome.error)) silent.push({ listing, error: outcome.error });
    else written.push(failed({ listing, error: outcome.error }));
  }
  await write(run, written);
  countListings("match", written.length);
  if (written.length > 0) await hasAnswered(deps, h);
  return { silent, hold };
}

/**
 * Asks about listings whose town the directory does not know with their position, if they have one that does not count, or else with that of
 * the town by the other rows of the file, or else in the town that the owner has said. It is not their own: how far a venue is from it says
 * nothing.
 */
async function askAbout({ deps, h, auth, signal, calls }: Run, listings: Claimed[]) {
  const options = { minScore: WORTH_A_LOOK, limit: MOST_CANDIDATES, signal: calls };
  const ask = (asked: Query[]): Promise<(MatchOutcome | undefined)[]> =>
    deps.directory.matchListings(auth, asked.map(asListing), options).catch((error) => {
      if (signal.aborted) return [];
      throw error;
    });
  const queries = listings.map(({ query }) => query);
  const outcomes = await ask(queries);
  const unknown = queries.flatMap((query, at) => (isPlaceUnknown(outcomes[at]) ? [{ at, query }] : []));
  const towns = unknown.some(({ query }) => !isShared(query)) ? await townsIn(deps, h) : undefined;
  const lost = unknown.flatMap(({ at, query }) => {
    const placed = isShared(query) ? withPosition(query) : (inTown(query, towns) ?? elsewhere(query, h.format.town));
    return placed ? [{ at, query: placed }] : [];
  });
  const found = lost.length > 0 ? await ask(lost.map(({ query }) => query)) : [];
  for (const [index, { at, query }] of lost.entries()) {
    const outcome = found[index];
    outcomes[at] = query.ll && !isShared(queries[at]) ? withoutDistance(outcome) : outcome;
    queries[at] = query;
  }
  const formers = await askFormers(deps, auth, outcomes.map(asFormer), calls);
  for (const [at, former] of formers.entries()) if (former && "error" in former) outcomes[at] = former;
  return { queries, outcomes, formers: formers.map((former) => (former && "venue" in former ? former : undefined)) };

  function asFormer(outcome: MatchOutcome | undefined, at: number) {
    const query = queries[at];
    const was = listings[at]?.was;
    return was && query && outcome && "found" in outcome ? { was, query, found: outcome.found } : undefined;
  }
}

const answered = (
  { number, category }: Claimed,
  found: FoundVenues,
  asked: Query | undefined,
  former: Former | undefined,
): Written => ({
  number,
  status: "asked",
  ...assess(found, asked, { former, category }),
  byAddress: found.position,
});

const elsewhere = (query: Query, town: string | undefined): Query | undefined =>
  town === undefined || town === query.near ? undefined : { ...query, near: town };

/** Without what the distance from the middle of a town speaks for or against. */
function withoutDistance(outcome: MatchOutcome | undefined): MatchOutcome | undefined {
  if (!outcome || "error" in outcome) return outcome;
  const { found } = outcome;
  const venues = found.venues.map(({ evidence, ...venue }) => ({
    ...venue,
    ...(evidence && { evidence: evidence.filter(({ comparison }) => comparison !== "distance") }),
  }));
  return { found: { ...found, venues } };
}

const isPlaceUnknown = (outcome: MatchOutcome | undefined): boolean =>
  outcome !== undefined && "error" in outcome && isUnknownPlace(outcome.error);

const isUnknownPlace = ({ errorType }: DirectoryError): boolean => errorType === "failed_geocode";

const isSilence = ({ kind }: DirectoryError) => kind === "unreachable" || kind === "invalid_answer";

async function isSilent({ deps, auth }: Run, unanswered: Unanswered[]): Promise<boolean> {
  if (unanswered.length > FEW) return true;
  return deps.directory.askCategories(auth).then(
    () => false,
    () => true,
  );
}

const failed = ({ listing: { number, query }, error }: Unanswered): Written => ({
  number,
  status: "failed",
  problem: {
    ...problemOf(error),
    ...(query.near !== undefined && isUnknownPlace(error) && { near: query.near }),
  } as Problem,
});

/** Writes fewer rows at once if the database is too slow. */
async function write({ deps, h, claim, signal }: Run, rows: Written[]): Promise<void> {
  let atOnce = rows.length;
  for (let done = 0; done < rows.length; done += atOnce) {
    const some = () => rows.slice(done, done + atOnce);
    await untilWritten(
      signal,
      () => writeListings(deps.pool, h.id, claim, some()),
      () => {
        atOnce = Math.ceil(atOnce / 2);
      },
    );
  }
}

/** Gives back what is left. */
const endClaim = async ({ deps, h, claim, signal }: Run): Promise<void> => {
  if (claim.left.length > 0) await untilWritten(signal, () => giveBack(deps.pool, h.id, claim));
};

/** Keeps writing while the database is away (attacks F04). */
async function untilWritten(signal: AbortSignal, write: () => Promise<void>, onTooSlow = () => {}): Promise<void> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isUnavailable(error) || signal.aborted) throw error;
      if (isTooSlow(error)) onTooSlow();
      await sleep(DATABASE_RETRY_MS);
    }
  }
}
