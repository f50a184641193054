import { setImmediate as breathe } from "node:timers/promises";
import type { Headers } from "undici";
import { z } from "zod";
import { venueSearchResponse } from "../contract/resources.ts";
import { type Auth, readPart } from "./calls/answers.ts";
import { callDirectory, type DirectoryClientOptions, type Parameters } from "./calls/call-directory.ts";
import { callLines } from "./calls/call-lines.ts";
import { DirectoryError } from "./calls/errors.ts";
import type { Features } from "./features.ts";
import { foundVenues, type Listing, listingParameters, type MatchOutcome, type MatchSettings } from "./listings.ts";
import { type Missing, missing, shareOfLimit } from "./ways.ts";

export interface Asking extends MatchSettings {
  auth: Auth;
  signal?: AbortSignal | undefined;
}

export interface Way {
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
    ...{ most: Math.min(size, most), ...FORM },
    isMissing: batchGone.is,
    ask: (asking, listings) => {
      const { minScore, limit } = asking;
      const json = JSON.stringify(listings.map(listingParameters));
      return several(url, asking, listings, { listings: json, minScore, limit }).catch(batchGone.note);
    },
  });
  const multi: Way = {
    ...{ most: MULTI, ...FORM },
    isMissing: multiGone.is,
    ask: (asking, listings) => {
      const requests = listings.map(
        (listing) => `/venues/search?${new URLSearchParams(given(searchFor(asking, listing)))}`,
      );
      return several("multi", asking, listings, { requests: requests.join() }).catch(multiGone.note);
    },
  };
  const single: Way = {
    ...{ most: 1, ...FORM },
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
  ...{ most, mostBytes: LARGEST_BODY, bytesOf: (listing) => Buffer.byteLength(jsonOf(listing)) + 1 },
  isMissing: gone.is,
  async ask({ auth, signal, minScore, limit = 30 }, listings) {
    const outcomes: MatchOutcome[] = [];
    let headers: Headers | undefined;
    const call = {
      ...{
        auth,
        parameters: { minScore, limit },
        lines: listings.map(jsonOf),
        longestLine: 65_536 + limit * CANDIDATE,
        signal,
      },
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

const FORM = {
  mostBytes: LARGEST_BODY,
  bytesOf: (listing: Listing) => encodeURIComponent(jsonOf(listing)).length + 3,
};

const responses = z.looseObject({ responses: z.array(z.unknown()) });

const searchFor = ({ minScore, limit }: Asking, listing: Listing): Parameters => ({
  ...{ intent: "match", ...listingParameters(listing), minScore, limit },
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
    if (outcomes.length % AT_A_STRETCH === 0) await breathe();
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
