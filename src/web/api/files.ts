import { z } from "zod";
import { wholeNumber } from "../../contract/parameters.ts";
import { text } from "../../contract/text.ts";
import { chosenColumns } from "../../files/chosen-columns.ts";
import { FIELDS, indexesOf } from "../../files/columns.ts";
import { type FileFormat, QUOTES } from "../../files/format.ts";
import { beginAgain } from "../../harmonize/file/begin-again.ts";
import { earlierEditions, likelyEdition } from "../../harmonize/file/layout.ts";
import { previewFile } from "../../harmonize/file/preview.ts";
import { receiveFile } from "../../harmonize/file/receive.ts";
import type { Trial } from "../../harmonize/file/trial.ts";
import { moveCuts } from "../../harmonize/match/thresholds.ts";
import { answerPositions } from "../../harmonize/positions/answer.ts";
import { isToBeJudged } from "../../harmonize/positions/task.ts";
import { type Progress, progressOf } from "../../harmonize/results/progress.ts";
import { deleteHarmonization } from "../../harmonize/run/deletion.ts";
import {
  cancelHarmonization,
  type Harmonization,
  isAtWork,
  isOwner,
  listHarmonizations,
  pauseHarmonization,
  resumeHarmonization,
  retryFailed,
} from "../../harmonize/run/harmonizations.ts";
import { isOpen } from "../../harmonize/run/positions.ts";
import { wordsOf } from "../../harmonize/run/problems/words.ts";
import { untilGone } from "../../http/uploads.ts";
import { KnownError, notFound } from "../../shared/errors.ts";
import { positionsView } from "../harmonize/base/positions.ts";
import { townName, townProblem } from "../harmonize/base/town.ts";
import { type DraftWish, settleDraft } from "../harmonize/draft/draft.ts";
import { encodings, quotingOf, separators } from "../harmonize/draft/form.ts";
import {
  authOf,
  bytesSent,
  type Call,
  cursorOf,
  fileEndpoint,
  fileName,
  findSeenWith,
  lookUntil,
  ownerEndpoint,
  personEndpoint,
  readCursor,
  requireSeenWith,
} from "./endpoint.ts";
import { letSee, seenWith } from "./tokens.ts";

const STATES = ["draft", "reading", "matching", "adding", "annotating", "undoing", "ready", "cancelled"] as const;

const time = z.iso.datetime();

/** What every answer about a file begins with. */
const fileBrief = z.object({
  id: z.uuid(),
  name: z.string(),
  state: z.enum(STATES).meta({ description: "`draft` before the start, `ready` once its results are there." }),
  is_at_work: z.boolean(),
  paused_for: z.enum(["person", "connection", "directory", "application"]).nullable(),
  is_own: z.boolean(),
  is_shared: z.boolean(),
  rows: z.int().meta({ description: "0 before the file has been read." }),
  previous_id: z.uuid().nullable().meta({ description: "The edition before." }),
  created_at: time,
  matched_at: time.nullable(),
  expires_at: time.nullable().meta({ description: "When it is deleted unless it is used before." }),
  page: z.url().meta({ description: "In the web app." }),
});

const counts = z.object({ matched: z.int(), review: z.int(), none: z.int(), failed: z.int(), pending: z.int() });

const fileState = fileBrief.extend({
  progress: z.object({
    done: z.int(),
    total: z.int().meta({ description: "While the file is read, an estimate." }),
    per_second: z.number().nullable(),
    seconds_left: z.number().nullable(),
    has_worker: z.boolean(),
  }),
  counts: counts.nullable().meta({ description: "Rows by outcome; null while they are still counted." }),
  can: z
    .object({
      add: z.int(),
      add_by_address: z.int(),
      annotate: z.int(),
      undo_adding: z.int(),
      retry: z.int(),
    })
    .nullable()
    .meta({ description: "How many rows each next step is about." }),
  positions: z
    .object({
      verdict: z.enum(["fine", "wrong", "elsewhere", "unknown"]),
      is_open: z.boolean(),
      message: z.string().nullable(),
    })
    .nullable()
    .meta({
      description:
        "Whether the positions look right; `is_open`: answer before venues are added. Null before they are judged.",
    }),
  is_judging: z.boolean().meta({ description: "Whether the positions are still being judged." }),
  problem: z.string().nullable().meta({ description: "Why a draft could not be tried or started." }),
});

