import type { Headers } from "undici";
import { DirectoryError, type DirectoryErrorKind, isHoldUp } from "./errors.ts";
import { type Listing, listingParameters, type MatchOutcome } from "./listings.ts";
import type { Asking, Way } from "./match-ways.ts";
import { retryAfter } from "./retry-after.ts";
import type { Throttle } from "./throttle.ts";

/** After one of these nobody knows whether the call, one of its listings or the directory is at fault. */
const UNCLEAR: ReadonlySet<DirectoryErrorKind> = new Set(["unreachable", "invalid_answer"]);

/** Calls in a row that failed for nobody knows what, down to single searches: then it is the directory. */
const MOST_IN_A_ROW = 4;

/** Calls of one way that failed: then the rest of the listings are asked about in the next one. */
const MOST_OF_A_WAY = 2;

/** Bytes of a form with listings. */
const LARGEST_FORM = 900_000;

interface Run {
  ways: Way[];
  throttle: Throttle;
  asking: Asking;
  listings: Listing[];
  /** By the index of the listing; undefined until it is known. */
  outcomes: (MatchOutcome | undefined)[];
  /** By the index of the way. */
  failures: number[];
  inARow: number;
  /** What the listings that have not been asked about yet end with. */
  end: DirectoryError | undefined;
}

/**
 * Asks about listings and answers what becomes of each, in their order. A call that fails as a whole is not sent again: its
 * listings are asked about in smaller ones, down to a search each, so that one that the directory stumbles over spoils no
 * other. When the directory asks to slow down, refuses the caller or does not answer at all, no further call is begun, and
 * the listings that are left end with that error. It throws nothing but the reason of `signal`.
 */
export async function matchListings(
  ways: Way[],
  throttle: Throttle,
  asking: Asking,
  listings: Listing[],
): Promise<MatchOutcome[]> {
  const outcomes = listings.map(() => undefined);
  const run: Run = {
    ways,
    throttle,
    asking,
    listings,
    outcomes,
    failures: ways.map(() => 0),
    inARow: 0,
    end: undefined,
  };
  await askAll(run, [...listings.keys()], 0);
  asking.signal?.throwIfAborted();
  const left = { error: run.end ?? new DirectoryError("unreachable", undefined, { reason: "not asked" }) };
  return run.outcomes.map((outcome) => outcome ?? left);
}

/** Asks about the listings with these indexes in the way `at`, and where that fails in those after it. */
async function askAll(run: Run, indexes: number[], at: number): Promise<void> {
  const way = run.ways[at];
  if (way) await Promise.all(piecesOf(run, indexes, way.most).map((piece) => askOne(run, piece, at)));
}

async function askOne(run: Run, piece: number[], at: number): Promise<void> {
  const isAsked = await run.throttle(() => ask(run, piece, at)).catch(unlessForeseen);
  const left = isAsked ? piece.filter((index) => !isKnown(run.outcomes[index])) : piece;
  if (left.length > 0 && !isLast(run, at) && !run.end) await askAll(run, left, at + 1);
}

/** True once the call was made; undefined where it was not, because this way is no good or nothing is to be asked any more. */
async function ask(run: Run, piece: number[], at: number): Promise<true | undefined> {
  const way = run.ways[at];
  if (run.end || !way || way.isMissing() || isSpent(run, at)) return undefined;
  try {
    const asked = piece.flatMap((index) => run.listings[index] ?? []);
    const { outcomes, headers } = await way.ask(run.asking, asked);
    const errors = outcomes.map((outcome) => ("error" in outcome ? outcome.error : undefined));
    if (errors[0] && errors.every((error) => error?.kind === "unreachable")) throw errors[0];
    run.inARow = 0;
    for (const [place, index] of piece.entries()) run.outcomes[index] = outcomes[place];
    run.end ??= errors.find((error) => error && isHoldUp(error));
    if (/^\s*0+\s*$/.test(headers?.get("x-ratelimit-remaining") ?? "")) run.end ??= nothingLeft(headers);
    return true;
  } catch (error) {
    if (error instanceof DirectoryError) noteFailure(run, piece, at, error);
    throw error;
  }
}

/** Those that the directory had no time for, or fell over, may fare better by themselves. */
const isKnown = (outcome: MatchOutcome | undefined): boolean =>
  outcome !== undefined && !("error" in outcome && outcome.error.kind === "unreachable");

/** A call that failed as a whole. */
function noteFailure(run: Run, piece: number[], at: number, error: DirectoryError): void {
  run.failures[at] = (run.failures[at] ?? 0) + 1;
  run.inARow = UNCLEAR.has(error.kind) ? run.inARow + 1 : 0;
  if (isHoldUp(error) || (isLast(run, at) && run.inARow >= MOST_IN_A_ROW)) run.end ??= error;
  if (isLast(run, at)) for (const index of piece) run.outcomes[index] = { error };
}

function unlessForeseen(error: unknown): undefined {
  if (!(error instanceof DirectoryError)) throw error;
}

const nothingLeft = (headers: Headers | undefined) =>
  new DirectoryError("rate_limited", undefined, {
    reason: "nothing is left of the hour",
    ...(headers && { retryAfter: retryAfter(headers) }),
  });

const isLast = ({ ways }: Run, at: number): boolean => at === ways.length - 1;

/** The last way is never spent: it asks about a listing by itself. */
const isSpent = (run: Run, at: number): boolean => !isLast(run, at) && (run.failures[at] ?? 0) >= MOST_OF_A_WAY;

/** As many listings as the way takes in one call, and no more than fit into a form. */
function piecesOf({ listings }: Run, indexes: number[], most: number): number[][] {
  const pieces: number[][] = [];
  let size = 0;
  for (const index of indexes) {
    const listing = listings[index];
    const bytes = listing ? encodeURIComponent(JSON.stringify(listingParameters(listing))).length + 3 : 0;
    const piece = pieces.at(-1);
    size += bytes;
    if (piece && piece.length < most && size <= LARGEST_FORM) piece.push(index);
    else {
      pieces.push([index]);
      size = bytes;
    }
  }
  return pieces;
}
