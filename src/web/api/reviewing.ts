import { z } from "zod";
import { wholeNumber } from "../../contract/parameters.ts";
import { chooseCategory } from "../../harmonize/add/choose-category.ts";
import { decideFamily, FAMILY_KINDS, familyOf } from "../../harmonize/review/family.ts";
import { mendListing } from "../../harmonize/review/mend.ts";
import { addNote, notesOf } from "../../harmonize/review/notes.ts";
import { wordsOf } from "../../harmonize/run/problems/words.ts";
import { TEXT_FIELDS } from "../../harmonize/run/rows.ts";
import { badRequest } from "../../shared/errors.ts";
import { flatCategories } from "../harmonize/results/categories.ts";
import { noteText } from "../harmonize/review/notes.ts";
import { authOf, fileEndpoint, ownerEndpoint, personEndpoint, reviewerEndpoint } from "./endpoint.ts";
import { candidate, candidateView, type RowCall, rowNumber, rowOf, rowView, seenAt, shownRow } from "./listings.ts";

const time = z.iso.datetime();

const texts = z.object(Object.fromEntries(TEXT_FIELDS.map((field) => [field, z.string().max(1000).optional()])));

export const mendRow = reviewerEndpoint(
  {
    name: "mendRow",
    method: "POST",
    path: "/api/v1/files/:id/rows/:number/mend",
    scope: "decide",
    summary: "Corrects an undecided row and asks the directory about it again",
    description:
      "Each call says all corrections of the row: a text or position that is left out is as in the file. The file's cells stay.",
    body: z.object({
      name: z.string().max(1000).optional().meta({ description: "As it is, if missing." }),
      lat: z.number().optional(),
      lng: z.number().optional(),
      ...texts.shape,
      seen: seenAt,
    }),
    answer: shownRow,
  },
  async (call) => {
    const { seen, name, lat, lng, ...rest } = call.body;
    const row = await rowOf(call);
    const said = Object.fromEntries(Object.entries(rest).filter(([, text]) => text !== undefined));
    const at = { lat: String(lat ?? ""), lng: String(lng ?? "") };
    return mended(call, seen, { name: name ?? row.query?.name ?? "", ...at, ...said });
  },
);

export const takeMendBack = reviewerEndpoint(
  {
    name: "takeMendBack",
    method: "DELETE",
    path: "/api/v1/files/:id/rows/:number/mend",
    scope: "decide",
    summary: "Takes the corrections of an undecided row back, and asks the directory about it again",
    answer: shownRow,
  },
  (call) => mended(call, undefined, null),
);

/** @throws KnownError 400 with what is wrong with each field, 409 if somebody has changed the row since it was seen */
async function mended(
  call: RowCall & Parameters<typeof authOf>[0],
  seen: z.output<typeof seenAt>,
  mend: Parameters<typeof mendListing>[2]["mend"],
) {
  const { web, member, h } = call;
  const row = await rowOf(call);
  const asked = {
    auth: authOf(call),
    seen: seen === undefined ? row.changedAt : seen === null ? null : new Date(seen),
    mend,
  };
  const result = await mendListing(web.harmonizer, { h, person: member, number: row.number }, asked);
  if ("errors" in result) {
    const said = Object.entries(result.errors).map(([field, message]) => `${field}: ${message}`);
    throw badRequest(said.join(" "));
  }
  if ("problem" in result && mend) throw badRequest(wordsOf(result.problem));
  return rowView(h, await rowOf(call));
}

const kind = z.enum(FAMILY_KINDS).default("pattern").meta({
  description: "`pattern`: rows that differ from their best candidate in the same way; `same`: identical rows.",
});
const from = wholeNumber("from", 1, 99).optional().meta({ description: "Only those with this percentage and more." });

export const readFamily = reviewerEndpoint(
  {
    name: "readFamily",
    method: "GET",
    path: "/api/v1/files/:id/rows/:number/family",
    scope: "read",
    summary:
      "Shows the undecided rows that are like this one, itself included: up to 50 of them, and how many there are",
    query: z.object({ kind, from }),
    answer: z.object({
      count: z.int(),
      at: time.nullable().meta({ description: "Send it with the decision." }),
      rows: z.array(z.object({ number: z.int(), name: z.string(), best: candidate })),
    }),
  },
  async ({ h, member, web, request, query }) => {
    const { number } = await rowOf({ h, member, web, request });
    const of = { h, person: member, number };
    const { count, at, shown } = await familyOf(web.harmonizer, of, query.kind, { percent: query.from });
    const rows = shown.map(({ number, query: { name }, best }) => ({ number, name, best: candidateView(best) }));
    return { count, at: at?.toISOString() ?? null, rows };
  },
);

