import { z } from "zod";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import { type LookUp, lookUp, MOST_IDS } from "../../harmonize/export/mappings.ts";
import { editionChanges, type ListedListing, listListings } from "../../harmonize/results/listings.ts";
import { decideMany, MANY_DECISIONS, MOST_AT_ONCE } from "../../harmonize/results/many.ts";
import { decide } from "../../harmonize/review/decisions.ts";
import { type ReviewListing, reviewListing } from "../../harmonize/review/listing.ts";
import { undo } from "../../harmonize/review/undo.ts";
import { reasonsOf } from "../../harmonize/run/candidates.ts";
import { type Harmonization, isOwner } from "../../harmonize/run/harmonizations.ts";
import { wordsOf } from "../../harmonize/run/problems/words.ts";
import type { Candidate } from "../../harmonize/run/rows.ts";
import { parseParameters } from "../../http/parameters.ts";
import { KnownError, notFound } from "../../shared/errors.ts";
import { openToken } from "../base/connections.ts";
import { filterOf } from "../harmonize/base/filter.ts";
import { checkEdition } from "../harmonize/results/facets.ts";
import { listFields, outcomeOf } from "../harmonize/results/list.ts";
import { listingRow } from "../harmonize/results/listings.ts";
import {
  type Call,
  cursorOf,
  fileEndpoint,
  findSeenWith,
  personEndpoint,
  readCursor,
  requireSeenWith,
  reviewerEndpoint,
} from "./endpoint.ts";
import { seenWith } from "./tokens.ts";

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

const listed = listFields.omit({ after: true, before: true, narrow: true });

/** Throws KnownError 404 for a later edition that token or person may not see. */
async function listOf(
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
    const { web, found, query } = call;
    const { cursor, ...asked } = query;
    const after = readCursor(z.int().min(0), cursor);
    const page = await listListings(web.harmonizer, found, {
      ...(await listOf(call, found, asked)),
      after,
      sort: asked.sort,
    });
    return {
      rows: page.listings.map((row) => listingView(found, row)),
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
  ...{
    id: each.id,
    name: each.name,
    lat: each.lat,
    lng: each.lng,
    address: each.address ?? null,
    city: each.city ?? null,
  },
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
  ...{
    seen: row.changedAt?.toISOString() ?? null,
    problem: row.problem && wordsOf(row.problem),
    locked_by: row.lockedBy,
  },
  candidates: row.candidates.map(candidateView),
});

function ownIdOf({ columns }: Harmonization, cells: string[]): string | null {
  const [index] = [columns.id ?? []].flat();
  return (index !== undefined && cells[index]) || null;
}

export type RowCall = Pick<Call<unknown, unknown>, "web" | "member" | "request"> & { found: Harmonization };

/** @throws KnownError 404 if there is no such row */
export async function rowOf({ web, member, request, found }: RowCall): Promise<ReviewListing> {
  const at = Number((request.params as { number?: string }).number);
  const row = rowNumber.safeParse(at).success
    ? await reviewListing(web.harmonizer, { h: found, person: member, number: at })
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
  async (call) => rowView(call.found, await rowOf(call)),
);

export const seenAt = time
  .nullable()
  .optional()
  .meta({ description: "`seen` of the row when it was looked at; without it, as it is now." });

const oneDecision = z.object({
  decision: z.enum(["matched", "rejected", "skip"]),
  venue_id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: "With `matched`: a candidate, or any other venue of the directory." }),
  seen: seenAt,
});

export const decideRow = reviewerEndpoint(
  {
    name: "decideRow",
    method: "POST",
    path: "/api/v1/files/:id/rows/:number/decision",
    scope: "decide",
    summary: "Decides about a row",
    body: oneDecision,
    answer: shownRow,
  },
  async (call) => {
    const row = await rowOf(call);
    await decideOne(call, row, call.body);
    return rowView(call.found, await rowOf(call));
  },
);

