import type { Headers } from "undici";
import { z } from "zod";
import { type Checkin, checkinResponse, checkinsResponse, deletedCheckinResponse } from "../contract/checkins.ts";
import { type Venue, venueResponse } from "../contract/resources.ts";
import { LOOKUP_PATH } from "../contract/search-parameters.ts";
import { t } from "../language/translate.ts";
import { type Auth, readPart } from "./calls/answers.ts";
import { type Call, callDirectory, callLines, type DirectoryClientOptions } from "./calls/call-directory.ts";
import { DirectoryError, isHoldUp } from "./calls/errors.ts";
import type { Features } from "./features.ts";
import { missing, shareOfLimit } from "./match-listings.ts";
import type { Throttle } from "./throttle.ts";

export type VenueOutcome = { venue: Venue } | { error: DirectoryError };

export type AskVenues = (
  auth: Auth,
  ids: readonly string[],
  more?: { signal?: AbortSignal | undefined },
) => Promise<VenueOutcome[]>;

/** Calls of one multi (wire-format 11), and bytes of a complete venue. */
const [MULTI, VENUE] = [5, 200_000];

const responses = z.looseObject({ responses: z.array(z.unknown()) });

/**
 * Asks for venues by venues/lookup, if in the metadata; five a call by `multi`; and one by one at a directory without it or
 * after a failure.
 */
export function createVenues(
  options: DirectoryClientOptions,
  throttle: Throttle,
  features: () => Promise<Features>,
): AskVenues {
  const lookUp = createLookup(options, throttle, features);
  const gone = missing("not_found", "rejected", "invalid_answer");

  async function together({ auth, signal }: Asking, ids: string[]): Promise<VenueOutcome[]> {
    const requests = ids.map((id) => `/${pathOf(id)}`).join();
    const call = { schema: responses, path: "multi", auth, method: "POST", signal, maxBytes: MULTI * VENUE } as const;
    const answer = await callDirectory(options, { ...call, parameters: { requests } });
    if (answer.responses.length !== ids.length)
      throw new DirectoryError("invalid_answer", undefined, { reason: "not an answer for each venue" });
    return answer.responses.map((body) => outcomeOf(() => readPart(venueResponse, body, auth).venue));
  }

  async function alone({ auth, signal }: Asking, id: string): Promise<VenueOutcome> {
    const call = { schema: venueResponse, path: pathOf(id), auth, parameters: {}, signal };
    return callDirectory(options, call).then(({ venue }) => ({ venue }), asOutcome);
  }

  return async (auth, ids, { signal } = {}) => {
    const found = new Map<string, VenueOutcome>();
    for (const id of ids) if (!isVenueId(id)) found.set(id, { error: noSuchVenue() });
    let end: DirectoryError | undefined;
    const note = (id: string, outcome: VenueOutcome) => {
      if ("error" in outcome && isHoldUp(outcome.error)) end ??= outcome.error;
      else found.set(id, outcome);
    };
    const askOne = (id: string) =>
      throttle(async () => {
        if (!end) note(id, await alone({ auth, signal }, id));
        return true;
      });
    const askFive = async (five: string[]) => {
      const outcomes = await throttle(async () =>
        end || gone.is() ? undefined : together({ auth, signal }, five).catch(gone.note),
      ).catch((error) => {
        if (!(error instanceof DirectoryError)) throw error;
        if (isHoldUp(error)) end ??= error;
      });
      for (const [at, id] of five.entries()) if (outcomes?.[at]) note(id, outcomes[at]);
      await Promise.all(five.filter((id) => !found.has(id)).map(askOne));
    };
    const unknown = () => ids.filter((id) => !found.has(id));
    const onLine = (id: string, body: unknown) =>
      note(
        id,
        outcomeOf(() => readPart(venueResponse, body, auth).venue),
      );
    const heldUp = ids.length > MULTI ? await lookUp({ auth, signal }, unknown(), onLine) : undefined;
    end ??= heldUp;
    if (!end) await Promise.all(inFives(unknown()).map(askFive));
    signal?.throwIfAborted();
    const left = { error: end ?? new DirectoryError("unreachable", undefined, { reason: "not asked" }) };
    return ids.map((id) => found.get(id) ?? left);
  };
}

interface Asking {
  auth: Auth;
  signal: AbortSignal | undefined;
}

const inFives = (ids: string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / MULTI) }, (_, at) => ids.slice(at * MULTI, (at + 1) * MULTI));

function outcomeOf(read: () => Venue): VenueOutcome {
  try {
    return { venue: read() };
  } catch (error) {
    return asOutcome(error);
  }
}