export const decideFamilyOf = reviewerEndpoint(
  {
    name: "decideFamily",
    method: "POST",
    path: "/api/v1/files/:id/rows/:number/family",
    scope: "decide",
    summary: "Decides alike about all rows that are like this one, as one step",
    body: z.object({
      kind,
      from: z.int().min(1).max(99).optional(),
      decision: z.enum(["matched", "rejected"]),
      count: z
        .int()
        .min(1)
        .meta({ description: "Of the answer before: if there are more by now, nothing is decided." }),
      at: time.meta({ description: "Of the answer before: rows that were matched again since stay." }),
    }),
    answer: z.object({
      decided: z.int(),
      overtaken: z.int().meta({ description: "Others have decided them meanwhile." }),
      gone: z.int().meta({ description: "Their venue is gone." }),
    }),
  },
  async ({ h, member, web, request, body }) => {
    const { number } = await rowOf({ h, member, web, request });
    const { kind, decision, count: expected, at, from: percent } = body;
    const wish = { kind, decision, expected, percent, seen: new Date(at) };
    const { decided, overtaken, gone } = await decideFamily(web.harmonizer, { h, person: member, number }, wish);
    return { decided, overtaken: overtaken.count, gone };
  },
);

const notes = z.object({
  notes: z
    .array(
      z.object({
        by: z.string().nullable().meta({ description: "Null if the account is deleted." }),
        asked: z.string().nullable().meta({ description: "Who is asked, if it is a question." }),
        text: z.string(),
        at: time,
        is_open: z.boolean().meta({ description: "A question that is not answered yet." }),
      }),
    )
    .meta({ description: "Oldest first." }),
});

async function notesView(call: RowCall): Promise<z.output<typeof notes>> {
  const { number } = await rowOf(call);
  const written = await notesOf(call.web.pool, { h: call.h, number });
  return { notes: written.map(({ at, isOpen, ...note }) => ({ ...note, at: at.toISOString(), is_open: isOpen })) };
}

export const readNotes = fileEndpoint(
  {
    name: "readNotes",
    method: "GET",
    path: "/api/v1/files/:id/rows/:number/notes",
    scope: "read",
    summary: "Lists what people have written and asked about a row",
    answer: notes,
  },
  notesView,
);

export const writeNoteOnRow = reviewerEndpoint(
  {
    name: "writeNote",
    method: "POST",
    path: "/api/v1/files/:id/rows/:number/notes",
    scope: "decide",
    summary: "Writes a note about a row, or asks somebody of the list",
    description:
      "It answers what the token's person was asked about the row. The same text of the same person, sent again, is one note.",
    body: z.object({
      text: noteText.refine((text) => text !== "", "text is missing"),
      ask: z.uuid().optional().meta({ description: "Id of somebody who reviews or owns the list: it is a question." }),
    }),
    answer: notes,
    status: 201,
  },
  async (call) => {
    const { number } = await rowOf(call);
    const { text, ask: askedId } = call.body;
    await addNote(call.web.pool, { h: call.h, person: call.member, number }, { text, askedId });
    return notesView(call);
  },
);

const category = z.object({ id: z.string(), name: z.string() });

export const listCategories = personEndpoint(
  {
    name: "listCategories",
    method: "GET",
    path: "/api/v1/categories",
    scope: "read",
    summary: "Lists the categories of the directory, each after the one above it",
    answer: z.object({ categories: z.array(category) }),
  },
  async (call) => ({ categories: flatCategories(await call.web.directory.categories(authOf(call))) }),
);

export const chooseCategories = ownerEndpoint(
  {
    name: "chooseCategories",
    method: "POST",
    path: "/api/v1/files/:id/categories",
    scope: "decide",
    summary: "Says of which category the venues of rows without a match are",
    body: z.object({
      rows: z.array(rowNumber).min(1).max(1000),
      category_id: z.string().max(100).nullable().meta({ description: "Null: as guessed." }),
    }),
    answer: z.object({ changed: z.int() }),
  },
  async (call) => {
    const { web, h, body } = call;
    const { rows, category_id: wanted } = body;
    if (
      wanted !== null &&
      !flatCategories(await web.directory.categories(authOf(call))).some(({ id }) => id === wanted)
    )
      throw badRequest("category_id must be one of /categories.");
    return { changed: await chooseCategory(web.harmonizer, h, rows, wanted) };
  },
);
