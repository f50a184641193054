import { setImmediate as nextTurn } from "node:timers/promises";
import type { Headers } from "undici";
import { z } from "zod";
import type { Geocode, LocatedAddress } from "../contract/addresses.ts";
import { type AddVenueParameters, formatLl, type LatLng } from "../contract/parameters.ts";
import { type Venue, venueSearchResponse } from "../contract/resources.ts";
import { BRIEF } from "../contract/search-parameters.ts";
import { type Auth, readPart } from "./calls/answers.ts";
import { callDirectory, callLines, type DirectoryClientOptions, type Parameters } from "./calls/call-directory.ts";
import { DirectoryError, type DirectoryErrorKind, isHoldUp } from "./calls/errors.ts";
import { retryAfter } from "./calls/retry-after.ts";
import type { Features } from "./features.ts";
import type { CallsLeft, Throttle } from "./throttle.ts";

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
  const [outcomes, failures] = [listings.map(() => undefined), ways.map(() => 0)];
  const run: Run = { ways, throttle, asking, listings, outcomes, failures, inARow: 0, end: undefined };
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

interface Asking extends MatchSettings {
  auth: Auth;
  signal?: AbortSignal | undefined;
}

interface Way {
  most: number;
  mostBytes: number;
  bytesOf(listing: Listing): number;
  /** Whether the directory turned out not to support it. */
  isMissing(): boolean;
  /** Throws DirectoryError if the call fails as a whole. */
  ask(asking: Asking, listings: Listing[]): Promise<{ outcomes: MatchOutcome[]; headers: Headers | undefined }>;
}

/** Listings per call of venues/match (wire-format 6); after a failure few, so that a bad one spoils few. */
const BATCH = { most: 500, again: 25 };

/** Bytes of a body. */
const LARGEST_BODY = 900_000;

const MULTI = 5;

const CANDIDATE = 4096;

/**
 * Returns ways in order of speed: venues/match, by lines and by forms, if in the metadata; multi; single searches, which
 * every directory has.
 */
export function createWays(options: DirectoryClientOptions, features: () => Promise<Features>): () => Promise<Way[]> {
  const [linesGone, batchGone] = [missing("not_found", "rejected", "invalid_answer"), missing("not_found")];
  const multiGone = missing("not_found", "rejected", "invalid_answer");
  let most = Number.POSITIVE_INFINITY;
  const noteLimit = (headers: Headers) => {
    most = shareOfLimit(headers) ?? most;
  };
  const several = async (path: string | URL, asking: Asking, listings: Listing[], parameters: Parameters) => {
    const { auth, signal, limit = 30 } = asking;
    const maxBytes = 65_536 + listings.length * limit * CANDIDATE;
    let headers: Headers | undefined;
    const onHeaders = (given: Headers) => {
      headers = given;
      noteLimit(given);
    };
    const call = { schema: responses, path, auth, parameters, method: "POST", maxBytes, signal, onHeaders } as const;
    const answer = await callDirectory(options, call);
    if (answer.responses.length !== listings.length)
      throw new DirectoryError("invalid_answer", undefined, { reason: "not an answer for each listing" });
    return { outcomes: await readEach(answer.responses, auth), headers };
  };

  const batch = (url: URL, size: number): Way => ({
    ...inForm(Math.min(size, most)),
    isMissing: batchGone.is,
    ask: (asking, listings) => {
      const { minScore, limit } = asking;
      const json = JSON.stringify(listings.map(listingParameters));
      return several(url, asking, listings, { listings: json, minScore, limit }).catch(batchGone.note);
    },
  });
  const multi: Way = {
    ...inForm(MULTI),
    isMissing: multiGone.is,
    ask: (asking, listings) => {
      const requests = listings.map(
        (listing) => `/venues/search?${new URLSearchParams(given(searchFor(asking, listing)))}`,
      );
      return several("multi", asking, listings, { requests: requests.join() }).catch(multiGone.note);
    },
  };
  const single: Way = {
    ...inForm(1),
    isMissing: () => false,
    async ask(asking, [listing]) {
      const { auth, signal } = asking;
      let headers: Headers | undefined;
      const onHeaders = (given: Headers) => {
        headers = given;
      };
      const parameters = listing ? searchFor(asking, listing) : {};
      const call = { schema: venueSearchResponse, path: "venues/search", auth, parameters, signal, onHeaders };
      return { outcomes: [{ found: foundVenues(await callDirectory(options, call).catch(ofSearch)) }], headers };
    },
  };
  return async () => {
    const { matchUrl, matchLines } = await features().catch(() => ({ matchUrl: undefined, matchLines: 0 }));
    if (!matchUrl) return [multi, single];
    const batches = [batch(matchUrl, BATCH.most), batch(matchUrl, BATCH.again), multi, single];
    if (matchLines === 0) return batches;
    return [byLines({ options, gone: linesGone, noteLimit }, matchUrl, Math.min(matchLines, most)), ...batches];
  };
}

interface Lines {
  options: DirectoryClientOptions;
  gone: Missing;
  noteLimit(headers: Headers): void;
}

