import { z } from "zod";
import { chosenColumns } from "../../files/chosen-columns.ts";
import { FIELDS, indexesOf } from "../../files/columns.ts";
import { type FileFormat, QUOTES } from "../../files/format.ts";
import { earlierEditions, likelyEdition } from "../../harmonize/file/layout.ts";
import { previewFile } from "../../harmonize/file/preview.ts";
import type { Trial } from "../../harmonize/file/trial.ts";
import type { Harmonization } from "../../harmonize/run/harmonizations.ts";
import { wordsOf } from "../../harmonize/run/problems/words.ts";
import { untilGone } from "../../http/uploads.ts";
import { badRequest, KnownError } from "../../shared/errors.ts";
import { townName } from "../harmonize/base/town.ts";
import { encodings, quotingOf, separators } from "../harmonize/draft/form.ts";
import { type DraftWish, settleDraft } from "../harmonize/draft/settle-draft.ts";
import { type Call, findSeenWith, ownerEndpoint, requireSeenWith } from "./endpoint.ts";
import { currentState, fileState, outcomeCounts } from "./file-state.ts";

const draftView = z.object({
  id: z.uuid(),
  name: z.string(),
  header: z.array(z.string()),
  columns: z.record(z.string(), z.array(z.string())).meta({
    description: `The columns of each field, in the order in which they are joined. The fields are ${FIELDS.join(", ")}.`,
  }),
  samples: z.array(z.object({ column: z.string(), filled: z.number(), samples: z.array(z.string()) })),
  format: z.object({
    kind: z.string(),
    encoding: z.string(),
    separator: z.string(),
    quotes: z.enum(QUOTES),
    has_header: z.boolean(),
    header_line: z.int(),
    sheet: z.string().nullable(),
    sheets: z.array(z.string()),
    town: z.string().nullable(),
  }),
  previous_id: z.uuid().nullable(),
  likely_previous: z
    .object({ id: z.uuid(), name: z.string(), is_sure: z.boolean() })
    .nullable()
    .meta({ description: "An earlier file of which this looks like a new edition." }),
  warnings: z.array(z.string()),
  trial: z
    .object({
      state: z.enum(["waiting", "done"]),
      total: z.int(),
      done: z.int(),
      counts: outcomeCounts.omit({ pending: true }),
      problem: z.string().nullable(),
    })
    .nullable(),
});

/** @throws KnownError 409 for a file that has been started */
function requireDraft({ state }: Harmonization): void {
  if (state !== "draft")
    throw new KnownError(409, "conflict", "This file has been started: its columns are fixed. Begin again for others.");
}

async function draftOf(
  { web, member }: Pick<Call<unknown, unknown>, "web" | "member">,
  h: Harmonization,
): Promise<z.output<typeof draftView>> {
  const { id, name, header, columns, format, previousId } = h;
  const preview = h.state === "draft" ? await previewFile(web.harmonizer, h) : STARTED;
  const isAsked = previousId === null && h.state === "draft";
  const editions = isAsked ? await earlierEditions(web.harmonizer, h, member.id) : [];
  const likely = await likelyEdition(web.harmonizer, h, editions, preview.owned);
  const trial = h.trial as unknown as Trial | null;
  return {
    id,
    name,
    header,
    previous_id: previousId,
    warnings: preview.warnings,
    columns: Object.fromEntries(
      FIELDS.flatMap((field) => {
        const named = indexesOf(columns, field).map((index) => header[index] ?? "");
        return named.length > 0 ? [[field, named]] : [];
      }),
    ),
    samples: preview.columns.map(({ name: column, filled, samples }) => ({ column, filled, samples })),
    format: formatView(format),
    likely_previous: likely ? { id: likely.run.id, name: likely.run.name, is_sure: likely.isSure } : null,
    trial: trial && {
      state: trial.state,
      total: trial.total,
      done: trial.done,
      counts: trial.counts,
      problem: trial.error ? wordsOf(trial.error) : null,
    },
  };
}

const STARTED = { warnings: [], columns: [], owned: [] };

const formatView = (format: FileFormat) => ({
  kind: format.kind ?? "csv",
  encoding: format.encoding,
  separator: format.separator,
  quotes: quotingOf(format),
  has_header: format.hasHeader,
  header_line: format.headerLine ?? 1,
  sheet: format.sheet ?? null,
  sheets: format.sheets ?? [],
  town: format.town ?? null,
});

export const readColumns = ownerEndpoint(
  {
    name: "readColumns",
    method: "GET",
    path: "/api/v1/files/:id/columns",
    scope: "read",
    summary:
      "Shows how a file is read: its columns as guessed or chosen; of a draft also samples, warnings and its trial",
    answer: draftView,
  },
  (call) => draftOf(call, call.h),
);

