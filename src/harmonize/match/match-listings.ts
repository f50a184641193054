import { setTimeout as after } from "node:timers/promises";
import { DATABASE_RETRY_MS } from "../../db/patiently.ts";
import { isTooSlow } from "../../db/stretches.ts";
import { isUnavailable } from "../../db/unavailable.ts";
import type { Auth } from "../../directory-client/answers.ts";
import { type DirectoryError, isHoldUp } from "../../directory-client/errors.ts";
import { WORTH_A_LOOK } from "../../matching/decide.ts";
import { KnownError } from "../../shared/errors.ts";
import { assess } from "../run/candidates.ts";
import type { Harmonizer } from "../run/deps.ts";
import { type Harmonization, mayGoOn } from "../run/harmonizations.ts";
import { backOff, hasAnswered, holdUp, pauseForAuth } from "../run/hold-up.ts";
import { countListings } from "../run/metrics.ts";
import { problemOf } from "../run/problems.ts";
import { asListing, MOST_CANDIDATES } from "../run/rows.ts";
import { type Claim, claimListings, giveBack, setAside, type Written, writeListings } from "./claims.ts";

interface Options {
  chunk: number;
  signal: AbortSignal;
  calls?: AbortSignal;
}

/** Attempts for a listing without a response while others get one; then it fails. */
const MOST_ASKS = 4;
/** With more unanswered listings than this, the directory is down; with fewer, a call checks it. */
const FEW = 50;

export async function matchPending(deps: Harmonizer, h: Harmonization, { chunk, signal, calls = signal }: Options) {
  await setAside(deps, h.id, chunk);
  while (await mayGoOn(deps, h.id, "matching")) {
    signal.throwIfAborted();
    const auth = await authFor(deps, h);
    if (!auth) return pauseForAuth(deps, h);
    const claims = await claimListings(deps, h.id, chunk);
    if (claims.length === 0) return;
    if (!(await matchClaims({ deps, h, auth, signal, calls }, claims))) return;
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
  signal: AbortSignal;
  calls: AbortSignal;
}

// Returns false if matching has to stop for now.
async function matchClaims(run: Run, claims: Claim[]): Promise<boolean> {
  const { deps, h, signal } = run;
  for (let asks = 0, left = claims; ; ) {
    const { silent, held, hold } = await askAndWrite(run, left);
    const isProgress = silent.length < left.length;
    if (hold || signal.aborted || (!isProgress && (await isSilent(run, silent)))) {
      const left = [...silent.map(({ claim }) => claim), ...held];
      await untilWritten(signal, left, (some) => giveBack(deps, h.id, some));
      signal.throwIfAborted();
      await (hold ? holdUp(deps, h, run.auth, hold) : backOff(deps, h));
      return false;
    }
    if (silent.length === 0) return true;
    asks = isProgress ? 1 : asks + 1;
    if (asks === MOST_ASKS) {
      await untilWritten(signal, silent.map(failed), (some) => writeListings(deps, h.id, some));
      return true;
    }
    // In random order, as the client may have stopped at listings that never get a response.
    left = silent.map(({ claim }) => claim).sort(() => Math.random() - 0.5);
    await after(1000 * 2 ** (asks - 1), undefined, { signal }).catch(() => undefined); // claims are then given back above
  }
}

interface Unanswered {
  claim: Claim;
  error: DirectoryError;
}

async function askAndWrite({ deps, h, auth, signal, calls }: Run, claims: Claim[]) {
  const options = { minScore: WORTH_A_LOOK, limit: MOST_CANDIDATES, signal: calls };
  const queries = claims.map(({ query }) => asListing(query));
  const asking = deps.directory.matchListings(auth, queries, options);
  const outcomes = await asking.catch((error) => {
    if (signal.aborted) return [];
    throw error;
  });
  const written: Written[] = [];
  const silent: Unanswered[] = [];
  const held: Claim[] = [];
  let hold: DirectoryError | undefined;
  for (const [index, claim] of claims.entries()) {
    const outcome = outcomes[index];
    if (outcome && "found" in outcome) written.push({ claim, status: "asked", ...assess(outcome.found) });
    else if (!outcome) held.push(claim);
    else if (isHoldUp(outcome.error)) {
      hold ??= outcome.error;
      held.push(claim);
    } else if (isSilence(outcome.error)) silent.push({ claim, error: outcome.error });
    else written.push(failed({ claim, error: outcome.error }));
  }
  await untilWritten(signal, written, (some) => writeListings(deps, h.id, some));
  countListings("match", written.length);
  if (written.length > 0) await hasAnswered(deps, h);
  return { silent, held, hold };
}

const isSilence = ({ kind }: DirectoryError) => kind === "unreachable" || kind === "invalid_answer";

async function isSilent({ deps, auth }: Run, unanswered: Unanswered[]): Promise<boolean> {
  if (unanswered.length > FEW) return true;
  return deps.directory.askCategories(auth).then(
    () => false,
    () => true,
  );
}

const failed = ({ claim, error }: Unanswered): Written => ({
  claim,
  status: "failed",
  problem: problemOf(error),
});

/** Keeps writing while the database is away (attacks F04), and writes fewer rows at once if it is too slow. */
async function untilWritten<T>(signal: AbortSignal, rows: T[], write: (some: T[]) => Promise<void>): Promise<void> {
  let atOnce = rows.length;
  for (let done = 0; done < rows.length; ) {
    try {
      await write(rows.slice(done, done + atOnce));
      done += atOnce;
    } catch (error) {
      if (!isUnavailable(error) || signal.aborted) throw error;
      if (isTooSlow(error)) atOnce = Math.ceil(atOnce / 2);
      await after(DATABASE_RETRY_MS);
    }
  }
}