function decideOne(
  { web, member, found }: RowCall,
  row: ReviewListing,
  sent: z.output<typeof oneDecision>,
): Promise<void> {
  const token = openToken(web.vault, member.connection);
  return decide(
    web.harmonizer,
    { h: found, person: member, number: row.number },
    {
      decision: sent.decision,
      venueId: sent.venue_id,
      auth: token === undefined ? undefined : { token },
      seen: sent.seen === undefined ? row.changedAt : sent.seen === null ? null : new Date(sent.seen),
    },
  );
}

const MOST_DECISIONS = 200;

export const decideRows = reviewerEndpoint(
  {
    name: "decideRows",
    method: "POST",
    path: "/api/v1/files/:id/decisions",
    scope: "decide",
    summary: `Decides about up to ${MOST_DECISIONS} rows, each in its own way`,
    description:
      "Each is a step of its own. The answer says of each whether it was decided, or why not; the others are decided all the same.",
    body: z.object({
      decisions: z
        .array(oneDecision.extend({ number: rowNumber }))
        .min(1)
        .max(MOST_DECISIONS),
    }),
    bodyLimit: 256 * 1024,
    answer: z.object({
      decided: z.int(),
      results: z.array(
        z.object({
          number: z.int(),
          is_decided: z.boolean(),
          code: z.string().nullable(),
          detail: z.string().nullable(),
        }),
      ),
    }),
  },
  async ({ web, member, request, found, body }) => {
    const results: { number: number; is_decided: boolean; code: string | null; detail: string | null }[] = [];
    for (const { number, ...sent } of body.decisions) {
      const row = await reviewListing(web.harmonizer, { h: found, person: member, number });
      const said = row
        ? await decideOne({ web, member, request, found }, row, sent).then(() => undefined, ofOne)
        : notFound("There is no such row.");
      results.push({ number, is_decided: said === undefined, code: said?.code ?? null, detail: said?.message ?? null });
    }
    return { decided: results.filter(({ is_decided }) => is_decided).length, results };
  },
);

/** What is wrong with one decision; what would befall all of them is thrown. */
function ofOne(error: unknown): KnownError {
  const isOfAll = error instanceof DirectoryError && error.kind !== "not_found" && error.kind !== "rejected";
  if (!(error instanceof KnownError) || isOfAll || error.status >= 500) throw error;
  return error;
}

const manyDecided = z.object({
  changed: z.int(),
  left: z
    .array(z.object({ why: z.string(), count: z.int() }))
    .meta({ description: "Rows that stayed as they were, by reason." }),
});

export const decideAll = reviewerEndpoint(
  {
    name: "decideAll",
    method: "POST",
    path: "/api/v1/files/:id/decisions/all",
    scope: "decide",
    summary: "Decides in one way about all rows of a list, or about those given, as one step",
    description: `\`matched\` takes the best candidate, \`rejected\` none, \`review\` sends back to review. At most ${MOST_AT_ONCE} rows. All of a list only for the file's owner.`,
    body: z.object({
      decision: z.enum(MANY_DECISIONS),
      rows: z
        .array(z.object({ number: rowNumber, seen: time.nullable() }))
        .min(1)
        .max(1000)
        .optional(),
      list: z.record(z.string(), z.string()).optional().meta({
        description:
          'Instead of `rows`: the parameters of the list of rows, such as `{"show": "review", "from": "80"}`.',
      }),
      expected: z.int().min(0).optional().meta({ description: "Nothing is decided if the list has more rows by now." }),
      at: time.optional().meta({ description: "Rows that have changed since then stay as they are; now, if missing." }),
    }),
    bodyLimit: 256 * 1024,
    answer: manyDecided,
  },
  async (call) => {
    const { web, member, found, body } = call;
    const { decision, rows, list, expected } = body;
    if ((rows === undefined) === (list === undefined))
      throw new KnownError(400, "param_error", "Send either rows or list.");
    const of = { h: found, person: member };
    if (rows) {
      const chosen = rows.map((row) => ({
        number: row.number,
        changedAt: row.seen === null ? null : new Date(row.seen),
      }));
      return decideMany(web.harmonizer, of, decision, { rows: chosen });
    }
    const asked = parseParameters(listed, list);
    if (!isOwner(found, member))
      throw new KnownError(403, "not_authorized", "Only the owner of a file decides about all of a list. Send rows.");
    if (asked.show === "unwritten") throw new KnownError(400, "param_error", "show must be an outcome here.");
    const { filter, ...rest } = await listOf(call, found, asked);
    const { isUnwritten: _, ...facets } = filter;
    const seen = body.at === undefined ? new Date() : new Date(body.at);
    return decideMany(web.harmonizer, of, decision, { ...rest, filter: facets, expected, seen });
  },
);