function briefOf(
  { web, member }: Pick<Call<unknown, unknown>, "web" | "member">,
  h: Harmonization,
): z.output<typeof fileBrief> {
  return {
    ...{
      id: h.id,
      name: h.name,
      state: h.state as (typeof STATES)[number],
      is_at_work: isAtWork(h),
      paused_for: h.pausedFor,
    },
    ...{ is_own: isOwner(h, member), is_shared: h.isShared, rows: h.listingCount, previous_id: h.previousId },
    created_at: h.createdAt.toISOString(),
    matched_at: h.matchedAt?.toISOString() ?? null,
    expires_at: h.expiresAt?.toISOString() ?? null,
    page: `${web.config.web.url}/harmonizations/${h.id}`,
  };
}

async function stateOf(
  call: Pick<Call<unknown, unknown>, "web" | "member">,
  h: Harmonization,
): Promise<z.output<typeof fileState>> {
  const progress = await progressOf(call.web.harmonizer, h);
  const { error } = (h.trial as Partial<Trial> | null) ?? {};
  const view = positionsView(h.positions);
  return {
    ...briefOf(call, h),
    progress: {
      ...{ done: progress.done, total: progress.total, has_worker: progress.hasWorker },
      per_second: progress.perSecond ?? null,
      seconds_left: progress.secondsLeft ?? null,
    },
    counts: progress.isCounted ? progress.counts : null,
    can: progress.isCounted ? stepsOf(progress) : null,
    positions: h.positions && {
      ...{ verdict: h.positions.verdict, is_open: isOpen(h.positions) },
      message: view ? [("heading" in view && view.heading) || "", view.message].filter(Boolean).join(" ") : null,
    },
    is_judging: isBeingJudged(h),
    problem: error ? wordsOf(error) : null,
  };
}

const stepsOf = ({ addable, addableByAddress, annotatable, undoable, retryable }: Progress) => ({
  ...{ add: addable, add_by_address: addableByAddress, annotate: annotatable, undo_adding: undoable, retry: retryable },
});

const place = z.object({ at: time, id: z.uuid() });

export const listFiles = personEndpoint(
  {
    name: "listFiles",
    method: "GET",
    path: "/api/v1/files",
    scope: "read",
    summary: "Lists files, newest first",
    query: z.object({
      q: text("q", 200).optional().meta({ description: "Part of the name." }),
      sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/, "sha256 must be 64 hexadecimal digits")
        .optional()
        .meta({ description: "Of the bytes that were uploaded." }),
      limit: wholeNumber("limit", 1, 100).default(50),
      cursor: z.string().max(500).optional().meta({ description: "`next_cursor` of the answer before." }),
    }),
    answer: z.object({ files: z.array(fileBrief), next_cursor: z.string().nullable() }),
  },
  async (call) => {
    const { web, member, token, query } = call;
    const { q, sha256, limit, cursor } = query;
    const after = readCursor(place, cursor);
    const found = await listHarmonizations(web.harmonizer, member, {
      ...{
        most: limit + 1,
        named: q ?? "",
        hash: sha256 === undefined ? undefined : new Uint8Array(Buffer.from(sha256, "hex")),
      },
      before: after && { createdAt: new Date(after.at), id: after.id },
    });
    const shown = found.slice(0, limit);
    const seen = await seenWith(
      web,
      token,
      shown.map(({ id }) => id),
    );
    const last = found.length > limit ? shown.at(-1) : undefined;
    return {
      files: shown.filter(({ id }) => seen.has(id)).map((each) => briefOf(call, each)),
      next_cursor: last ? cursorOf({ at: last.createdAt.toISOString(), id: last.id }) : null,
    };
  },
);