function asOutcome(error: unknown): VenueOutcome {
  if (!(error instanceof DirectoryError)) throw error;
  return { error: isMissing(error) ? noSuchVenue() : error };
}

const VENUE_ID = /^(?!\.+$)[\w.:~-]{1,100}$/;

/** Names of endpoints, which as an id would make another call, some with an effect. */
const ENDPOINTS =
  /^(?:add|annotate|categories|delete|edit|explore|managed|match|merge|revert|search|suggestcompletion|timeseries|trending|withdraw)$/i;

const isVenueId = (id: string): boolean => VENUE_ID.test(id) && !ENDPOINTS.test(id);

export function pathOf(id: string): string {
  if (!isVenueId(id)) throw noSuchVenue();
  return `venues/${encodeURIComponent(id)}`;
}

const noSuchVenue = () => new DirectoryError("not_found", t("There is no such venue. It may have been removed."));

// The directory returns 404, or reports that the parameter is wrong (wire-format 3).
const isMissing = ({ kind, errorType }: DirectoryError): boolean => kind === "not_found" || errorType === "param_error";

export function asMissing(error: unknown): never {
  throw error instanceof DirectoryError && isMissing(error) ? noSuchVenue() : error;
}

interface LookingUp {
  auth: Auth;
  signal: AbortSignal | undefined;
}

/** Ids of a call until the directory has reported its limit. */
const FIRST = 25;

/** Characters of a line of the answer. */
const LONGEST_LINE = 200_000;

/**
 * Looks up many ids a call by venues/lookup (wire-format 6, ours); ids without an answer are to be asked for otherwise.
 * Returns the error that holds up every other call too.
 */
function createLookup(options: DirectoryClientOptions, throttle: Throttle, features: () => Promise<Features>) {
  const gone = missing("not_found", "rejected", "invalid_answer");
  let share = FIRST;

  async function ask({ auth, signal }: LookingUp, ids: string[], onLine: (id: string, body: unknown) => void) {
    let answered = 0;
    const call = {
      auth,
      lines: ids.map((venueId) => JSON.stringify({ venueId })),
      longestLine: LONGEST_LINE,
      signal,
      onHeaders(headers: Headers) {
        share = shareOfLimit(headers) ?? share;
      },
      onLine(body: unknown) {
        const id = ids[answered];
        answered += 1;
        if (id !== undefined) onLine(id, body);
      },
    };
    await callLines(options, LOOKUP_PATH, call);
    if (answered !== ids.length)
      throw new DirectoryError("invalid_answer", undefined, { reason: "not an answer for each venue" });
  }

  return async (
    asking: LookingUp,
    ids: string[],
    onLine: (id: string, body: unknown) => void,
  ): Promise<DirectoryError | undefined> => {
    const { lookupLines } = await features().catch(() => ({ lookupLines: 0 }));
    for (let from = 0; from < ids.length && lookupLines > 0 && !gone.is(); ) {
      const some = ids.slice(from, from + Math.min(lookupLines, share));
      from += some.length;
      try {
        await throttle(async () => {
          await ask(asking, some, onLine).catch(gone.note);
          return true;
        });
      } catch (error) {
        asking.signal?.throwIfAborted();
        if (!(error instanceof DirectoryError)) throw error;
        return isHoldUp(error) ? error : undefined;
      }
    }
    return undefined;
  };
}

export interface CheckinCalls {
  checkins(auth: Auth, page: { limit: number; offset: number }): Promise<{ count: number; items: Checkin[] }>;
  /** wire-format 10. Adds a check-in each time; after `unreachable` the outcome is unknown. */
  addCheckin(auth: Auth, checkin: { venueId: string; shout?: string | undefined }): Promise<Checkin>;
  /** wire-format 10, for check-ins that are `editable`. Both may be repeated. Throw `not_found` for one that is gone. */
  editCheckin(auth: Auth, checkin: { checkinId: string; shout?: string | undefined }): Promise<Checkin>;
  deleteCheckin(auth: Auth, checkinId: string): Promise<void>;
}

export const checkinCalls = (call: Call): CheckinCalls => ({
  checkins: async (auth, page) =>
    (await call(checkinsResponse, "users/self/checkins", auth, { ...page }, { maxBytes: 5_000_000 })).checkins,
  addCheckin: async (auth, checkin) =>
    (await call(checkinResponse, "checkins/add", auth, checkin, { method: "POST" })).checkin,
  editCheckin: async (auth, checkin) =>
    (await call(checkinResponse, "checkins/edit", auth, checkin, { method: "POST" })).checkin,
  async deleteCheckin(auth, checkinId) {
    await call(deletedCheckinResponse, "checkins/delete", auth, { checkinId }, { method: "POST" });
  },
});
