import type { Headers } from "undici";
import { DirectoryError, type DirectoryErrorKind, isHoldUp } from "./calls/errors.ts";
import { retryAfter } from "./calls/retry-after.ts";
import type { Listing, MatchOutcome } from "./listings.ts";
import type { Asking, Way } from "./match-ways.ts";
import type { Throttle } from "./throttle.ts";

/** The call, a listing in it, or the directory may be at fault. */
const UNCLEAR: ReadonlySet<DirectoryErrorKind> = new Set(["unreachable", "invalid_answer"]);

/** After as many unclear failures in a row, down to single searches, the directory is at fault. */
const MOST_IN_A_ROW = 4;

/** After as many failed calls, the remaining listings use the next way. */
const MOST_OF_A_WAY = 2;

interface Run {
  ways: Way[];
  throttle: Throttle;
  asking: Asking;
  listings: Listing[];
  outcomes: (MatchOutcome | undefined)[];
  failures: number[];
  inARow: number;
  end: DirectoryError | undefined;
}

/**
 * Matches listings in order. Splits a failed call into ever smaller ones, so that one bad listing spoils no other.
 * Throws only the reason of `signal`.
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

async function askAll(run: Run, indexes: number[], at: number): Promise<void> {
  const way = run.ways[at];
  if (way) await Promise.all(piecesOf(run, indexes, way).map((piece) => askOne(run, piece, at)));
}

async function askOne(run: Run, piece: number[], at: number): Promise<void> {
  const isAsked = await run.throttle(() => ask(run, piece, at)).catch(unlessForeseen);
  const left = isAsked ? piece.filter((index) => !isKnown(run.outcomes[index])) : piece;
  if (left.length > 0 && !isLast(run, at) && !run.end) await askAll(run, left, at + 1);
}

// Returns undefined if no call was made: the way is unavailable, or the run has ended.
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

// `unreachable` listings may succeed in a smaller call.
const isKnown = (outcome: MatchOutcome | undefined): boolean =>
  outcome !== undefined && !("error" in outcome && outcome.error.kind === "unreachable");

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

// The last way asks about single listings, so it is always tried.
const isSpent = (run: Run, at: number): boolean => !isLast(run, at) && (run.failures[at] ?? 0) >= MOST_OF_A_WAY;

function piecesOf({ listings }: Run, indexes: number[], { most, mostBytes, bytesOf }: Way): number[][] {
  const pieces: number[][] = [];
  let size = 0;
  for (const index of indexes) {
    const listing = listings[index];
    const bytes = listing ? bytesOf(listing) : 0;
    const piece = pieces.at(-1);
    size += bytes;
    if (piece && piece.length < most && size <= mostBytes) piece.push(index);
    else {
      pieces.push([index]);
      size = bytes;
    }
  }
  return pieces;
}
