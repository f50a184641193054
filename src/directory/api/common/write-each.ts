import { z } from "zod";
import type { Envelope } from "../../../contract/envelope.ts";
import { type addVenueCall, MOST_WRITTEN_LINES } from "../../../contract/parameters.ts";
import type { Venue } from "../../../contract/resources.ts";
import { isGone } from "../../../db/unavailable.ts";
import { MATCH_CUT } from "../../../matching/decide.ts";
import { BY_ADDRESS } from "../../../matching/match.ts";
import { mayFind } from "../../../matching/may-find.ts";
import type { Listing } from "../../../matching/prepare.ts";
import { logOdds, scoreOf } from "../../../matching/score.ts";
import { KnownError } from "../../../shared/errors.ts";
import { findCategory } from "../../categories/tree.ts";
import type { Transaction } from "../../deps.ts";
import type { Caller } from "../../endpoint/credentials.ts";
import type { ApiDeps, ByLine } from "../../endpoint/declaration.ts";
import { envelopeOfOne } from "../../endpoint/envelope.ts";
import { readLine, readParameters } from "../../endpoint/lines.ts";
import { type Outcome, onceEach } from "../../idempotency.ts";
import { noteWrite } from "../../last-write.ts";
import { holdsVenuesOf, queueVenues } from "../../proposals/propose.ts";
import type { TokenPair } from "../../tokens.ts";
import { insertVenues, lockPlaces } from "../../venues/add.ts";
import { duplicatesKey, isDuplicatesKey } from "../../venues/duplicates.ts";
import { deletedAmong } from "../../venues/find.ts";
import { heldOf } from "../../venues/held.ts";
import { compactVenue, completeVenue } from "../../venues/present.ts";
import type { VenueRow } from "../../venues/rows.ts";
import { matchEach } from "../../venues/search/match-each.ts";
import type { SearchResult } from "../../venues/search/search.ts";
import { presentationFor } from "./presentation.ts";

/** Lines whose answers are sent together. */
const PIECE = 100;

export interface Written<P> {
  parameters: P;
  key: string | undefined;
}

type Answer = Record<string, unknown>;
type Writer = Caller & TokenPair;

/** A call with an effect that can be made for many lines in one transaction. */
interface Writing<P> {
  /** Undefined outcomes are of calls that must wait for the others, never the first. Throws if it made none. */
  write: (caller: Writer, calls: Written<P>[]) => Promise<(Outcome<Answer> | undefined)[]>;
  /** Calls with a name in common are made one after the other. */
  namesOf: (call: Written<P>) => string[];
}

/** Makes the call alone. */
export async function writeOne<P>({ write }: Writing<P>, caller: Writer, call: Written<P>): Promise<Answer> {
  const [outcome] = await write(caller, [call]);
  if (!outcome) throw new Error("A call alone has no outcome.");
  if ("error" in outcome) throw outcome.error;
  return outcome.done;
}

/** NDJSON for an endpoint with an effect: each line has the parameters of a call, `idempotencyKey` too if it takes one (wire-format 7). */
export const writtenByLine = <S extends z.ZodObject>(
  deps: ApiDeps,
  line: S,
  writing: Writing<z.output<S>>,
): Omit<ByLine<Writer>, "example"> => ({
  most: MOST_WRITTEN_LINES,
  parameters: z.object({}),
  line,
  answer({ caller, idempotencyKey }, lines) {
    if (idempotencyKey !== undefined)
      throw new KnownError(400, "param_error", "Send idempotencyKey in each line, not an Idempotency-Key for all.");
    return answerEach(deps, { line, writing, caller }, lines);
  },
});

async function* answerEach<S extends z.ZodObject>(
  deps: ApiDeps,
  { line, writing, caller }: { line: S; writing: Writing<z.output<S>>; caller: Writer },
  lines: string[],
): AsyncGenerator<Envelope> {
  for (let from = 0; from < lines.length; from += PIECE) {
    const read = lines.slice(from, from + PIECE).map((each) => readCall(line, each));
    const calls = read.flatMap((each) => ("error" in each ? [] : [each.done]));
    const outcomes = (await writeEach(writing, caller, calls)).values();
    if (deps.replicas.isConfigured) await noteWrite(deps.pool, caller);
    for (const each of read) {
      const outcome = "error" in each ? each : (outcomes.next().value as Outcome<Answer>);
      yield envelopeOfOne(outcome, caller, deps.log);
    }
  }
}