export const uploadFile = personEndpoint(
  {
    name: "uploadFile",
    method: "POST",
    path: "/api/v1/files",
    scope: "decide",
    summary: "Uploads a file: it becomes a draft",
    description:
      "The body is the file itself: delimited text, a workbook (.xlsx), JSON, NDJSON, GeoJSON or Parquet, also as gzip or zip. Its columns are guessed.",
    query: z.object({ name: fileName.meta({ description: "Of the file.", examples: ["stores.csv"] }) }),
    takesFile: true,
    answer: fileState,
    status: 201,
  },
  async (call) => {
    const { web, request, reply, member, token, query } = call;
    const sent = { accountId: member.id, name: query.name, bytes: bytesSent(request), signal: untilGone(reply) };
    const id = await receiveFile(web.harmonizer, sent);
    await letSee(web, token, id);
    reply.header("location", `/api/v1/files/${id}`);
    return now(call, id);
  },
);

/** @throws KnownError 404 if it was deleted meanwhile */
async function now(call: Pick<Call<unknown, unknown>, "web" | "member" | "token">, id: string) {
  return stateOf(call, await requireSeenWith(call, id));
}

const isTried = ({ trial }: Harmonization) => (trial as Partial<Trial> | null)?.state === "waiting";

export const readFile = fileEndpoint(
  {
    name: "readFile",
    method: "GET",
    path: "/api/v1/files/:id",
    scope: "read",
    summary: "Says how far a file is; waits for its end if wanted",
    query: z.object({
      wait: wholeNumber("wait", 0, 30).default(0).meta({
        description: "Seconds to wait while it is at work, being tried or judged. Call again until it is not.",
      }),
    }),
    answer: fileState,
    cost: "stream",
  },
  async (call) => {
    const { web, member, found, query } = call;
    const look = () => findSeenWith(call, found.id);
    const isThere = (h: Harmonization | undefined) =>
      h === undefined || !(isAtWork(h) || isTried(h) || (h.state === "ready" && isBeingJudged(h)));
    const h = query.wait > 0 ? await lookUntil(call, query.wait, look, isThere) : found;
    if (!h) throw notFound("There is no such file.");
    return stateOf({ web, member }, h);
  },
);

const isBeingJudged = (h: Harmonization) => isToBeJudged(h) && h.positions === null;

export const deleteFile = ownerEndpoint(
  {
    name: "deleteFile",
    method: "DELETE",
    path: "/api/v1/files/:id",
    scope: "decide",
    summary: "Deletes a file and its results. Nothing changes in the directory",
    answer: z.object({ id: z.uuid(), deleted: z.literal(true) }),
  },
  async ({ web, found }) => {
    await deleteHarmonization(web.harmonizer, found.id);
    return { id: found.id, deleted: true };
  },
);

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
      counts: counts.omit({ pending: true }),
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
    ...{ id, name, header, previous_id: previousId, warnings: preview.warnings },
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
      ...{ state: trial.state, total: trial.total, done: trial.done, counts: trial.counts },
      problem: trial.error ? wordsOf(trial.error) : null,
    },
  };
}

const STARTED = { warnings: [], columns: [], owned: [] };

const formatView = (format: FileFormat) => ({
  kind: format.kind ?? "csv",
  ...{ encoding: format.encoding, separator: format.separator, quotes: quotingOf(format) },
  ...{ has_header: format.hasHeader, header_line: format.headerLine ?? 1 },
  ...{ sheet: format.sheet ?? null, sheets: format.sheets ?? [], town: format.town ?? null },
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
  (call) => draftOf(call, call.found),
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
    ...{ action, format, faults: [], name: sent.name ?? "" },
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
    throw new KnownError(
      400,
      "param_error",
      `There is no column “${column}”. The columns are ${header.slice(0, 50).join(", ")}.`,
    );
  return at + 1;
}

/** @throws KnownError 400 or 409 with what the page would say */
async function change(
  call: Call<unknown, unknown> & { found: Harmonization },
  sent: z.output<typeof sentColumns>,
  action: string,
) {
  const { web, member, found, reply } = call;
  requireDraft(found);
  // An edition brings its decisions, so the token must be allowed to see it.
  if (sent.previous_id && !(await findSeenWith(call, sent.previous_id)))
    throw new KnownError(400, "param_error", "previous_id must be a file that this token may see.");
  const end = await settleDraft(web, member, found, wishOf(found, sent, action), untilGone(reply));
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
    const h = await requireSeenWith(call, call.found.id);
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
    return now(call, call.found.id);
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
    return now(call, call.found.id);
  },
);