const sentColumns = z.object({
  columns: z
    .partialRecord(
      z.enum(FIELDS),
      z.union([z.string(), z.int(), z.array(z.union([z.string(), z.int()])).max(9), z.null()]),
    )
    .optional()
    .meta({
      description:
        "Of each field the column, by name or by number from 1, several in the order in which they are joined, or null for none. Other fields stay as they are.",
      examples: [{ name: "Shop", address: ["Street", "No"], phone: null }],
    }),
  town: townName.nullable().optional().meta({ description: "Where all rows are that name no place; null for none." }),
  previous_id: z.uuid().nullable().optional().meta({ description: "The edition before; null: it is a new list." }),
  name: z.string().min(1).max(200).optional(),
  encoding: z.enum(Object.keys(encodings()) as [FileFormat["encoding"]]).optional(),
  separator: z.enum(Object.keys(separators()) as [FileFormat["separator"]]).optional(),
  quotes: z.enum(QUOTES).optional(),
  sheet: z.string().max(200).optional().meta({ description: "Of a workbook; `*` for all with the same columns." }),
  header: z
    .union([z.int().min(1).max(20), z.literal(false)])
    .optional()
    .meta({ description: "The line with the column names; false if there is none." }),
});

/** What the page's form would say. Throws KnownError 400 for a column that there is not. */
function wishOf(h: Harmonization, sent: z.output<typeof sentColumns>, action: string): DraftWish {
  const pairs = Object.entries(sent.columns ?? {}).map(([field, named]) => {
    const all = named === null ? [] : [named].flat();
    return `${field}=${all.length === 0 ? "none" : all.map((one) => numberIn(h.header, one)).join("+")}`;
  });
  const { header } = sent;
  const format: FileFormat = {
    ...h.format,
    ...(sent.encoding && { encoding: sent.encoding }),
    ...(sent.separator && { separator: sent.separator }),
    ...(sent.quotes && sent.quotes !== quotingOf(h.format) && { isEscaped: sent.quotes === "backslash" }),
    ...(sent.sheet !== undefined && { sheet: sent.sheet }),
    ...(header !== undefined && { hasHeader: header !== false }),
    ...(typeof header === "number" && header !== (h.format.headerLine ?? 1) && { headerLine: header }),
  };
  const isSaid = sent.previous_id !== undefined;
  return {
    action,
    format,
    faults: [],
    name: sent.name ?? "",
    columns: pairs.reduce((columns, pair) => chosenColumns(pair, numbered(h.header), columns), h.columns),
    town: sent.town === undefined ? (h.format.town ?? "") : (sent.town ?? ""),
    previousId: isSaid ? (sent.previous_id ?? null) : h.previousId,
    isNewList: sent.previous_id === null,
  };
}

/** Names that are numbers only, as chosenColumns() reads them, so that no sign in a name means something. */
const numbered = (header: string[]): string[] => header.map(() => "");

function numberIn(header: string[], column: string | number): number {
  const at = typeof column === "string" ? header.indexOf(column) : column - 1;
  if (header[at] === undefined)
    throw badRequest(`There is no column “${column}”. The columns are ${header.slice(0, 50).join(", ")}.`);
  return at + 1;
}

/** @throws KnownError 400 or 409 with what the page would say */
async function change(
  call: Call<unknown, unknown> & { h: Harmonization },
  sent: z.output<typeof sentColumns>,
  action: string,
) {
  const { web, member, h, reply } = call;
  requireDraft(h);
  // An edition brings its decisions, so the token must be allowed to see it.
  if (sent.previous_id && !(await findSeenWith(call, sent.previous_id)))
    throw badRequest("previous_id must be a file that this token may see.");
  const end = await settleDraft(web, member, h, wishOf(h, sent, action), untilGone(reply));
  if (end.kind !== "refused") return end.kind;
  const said = end.faults.map(({ message }) => message).join(" ");
  throw new KnownError(end.status, end.status === 409 ? "conflict" : "param_error", said);
}

export const changeColumns = ownerEndpoint(
  {
    name: "changeColumns",
    method: "POST",
    path: "/api/v1/files/:id/columns",
    scope: "decide",
    summary: "Corrects how a draft is read",
    description:
      "Another encoding, separator, quotes, sheet or header has the columns guessed anew; send the columns in a call after that.",
    body: sentColumns,
    answer: draftView,
  },
  async (call) => {
    await change(call, call.body, "save");
    const h = await requireSeenWith(call, call.h.id);
    requireDraft(h);
    return draftOf(call, h);
  },
);

export const tryFile = ownerEndpoint(
  {
    name: "tryFile",
    method: "POST",
    path: "/api/v1/files/:id/trial",
    scope: "decide",
    summary: "Tries a draft on some of its rows. Wait for it, then read its columns",
    answer: fileState,
    status: 202,
  },
  async (call) => {
    await change(call, {}, "try");
    return currentState(call, call.h.id);
  },
);

export const startFile = ownerEndpoint(
  {
    name: "startFile",
    method: "POST",
    path: "/api/v1/files/:id/start",
    scope: "decide",
    summary: "Starts to match a draft",
    answer: fileState,
    status: 202,
  },
  async (call) => {
    await change(call, {}, "start");
    return currentState(call, call.h.id);
  },
);
