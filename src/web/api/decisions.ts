import { z } from "zod";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import { decideMany, MANY_DECISIONS, MOST_AT_ONCE } from "../../harmonize/results/many.ts";
import { decide } from "../../harmonize/review/decisions.ts";
import { type ReviewListing, reviewListing } from "../../harmonize/review/listing.ts";
import { undo } from "../../harmonize/review/undo.ts";
import { isOwner } from "../../harmonize/run/harmonizations.ts";
import { parseParameters } from "../../http/parameters.ts";
import { badRequest, KnownError, notFound } from "../../shared/errors.ts";
import { openToken } from "../base/connections.ts";
import { reviewerEndpoint } from "./endpoint.ts";
import { listed, listOf, type RowCall, rowNumber, rowOf, rowView, seenAt, shownRow } from "./listings.ts";

const time = z.iso.datetime();

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
    return rowView(call.h, await rowOf(call));
  },
);

function decideOne({ web, member, h }: RowCall, row: ReviewListing, sent: z.output<typeof oneDecision>): Promise<void> {
  const token = openToken(web.vault, member.connection);
  return decide(
    web.harmonizer,
    { h, person: member, number: row.number },
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
  async ({ web, member, request, h, body }) => {
    const results: { number: number; is_decided: boolean; code: string | null; detail: string | null }[] = [];
    for (const { number, ...sent } of body.decisions) {
      const row = await reviewListing(web.harmonizer, { h, person: member, number });
      const said = row
        ? await decideOne({ web, member, request, h }, row, sent).then(() => undefined, ofOne)
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
    const { web, member, h, body } = call;
    const { decision, rows, list, expected } = body;
    if ((rows === undefined) === (list === undefined)) throw badRequest("Send either rows or list.");
    const of = { h, person: member };
    if (rows) {
      const chosen = rows.map((row) => ({
        number: row.number,
        changedAt: row.seen === null ? null : new Date(row.seen),
      }));
      return decideMany(web.harmonizer, of, decision, { rows: chosen });
    }
    const asked = parseParameters(listed, list);
    if (!isOwner(h, member))
      throw new KnownError(403, "not_authorized", "Only the owner of a file decides about all of a list. Send rows.");
    if (asked.show === "unwritten") throw badRequest("show must be an outcome here.");
    const { filter, ...rest } = await listOf(call, h, asked);
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
  async ({ web, member, h }) => {
    const undone = await undo(web.harmonizer, h, member);
    if (!undone) throw new KnownError(409, "conflict", "There is nothing to undo.");
    return { restored: undone.restored, changed_since: undone.changed, gone: undone.gone };
  },
);