function readCall<S extends z.ZodObject>(schema: S, line: string): Outcome<Written<z.output<S>>> {
  const read = readParameters(schema, readLine(line), "A line must be a JSON object with the parameters of a call.");
  if ("error" in read) return read;
  return { done: { parameters: read.done, key: read.done.idempotencyKey as string | undefined } };
}

/** Makes the calls as if one after the other, in as few transactions as possible. */
async function writeEach<P>(writing: Writing<P>, caller: Writer, calls: Written<P>[]): Promise<Outcome<Answer>[]> {
  const outcomes = new Map<number, Outcome<Answer>>();
  for (let left = [...calls.keys()]; left.length > 0; left = left.filter((at) => !outcomes.has(at))) {
    const together = withoutCommonNames(left, (at) => writing.namesOf(calls[at] as Written<P>));
    await write(together);
  }
  return calls.map((_, at) => outcomes.get(at) as Outcome<Answer>);

  /** Halves what fails as a whole, so that one call spoils no other. */
  async function write(together: number[]): Promise<void> {
    try {
      const made = await writing.write(
        caller,
        together.flatMap((at) => calls[at] ?? []),
      );
      for (const [place, at] of together.entries()) if (made[place]) outcomes.set(at, made[place]);
    } catch (error) {
      const half = together.length / 2;
      if (half < 1 || isGone(error)) for (const at of together) outcomes.set(at, { error });
      else for (const part of [together.slice(0, half), together.slice(half)]) await write(part);
    }
  }
}

/** Leaves out each that has a name in common with one before it. */
function withoutCommonNames(calls: number[], namesOf: (at: number) => string[]): number[] {
  const seen = new Set<string>();
  return calls.filter((at) => {
    const names = namesOf(at);
    const isFirst = names.every((name) => !seen.has(name));
    for (const name of names) seen.add(name);
    return isFirst;
  });
}

type Adding = z.output<typeof addVenueCall>;
type Adder = Caller & TokenPair;
type Added = { venue: Venue };

const MOST_DUPLICATES = 10;

/**
 * Adds venues in one transaction, as if one after the other. Leaves out each that may be the same as one before it, which must be
 * in the directory before its duplicates are searched for.
 */
export function addEach(deps: ApiDeps, caller: Adder, calls: Written<Adding>[]) {
  const scope = `${caller.clientId}/${caller.userId}`;
  const add = async (tx: Transaction, due: number[]) => {
    const outcomes = new Map<number, Outcome<Added>>();
    const wanted: Wanted[] = [];
    for (const at of due) {
      const { parameters } = calls[at] as Written<Adding>;
      if (!findCategory(parameters.primaryCategoryId)) outcomes.set(at, { error: unknownCategory() });
      else wanted.push({ at, parameters, spot: spotOf(parameters) });
    }
    await lockPlaces(
      tx,
      wanted.map(({ parameters }) => parameters.ll),
    );
    const now = new Date();
    const isHeld = await holdsVenuesOf(deps, caller);
    // Not with those of others, which it would give away: an operator sees both, and merges them.
    const held = await heldOf(deps.pool, { ...caller, hasHeld: isHeld || caller.hasHeld });
    const { added, refused } = chooseNow(await withDuplicates(deps, caller, wanted, { now, held }));
    for (const [at, error] of await refusals(deps, caller, refused, now)) outcomes.set(at, { error });
    const rows = await insertVenues(
      { tx, pool: deps.pool, isHeld },
      added.map(({ parameters }) => parameters),
      caller,
    );
    if (isHeld) await queueVenues(tx, rows, caller);
    const presentation = await presentationFor(deps, caller, []);
    for (const [place, { at, parameters }] of added.entries()) {
      const row = rows[place];
      if (row) outcomes.set(at, { done: { venue: completeVenue(row, { ...presentation, from: parameters.ll }) } });
    }
    return outcomes;
  };
  return onceEach<Added>(deps, scope, calls.map(asKeyed), add, (added) => deletedIn(deps, added));
}

/** Those whose venue was deleted since: their calls add it again. */
async function deletedIn({ pool }: ApiDeps, added: Added[]): Promise<Set<Added>> {
  const deleted = await deletedAmong(
    pool,
    added.map(({ venue }) => venue.id),
  );
  return new Set(added.filter(({ venue }) => deleted.has(venue.id)));
}