/** The call as NDJSON: the outcomes before a failure count. */
const byLines = ({ options, gone, noteLimit }: Lines, url: URL, most: number): Way => ({
  most,
  mostBytes: LARGEST_BODY,
  bytesOf: (listing) => Buffer.byteLength(jsonOf(listing)) + 1,
  isMissing: gone.is,
  async ask({ auth, signal, minScore, limit = 30 }, listings) {
    const outcomes: MatchOutcome[] = [];
    let headers: Headers | undefined;
    const parameters = { minScore, limit, brief: BRIEF };
    const call = {
      auth,
      parameters,
      lines: listings.map(jsonOf),
      longestLine: 65_536 + limit * CANDIDATE,
      signal,
      onHeaders(given: Headers) {
        headers = given;
        noteLimit(given);
      },
      onLine: (body: unknown) => void outcomes.push(readOne(body, auth)),
    };
    try {
      await callLines(options, url, call);
    } catch (error) {
      if (outcomes.length === 0) gone.note(error);
    }
    const cut = { error: new DirectoryError("unreachable", undefined, { reason: "the answer was cut short" }) };
    return { outcomes: listings.map((_, at) => outcomes[at] ?? cut), headers };
  },
});

const jsonOf = (listing: Listing): string => JSON.stringify(listingParameters(listing));

/** Up to `most` listings as a field of a form. */
const inForm = (most: number) => ({
  most,
  mostBytes: LARGEST_BODY,
  bytesOf: (listing: Listing) => encodeURIComponent(jsonOf(listing)).length + 3,
});

const responses = z.looseObject({ responses: z.array(z.unknown()) });

const searchFor = ({ minScore, limit }: Asking, listing: Listing): Parameters => ({
  intent: "match",
  ...listingParameters(listing),
  minScore,
  limit,
});

const given = (parameters: Parameters): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );

/** Responses checked before yielding to other work: this process also serves pages. */
const AT_A_STRETCH = 10;

async function readEach(answers: unknown[], auth: Auth): Promise<MatchOutcome[]> {
  const outcomes: MatchOutcome[] = [];
  for (const answer of answers) {
    outcomes.push(readOne(answer, auth));
    if (outcomes.length % AT_A_STRETCH === 0) await nextTurn();
  }
  return outcomes;
}

function readOne(body: unknown, auth: Auth): MatchOutcome {
  try {
    return { found: foundVenues(readPart(venueSearchResponse, body, auth)) };
  } catch (error) {
    return { error: whatItMeans(error as DirectoryError) };
  }
}

// A `not_authorized` search concerns no listing: all searches, or only multi, are refused.
const whatItMeans = (error: DirectoryError): DirectoryError =>
  error.errorType === "not_authorized"
    ? new DirectoryError("not_enabled", error.params?.said as string | undefined)
    : error;

function ofSearch(error: unknown): never {
  throw error instanceof DirectoryError ? whatItMeans(error) : error;
}

export type Listing = { ll?: LatLng | undefined; near?: string | undefined } & Pick<
  AddVenueParameters,
  "name" | "address" | "city" | "state" | "zip" | "phone" | "twitter"
>;

/** `minScore` (ours, 0 to 1) moves the match cut; `limit` up to 50. */
export interface MatchSettings {
  minScore?: number | undefined;
  limit?: number | undefined;
}

export interface FoundVenues {
  venues: Venue[];
  /** Ours: the first needs no review. False if the directory does not report it. */
  confident: boolean;
  geocode: Geocode | undefined;
  /** Ours: that of the listing by its address, if it was sent without one. */
  position?: LocatedAddress | undefined;
  /** After a single search. */
  calls?: CallsLeft | undefined;
}

export type MatchOutcome = { found: FoundVenues } | { error: DirectoryError };

export const listingParameters = ({ ll, ...rest }: Listing) => ({ ...rest, ...(ll && { ll: formatLl(ll) }) });

export const foundVenues = ({
  venues,
  confident = false,
  geocode,
  position,
}: z.output<typeof venueSearchResponse>): FoundVenues => ({ venues, confident, geocode, position });

/** A call of several counts once for each, so with a low limit a rejected one must not use up the hour. */
const SHARE_OF_LIMIT = 1 / 20;

/** Returns how many a call may have, if the directory reports its limit. */
export function shareOfLimit(headers: Headers): number | undefined {
  const limit = Number(headers.get("x-ratelimit-limit") ?? Number.NaN);
  return limit > 0 ? Math.ceil(limit * SHARE_OF_LIMIT) : undefined;
}

const FORGET_MS = 600_000;

type Missing = ReturnType<typeof missing>;

/** Remembers that the directory turned out not to support a way of calling, which errors of these kinds show. */
export function missing(...kinds: DirectoryErrorKind[]) {
  let until = 0;
  const remember = () => {
    until = performance.now() + FORGET_MS;
  };
  return {
    is: () => performance.now() < until,
    remember,
    note(error: unknown): never {
      if (error instanceof DirectoryError && kinds.includes(error.kind)) remember();
      throw error;
    },
  };
}
