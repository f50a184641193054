import { z } from "zod";
import { editionChanges, type ListedListing, listListings } from "../../harmonize/results/listings.ts";
import { type ReviewListing, reviewListing } from "../../harmonize/review/listing.ts";
import { reasonsOf } from "../../harmonize/run/candidates.ts";
import type { Harmonization } from "../../harmonize/run/harmonizations.ts";
import { wordsOf } from "../../harmonize/run/problems/words.ts";
import type { Candidate } from "../../harmonize/run/rows.ts";
import { notFound } from "../../shared/errors.ts";
import { filterOf } from "../harmonize/base/filter.ts";
import { checkEdition } from "../harmonize/results/facets.ts";
import { listFields, outcomeOf } from "../harmonize/results/list.ts";
import { listingRow } from "../harmonize/results/listings.ts";
import { type Call, cursorOf, fileEndpoint, findSeenWith, readCursor, requireSeenWith } from "./endpoint.ts";

const time = z.iso.datetime();
export const rowNumber = z.int().min(1).max(999_999_999);

const listing = z.object({
  number: z.int().meta({ description: "From 1, in the order of the file." }),
  line: z.int().meta({ description: "In the file; the header is line 1." }),
  name: z.string(),
  own_id: z.string().nullable(),
  cells: z.array(z.string()).meta({ description: "As in the file." }),
  outcome: z.enum(["matched", "review", "none", "failed", "pending"]),
  decision: z.enum(["matched", "added", "rejected"]).nullable().meta({ description: "Null where the score decides." }),
  decided_by: z.string().nullable(),
  decided_at: time.nullable(),
  venue_id: z.string().nullable(),
  venue_name: z.string().nullable(),
  score: z.number().nullable(),
  why: z.string(),
  seen: time.nullable().meta({
    description: "When it last changed. Send it with a decision: others' changes since are then not overwritten.",
  }),
});

export const candidate = z.object({
  id: z.string(),
  name: z.string(),
  lat: z.number(),
  lng: z.number(),
  address: z.string().nullable(),
  city: z.string().nullable(),
  phone: z.string().nullable(),
  category: z.string().nullable(),
  score: z.number().nullable().meta({ description: "0 to 1, calibrated: of those with .9, nine in ten are right." }),
  evidence: z.array(z.string()),
  attribution: z.string().nullable(),
});

type Listing = z.output<typeof listing>;

function listingView(h: Harmonization, row: ListedListing): Listing {
  const { name, why, ownId } = listingRow(h, row);
  const venue = row.outcome === "failed" || row.decision === "rejected" ? undefined : (row.venue_id ?? row.chosen?.id);
  return {
    number: row.number,
    line: row.line,
    name,
    own_id: ownId ?? null,
    cells: row.cells,
    outcome: row.outcome,
    decision: row.decision,
    decided_by: row.decided_by,
    decided_at: row.decided_at?.toISOString() ?? null,
    venue_id: venue ?? null,
    venue_name: venue === undefined ? null : (row.venue_name ?? row.chosen?.name ?? null),
    score: row.score,
    why,
    seen: row.changed_at?.toISOString() ?? null,
  };
}

export const listed = listFields.omit({ after: true, before: true, narrow: true });

/** Throws KnownError 404 for a later edition that token or person may not see. */
export async function listOf(
  call: Pick<Call<unknown, unknown>, "web" | "member" | "token">,
  h: Harmonization,
  asked: z.output<typeof listed>,
) {
  await checkEdition(call.web, call.member, h, asked);
  if (asked.removed !== undefined) await requireSeenWith(call, asked.removed);
  return {
    outcome: outcomeOf(asked.show),
    text: asked.q?.trim() ?? "",
    filter: { ...filterOf(asked, h), isUnwritten: asked.show === "unwritten" },
  };
}