// The force parameters are excluded: a call repeated without them is still the same add.
function asKeyed({ parameters, key }: Written<Adding & { idempotencyKey?: unknown }>) {
  const { ignoreDuplicates: _, ignoreDuplicatesKey: __, idempotencyKey: ___, ...venue } = parameters;
  return { key, call: ["venues/add", venue] };
}

const unknownCategory = () =>
  new KnownError(400, "param_error", "primaryCategoryId is not a category id. See venues/categories.");

interface Wanted {
  at: number;
  parameters: Adding;
  spot: Listing;
}

/** `duplicates` is undefined if the add is forced. */
interface Searched extends Wanted {
  duplicates: SearchResult["venues"] | undefined;
}

async function withDuplicates(
  deps: ApiDeps,
  caller: Adder,
  wanted: Wanted[],
  { now, held }: { now: Date; held: VenueRow[] },
): Promise<Searched[]> {
  const forced = new Set(wanted.filter(({ parameters }) => isForced(deps, caller, parameters, now)));
  const asked = wanted.filter((each) => !forced.has(each));
  const searches = asked.map(({ parameters }) => ({
    ...parameters,
    intent: "match" as const,
    minScore: leastScore(parameters),
    limit: MOST_DUPLICATES,
  }));
  const found = await matchEach(deps.pool, searches, Number.POSITIVE_INFINITY, { held });
  const duplicates = new Map(
    asked.map((each, place) => {
      const result = found[place];
      if (!result || "error" in result) throw result?.error;
      return [each, result.venues];
    }),
  );
  return wanted.map((each) => ({ ...each, duplicates: duplicates.get(each) }));
}

/** A venue at an estimated position loses some of its score, but must be compared with as many others. */
const leastScore = ({ positionByAddress }: Adding): number =>
  positionByAddress === "true" ? scoreOf(logOdds(MATCH_CUT) - BY_ADDRESS) : MATCH_CUT;

const spotOf = ({ ll, positionByAddress, ...rest }: Adding): Listing => ({
  ...rest,
  ...ll,
  isByAddress: positionByAddress === "true",
});

/** Leaves out those that depend on one that is added now, or on one left out. */
function chooseNow(searched: Searched[]): { added: Searched[]; refused: Searched[] } {
  const added: Searched[] = [];
  const refused: Searched[] = [];
  const left: Listing[] = [];
  for (const each of searched) {
    const { spot, duplicates } = each;
    const mayFindAdded = () =>
      mayFind(
        spot,
        added.map((other) => other.spot),
      );
    const isEntangled = mayFind(spot, left) || left.some((other) => mayFind(other, [spot]));
    if (isEntangled || (duplicates && mayFindAdded())) left.push(spot);
    else if (duplicates && duplicates.length > 0) refused.push(each);
    else added.push(each);
  }
  return { added, refused };
}

function isForced({ vault }: ApiDeps, caller: TokenPair, parameters: Adding, now: Date): boolean {
  const { ignoreDuplicates, ignoreDuplicatesKey } = parameters;
  if (ignoreDuplicates !== "true" || ignoreDuplicatesKey === undefined) return false;
  return isDuplicatesKey(vault, caller, parameters, now, ignoreDuplicatesKey);
}

/** Returns 409s with the duplicates and the key that forces the add (wire-format 7). */
async function refusals(deps: ApiDeps, caller: Adder, refused: Searched[], now: Date): Promise<[number, KnownError][]> {
  const venues = refused.flatMap(({ duplicates = [] }) => duplicates);
  const presentation = await presentationFor(deps, caller, venues);
  return refused.map(({ at, parameters, duplicates = [] }) => {
    const error = new KnownError(409, "other", `Found duplicates. ${howToInsist(parameters)}`, {
      title: "This venue seems to exist already.",
      response: {
        candidateDuplicateVenues: duplicates.map((venue) => ({
          ...compactVenue(venue, { ...presentation, from: parameters.ll }),
          score: venue.score,
          evidence: venue.evidence,
        })),
        ignoreDuplicatesKey: duplicatesKey(deps.vault, caller, parameters, now),
      },
    });
    return [at, error];
  });
}

function howToInsist({ ignoreDuplicates, ignoreDuplicatesKey: key }: Adding): string {
  const advice =
    "To add the venue anyway, repeat the call with ignoreDuplicates=true and the ignoreDuplicatesKey of this response.";
  if (key === undefined) return advice;
  if (ignoreDuplicates !== "true") return `ignoreDuplicatesKey works only with ignoreDuplicates=true. ${advice}`;
  return `This ignoreDuplicatesKey belongs to another call or has expired. ${advice}`;
}