/** An act on a file at work, of which the answer is its state. */
const control = (
  name: string,
  verb: string,
  summary: string,
  act: (call: Call<undefined, undefined> & { found: Harmonization }) => Promise<boolean>,
) =>
  ownerEndpoint(
    {
      name,
      method: "POST",
      path: `/api/v1/files/:id/${verb}`,
      scope: "decide",
      summary,
      answer: fileState,
      status: 202,
    },
    async (call) => {
      if (!(await act(call))) throw notNow();
      return now(call, call.found.id);
    },
  );

export const notNow = () =>
  new KnownError(409, "conflict", "Nothing was done: something else is running, or there is nothing left to do.");

export const pauseFile = control("pauseFile", "pause", "Pauses what is at work", ({ web, found }) =>
  pauseHarmonization(web.harmonizer, found.id),
);
export const resumeFile = control("resumeFile", "resume", "Goes on after a pause", ({ web, found }) =>
  resumeHarmonization(web.harmonizer, found.id),
);
export const cancelFile = control(
  "cancelFile",
  "cancel",
  "Ends what is at work; what is done stays",
  ({ web, found }) => cancelHarmonization(web.harmonizer, found.id),
);

export const retryFile = ownerEndpoint(
  {
    name: "retryFile",
    method: "POST",
    path: "/api/v1/files/:id/retry",
    scope: "decide",
    summary: "Asks the directory again about the rows that failed",
    body: z.object({
      town: townName
        .optional()
        .meta({ description: "Where rows are that name no place, or none that the directory knows." }),
    }),
    answer: fileState,
    status: 202,
  },
  async (call) => {
    const { web, found, body } = call;
    const problem = body.town && (await townProblem(web.directory, authOf(call), body.town));
    if (problem) throw new KnownError(400, "param_error", problem);
    if (!(await retryFailed(web.harmonizer, found.id, body.town))) throw notNow();
    return now(call, found.id);
  },
);

export const beginFileAgain = ownerEndpoint(
  {
    name: "beginFileAgain",
    method: "POST",
    path: "/api/v1/files/:id/again",
    scope: "decide",
    summary: "Makes a new draft of the same rows, for other columns; the first one stays",
    body: z.object({ repair_positions: z.boolean().default(false) }),
    answer: fileState,
    status: 201,
  },
  async (call) => {
    const { web, token, found, body } = call;
    if (found.state === "draft") throw new KnownError(409, "conflict", "This is still a draft: change its columns.");
    const id = await beginAgain(web.harmonizer, found, { isRepaired: body.repair_positions });
    await letSee(web, token, id);
    return now(call, id);
  },
);

export const answerAboutPositions = ownerEndpoint(
  {
    name: "answerAboutPositions",
    method: "POST",
    path: "/api/v1/files/:id/positions",
    scope: "decide",
    summary: "Says whether positions that look wrong are right",
    description: "`repair` is possible before the start only; afterwards begin again with `repair_positions`.",
    body: z.object({ answer: z.enum(["right", "repair"]) }),
    answer: fileState,
  },
  async (call) => {
    if (!(await answerPositions(call.web.harmonizer, call.found, call.body.answer))) throw notNow();
    return now(call, call.found.id);
  },
);

export const changeCuts = ownerEndpoint(
  {
    name: "changeCuts",
    method: "POST",
    path: "/api/v1/files/:id/cuts",
    scope: "decide",
    summary: "Sets from which score matches are accepted, and from which they are reviewed",
    body: z.object({
      accept_from: z.number().min(0.5).max(0.999),
      review_from: z.number().min(0).max(0.999).optional().meta({ description: "As it is, if missing." }),
    }),
    answer: fileState,
  },
  async (call) => {
    const { accept_from: acceptFrom, review_from: reviewFrom = call.found.reviewFrom } = call.body;
    if (reviewFrom > acceptFrom) throw new KnownError(400, "param_error", "review_from must not be above accept_from.");
    if (!(await moveCuts(call.web.harmonizer, call.found.id, { acceptFrom, reviewFrom }))) throw notNow();
    return now(call, call.found.id);
  },
);