export const undoDecision = reviewerEndpoint(
  {
    name: "undoDecision",
    method: "POST",
    path: "/api/v1/files/:id/undo",
    scope: "decide",
    summary: "Undoes the person's last decision in the file, of one row or of many",
    answer: z.object({ restored: z.int(), changed_since: z.int(), gone: z.int() }),
  },
  async ({ web, member, found }) => {
    const undone = await undo(web.harmonizer, found, member);
    if (!undone) throw new KnownError(409, "conflict", "There is nothing to undo.");
    return { restored: undone.restored, changed_since: undone.changed, gone: undone.gone };
  },
);

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
    const { web, found } = call;
    const previous = found.previousId === null ? undefined : await findSeenWith(call, found.previousId);
    if (!previous) throw notFound("This file is no edition of another that you may see.");
    const { same, changed, added, gone } = await editionChanges(web.harmonizer, found, previous);
    return { previous_id: previous.id, unchanged: same, changed, new: added, removed: gone };
  },
);

const mapping = z.object({
  listing_id: z.string(),
  listing_name: z.string(),
  venue_id: z.string(),
  venue_name: z.string(),
  file: z.object({ id: z.uuid(), name: z.string() }),
  row: z.int(),
  score: z.string(),
  decision: z.string(),
  decided_by: z.string(),
  decided_at: z.string(),
  is_superseded: z.boolean(),
  attribution: z.string(),
});

const mappingView = (each: LookUp["mappings"][number]): z.output<typeof mapping> => ({
  listing_id: each.listingId,
  listing_name: each.listingName,
  venue_id: each.venueId,
  venue_name: each.venueName,
  file: each.file,
  row: each.number,
  score: each.score,
  decision: each.decision,
  decided_by: each.decidedBy,
  decided_at: each.decidedAt,
  is_superseded: each.isSuperseded,
  attribution: each.attribution,
});

export const findMappings = personEndpoint(
  {
    name: "findMappings",
    method: "POST",
    path: "/api/v1/mappings",
    scope: "read",
    summary: "Looks up ids both ways: own ids to venues, and venue ids to own ids",
    body: z.object({ ids: z.array(z.string().min(1).max(500)).min(1).max(MOST_IDS) }),
    bodyLimit: 512 * 1024,
    answer: z.object({ mappings: z.array(mapping), unknown: z.array(z.string()), is_cut: z.boolean() }),
  },
  async ({ web, member, token, body }) => {
    const ids = [...new Set(body.ids.map((id) => id.replaceAll("\0", "").trim()))];
    const { mappings, isCut } = await lookUp(web.harmonizer, member, ids);
    const seen = await seenWith(web, token, [...new Set(mappings.map(({ file }) => file.id))]);
    const shown = mappings.filter(({ file }) => seen.has(file.id));
    const known = new Set(
      shown.flatMap(({ listingId, venueId, formerVenueId }) => [listingId, venueId, formerVenueId]),
    );
    return { mappings: shown.map(mappingView), unknown: ids.filter((id) => !known.has(id)), is_cut: isCut };
  },
);
