import type { Headers } from "undici";
import { z } from "zod";
import { type AddVenueParameters, formatLl } from "../contract/parameters.ts";
import { type Venue, venueResponse } from "../contract/resources.ts";
import { type Auth, readPart } from "./calls/answers.ts";
import { callLines, type DirectoryClientOptions } from "./calls/call-directory.ts";
import { DirectoryError } from "./calls/errors.ts";
import type { Features } from "./features.ts";
import { missing, shareOfLimit } from "./match-listings.ts";

/** What became of one of several calls. The same errors as if it were made alone. */
export type Written<T> = { done: T } | { error: DirectoryError };

export interface NewVenue {
  venue: AddVenueParameters;
  idempotencyKey: string;
}

export interface NewLink {
  venueId: string;
  providerId: string;
  linkedId: string;
  idempotencyKey: string;
}

/** Calls with an effect, many at once (wire-format 7, ours). */
export interface LinesClient {
  /** How many calls can be made at once now; 0 if only single ones. */
  mostLines(kind: Kind): Promise<number>;
  /** Undefined if the directory refused calls of this kind without making any, so that single ones may be tried. */
  addVenues(auth: Auth, venues: NewVenue[]): Promise<Written<Venue>[] | undefined>;
  annotateVenues(auth: Auth, links: NewLink[]): Promise<Written<unknown>[] | undefined>;
  /** Whether the directory deletes venues. Throws DirectoryError if unknown. */
  deletesVenues(): Promise<boolean>;
  /** Deletes venues that this user has added lately. Repeating it has no effect. Undefined as above. */
  deleteVenues(auth: Auth, ids: string[]): Promise<Written<unknown>[] | undefined>;
}

type Kind = "add" | "annotate" | "delete";

/** Characters of a line of the answer: an error may hold ten venues. */
const LONGEST_LINE = 200_000;

export function createLines(options: DirectoryClientOptions, features: () => Promise<Features>): LinesClient {
  const gone = { add: missing(...REFUSALS), annotate: missing(...REFUSALS), delete: missing(...REFUSALS) };
  let share = Number.POSITIVE_INFINITY;

  async function send<S extends z.ZodType>(kind: Kind, schema: S, auth: Auth, lines: object[]) {
    const written: Written<z.output<S>>[] = [];
    const call = {
      auth,
      lines: lines.map((line) => JSON.stringify(line)),
      longestLine: LONGEST_LINE,
      onHeaders(headers: Headers) {
        share = shareOfLimit(headers) ?? share;
      },
      onLine: (body: unknown) => void written.push(readLine(schema, body, auth)),
    };
    let end = new DirectoryError("unreachable", undefined, { reason: "the answer was cut short" });
    try {
      await callLines(options, `/v2/venues/${kind}`, call);
    } catch (error) {
      end = error as DirectoryError;
      if (written.length === 0 && REFUSALS.some((each) => each === end.kind)) {
        gone[kind].remember();
        return undefined;
      }
    }
    return lines.map((_, at) => written[at] ?? { error: end });
  }

  return {
    async mostLines(kind) {
      const { honoursKeys, ...known } = await features().catch(() => NOTHING);
      return honoursKeys && !gone[kind].is() ? Math.min(known[`${kind}Lines`], share) : 0;
    },
    async addVenues(auth, venues) {
      const lines = venues.map(({ venue: { ll, ...rest }, idempotencyKey }) => ({
        ...rest,
        ll: formatLl(ll),
        idempotencyKey,
      }));
      const written = await send("add", venueResponse, auth, lines);
      return written?.map((each) => ("done" in each ? { done: each.done.venue } : each));
    },
    annotateVenues: (auth, links) => send("annotate", z.object({}), auth, links),
    deletesVenues: async () => (await features()).deleteLines > 0 && !gone.delete.is(),
    deleteVenues: (auth, ids) => {
      const lines = ids.map((venueId) => ({ venueId }));
      return send("delete", z.object({}), auth, lines);
    },
  };
}

/** A whole call refused so has made nothing. */
const REFUSALS = ["not_found", "rejected"] as const;

const NOTHING = { honoursKeys: false, addLines: 0, annotateLines: 0, deleteLines: 0 };

function readLine<S extends z.ZodType>(schema: S, body: unknown, auth: Auth): Written<z.output<S>> {
  try {
    return { done: readPart(schema, body, auth) };
  } catch (error) {
    return { error: error as DirectoryError };
  }
}