export const listRows = fileEndpoint(
  {
    name: "listRows",
    method: "GET",
    path: "/api/v1/files/:id/rows",
    scope: "read",
    summary: "Lists the rows of a file with their results, 50 at a time",
    description:
      "The parameters are those of the page of results: `show` an outcome, `edition` the rows that are new or changed in this edition, `removed` (the id of the next edition) those that it lacks. For all rows at once use the export.",
    query: listed.extend({
      cursor: z.string().max(200).optional().meta({ description: "`next_cursor` of the answer before." }),
    }),
    answer: z.object({ rows: z.array(listing), next_cursor: z.string().nullable() }),
  },
  async (call) => {
    const { web, h, query } = call;
    const { cursor, ...asked } = query;
    const after = readCursor(z.int().min(0), cursor);
    const page = await listListings(web.harmonizer, h, {
      ...(await listOf(call, h, asked)),
      after,
      sort: asked.sort,
    });
    return {
      rows: page.listings.map((row) => listingView(h, row)),
      next_cursor: page.after === undefined ? null : cursorOf(page.after),
    };
  },
);

export const shownRow = z.object({
  ...listing.omit({ score: true, why: true, decided_at: true }).shape,
  problem: z.string().nullable(),
  locked_by: z.string().nullable().meta({ description: "Somebody who is deciding about it now." }),
  candidates: z.array(candidate),
});

export const candidateView = (each: Candidate): z.output<typeof candidate> => ({
  id: each.id,
  name: each.name,
  lat: each.lat,
  lng: each.lng,
  address: each.address ?? null,
  city: each.city ?? null,
  phone: each.phone ?? null,
  category: each.category ?? null,
  score: each.score ?? null,
  evidence: reasonsOf(each),
  attribution: each.credit ?? null,
});

export const rowView = (h: Harmonization, row: ReviewListing): z.output<typeof shownRow> => ({
  number: row.number,
  line: row.line,
  name: row.query?.name ?? "",
  cells: row.cells,
  outcome: row.outcome,
  own_id: ownIdOf(h, row.cells),
  decision: row.decision,
  decided_by: row.decidedBy,
  venue_id: row.venueId,
  venue_name: row.venueName,
  seen: row.changedAt?.toISOString() ?? null,
  problem: row.problem && wordsOf(row.problem),
  locked_by: row.lockedBy,
  candidates: row.candidates.map(candidateView),
});

function ownIdOf({ columns }: Harmonization, cells: string[]): string | null {
  const [index] = [columns.id ?? []].flat();
  return (index !== undefined && cells[index]) || null;
}

export type RowCall = Pick<Call<unknown, unknown>, "web" | "member" | "request"> & { h: Harmonization };

/** @throws KnownError 404 if there is no such row */
export async function rowOf({ web, member, request, h }: RowCall): Promise<ReviewListing> {
  const at = Number((request.params as { number?: string }).number);
  const row = rowNumber.safeParse(at).success
    ? await reviewListing(web.harmonizer, { h, person: member, number: at })
    : undefined;
  if (!row) throw notFound("There is no such row.");
  return row;
}

export const readRow = fileEndpoint(
  {
    name: "readRow",
    method: "GET",
    path: "/api/v1/files/:id/rows/:number",
    scope: "read",
    summary: "Shows a row with its candidates",
    answer: shownRow,
  },
  async (call) => rowView(call.h, await rowOf(call)),
);

export const seenAt = time
  .nullable()
  .optional()
  .meta({ description: "`seen` of the row when it was looked at; without it, as it is now." });

export const readEdition = fileEndpoint(
  {
    name: "readEdition",
    method: "GET",
    path: "/api/v1/files/:id/edition",
    scope: "read",
    summary: "Counts what is new, changed and removed since the edition before",
    answer: z.object({ previous_id: z.uuid(), unchanged: z.int(), changed: z.int(), new: z.int(), removed: z.int() }),
  },
  async (call) => {
    const { web, h } = call;
    const previous = h.previousId === null ? undefined : await findSeenWith(call, h.previousId);
    if (!previous) throw notFound("This file is no edition of another that you may see.");
    const { same, changed, added, gone } = await editionChanges(web.harmonizer, h, previous);
    return { previous_id: previous.id, unchanged: same, changed, new: added, removed: gone };
  },
);
