import { z } from "zod";
import { startUndoing } from "../../harmonize/add/undo-listings.ts";
import { startAnnotating } from "../../harmonize/annotate/annotate-listings.ts";
import { bridgeOf, wantUndo } from "../../harmonize/bridge/bridge.ts";
import { receiveBridge } from "../../harmonize/bridge/receive.ts";
import { CHANGES, lookedUp, lookStateOf, wantLook } from "../../harmonize/changes/changes.ts";
import type { Harmonization } from "../../harmonize/run/harmonizations.ts";
import { unanswered } from "../../harmonize/run/positions.ts";
import { wordsOf } from "../../harmonize/run/problems/words.ts";
import { sentFile, untilGone } from "../../http/uploads.ts";
import { badRequest, KnownError } from "../../shared/errors.ts";
import type { Web } from "../base/deps.ts";
import { beginAdding } from "../harmonize/add/add-all.ts";
import { requireFinished, sendBridgeRows } from "../harmonize/results/bridge.ts";
import { changesDownload, sendChanges } from "../harmonize/results/changes.ts";
import { exportFields, sendExport } from "../harmonize/results/export.ts";
import { authOf, fileEndpoint, fileName, ownerEndpoint } from "./endpoint.ts";
import { nothingDone } from "./file-state.ts";

const begun = z.object({ id: z.uuid(), begun: z.literal(true) });
const begins = ({ id }: Harmonization): z.output<typeof begun> => ({ id, begun: true });

export const addVenues = ownerEndpoint(
  {
    name: "addVenues",
    method: "POST",
    path: "/api/v1/files/:id/add",
    scope: "write",
    summary: "Adds a venue to the directory for each row without a match. Then wait for the file",
    description:
      "Each row is looked for once more before; none is added twice. The report is on the file's page; rows tell their own outcome.",
    body: z.object({
      category_id: z
        .string()
        .max(100)
        .default("")
        .meta({ description: "Of the directory: for rows whose category cannot be guessed." }),
      leave_out: z
        .boolean()
        .default(false)
        .meta({ description: "Leave out the rows whose category cannot be guessed." }),
      by_address: z
        .boolean()
        .default(false)
        .meta({ description: "Also those whose position is only estimated from the address." }),
    }),
    answer: begun,
    status: 202,
  },
  async (call) => {
    const { web, member, h, body } = call;
    const wanted = {
      categoryId: body.leave_out ? "" : body.category_id,
      leavesOut: body.leave_out,
      byAddress: body.by_address,
    };
    const end = await beginAdding(web, { member, h, auth: authOf(call) }, wanted);
    if (end === "positions") throw unanswered();
    if (end === "category")
      throw badRequest("Send category_id, of a category of the directory, for the rows without one, or leave_out.");
    if (end === "busy") throw nothingDone();
    return begins(h);
  },
);

export const undoAdding = ownerEndpoint(
  {
    name: "undoAdding",
    method: "POST",
    path: "/api/v1/files/:id/undo-adding",
    scope: "write",
    summary: "Deletes the venues that were lately added for this file, but for those that others hold",
    answer: begun,
    status: 202,
  },
  async ({ web, member, h }) => {
    if (!(await startUndoing(web.harmonizer, h, member))) throw nothingDone();
    return begins(h);
  },
);

export const writeIds = ownerEndpoint(
  {
    name: "writeIds",
    method: "POST",
    path: "/api/v1/files/:id/annotate",
    scope: "write",
    summary: "Writes the own ids of matched rows to their venues",
    answer: begun,
    status: 202,
  },
  async ({ web, member, h }) => {
    if (!(await startAnnotating(web.harmonizer, h, member))) throw nothingDone();
    return begins(h);
  },
);

export const exportFile = fileEndpoint(
  {
    name: "exportFile",
    method: "GET",
    path: "/api/v1/files/:id/export",
    scope: "read",
    summary: "Downloads the file with its results, or the mappings, or a bridge file",
    description: "In any state. With the parameters of the list of rows only those.",
    query: exportFields,
    answer: "file",
    cost: "transfer",
  },
  async ({ web, request, reply, member, h }) => sendExport(web, request, reply, { member, h }),
);

const looked = z.object({
  is_at_work: z.boolean(),
  since: z.iso.datetime(),
  at: z.iso.datetime(),
  done: z.int(),
  all: z.int(),
  counts: z.partialRecord(z.enum(CHANGES), z.int()).meta({ description: "Venues by what became of them, at the end." }),
  problem: z.string().nullable(),
});

async function lookView({ harmonizer }: Web, h: Harmonization): Promise<z.output<typeof looked>> {
  const look = await lookStateOf(harmonizer, h);
  if (!look)
    throw new KnownError(404, "not_found", "Nobody has looked at the venues of this file yet. POST here first.");
  const { done, all } = await lookedUp(harmonizer, h, look);
  const { isAtWork, since, at, counts = {}, problem } = look;
  return { is_at_work: isAtWork, since, at, done, all, counts, problem: problem && wordsOf(problem) };
}

export const lookAtVenues = ownerEndpoint(
  {
    name: "lookAtVenues",
    method: "POST",
    path: "/api/v1/files/:id/changes",
    scope: "decide",
    summary: "Looks the matched venues up again",
    answer: looked,
    status: 202,
  },
  async ({ web, h }) => {
    await wantLook(web.harmonizer, h);
    return lookView(web, h);
  },
);

export const readChanges = fileEndpoint(
  {
    name: "readChanges",
    method: "GET",
    path: "/api/v1/files/:id/changes",
    scope: "read",
    summary: "What became of the venues since they were matched, or looked up before",
    answer: looked,
  },
  ({ web, h }) => lookView(web, h),
);

export const downloadChanges = fileEndpoint(
  {
    name: "downloadChanges",
    method: "GET",
    path: "/api/v1/files/:id/changes/download",
    scope: "read",
    summary: "The rows whose venue was merged, closed, moved …",
    query: changesDownload,
    answer: "file",
    cost: "transfer",
  },
  async ({ web, request, reply, member, h }) => sendChanges(web, request, reply, { member, h }),
);

const bridge = z.object({
  file: z.string(),
  dataset: z.string().nullable(),
  rows: z.int(),
  others: z.int().meta({ description: "Rows of other data sets, which were left out." }),
  is_at_work: z.boolean(),
  outcomes: z
    .record(z.string(), z.int())
    .meta({ description: "Rows by what became of them; `waiting` for the directory." }),
  undone: z.int().nullable().meta({ description: "Decisions that were undone." }),
  problem: z.string().nullable(),
});

async function bridgeView({ harmonizer }: Web, h: Harmonization): Promise<z.output<typeof bridge>> {
  const state = await bridgeOf(harmonizer, h);
  if (!state) throw new KnownError(404, "not_found", "No bridge file has been sent for this file.");
  const outcomes = Object.fromEntries(state.counts.map(({ outcome, rows }) => [outcome ?? "waiting", rows]));
  return {
    file: state.file,
    dataset: state.dataset,
    rows: state.rows,
    others: state.others,
    outcomes,
    is_at_work: state.isAtWork,
    undone: state.undone ?? null,
    problem: state.problem ? wordsOf(state.problem) : null,
  };
}

export const sendBridge = ownerEndpoint(
  {
    name: "sendBridge",
    method: "POST",
    path: "/api/v1/files/:id/bridge",
    scope: "decide",
    summary: "Takes over the decisions of a bridge file: own ids and venue ids",
    description: "The body is the file itself, or a form with it, of any format that lists may have.",
    query: z.object({
      name: fileName.default("bridge.csv"),
      dataset: z
        .string()
        .max(200)
        .default("")
        .meta({ description: "Whose rows are meant, if it has those of several." }),
    }),
    takesFile: true,
    answer: bridge,
    status: 202,
  },
  async ({ web, request, reply, member, h, query }) => {
    requireFinished(h);
    await receiveBridge(web.harmonizer, h, member, {
      ...query,
      bytes: (await sentFile(request)).bytes,
      signal: untilGone(reply),
    });
    return bridgeView(web, h);
  },
);

export const readBridge = fileEndpoint(
  {
    name: "readBridge",
    method: "GET",
    path: "/api/v1/files/:id/bridge",
    scope: "read",
    summary: "What became of the last bridge file",
    answer: bridge,
  },
  ({ web, h }) => bridgeView(web, h),
);

export const downloadBridgeRows = fileEndpoint(
  {
    name: "downloadBridgeRows",
    method: "GET",
    path: "/api/v1/files/:id/bridge/rows",
    scope: "read",
    summary: "The rows of the last bridge file, each with what became of it, as CSV",
    answer: "file",
    cost: "transfer",
  },
  async ({ web, request, reply, member, h }) => sendBridgeRows(web, request, reply, { member, h }),
);

export const undoBridge = ownerEndpoint(
  {
    name: "undoBridge",
    method: "POST",
    path: "/api/v1/files/:id/bridge/undo",
    scope: "decide",
    summary: "Undoes the decisions that were taken over",
    answer: bridge,
    status: 202,
  },
  async ({ web, h }) => {
    if (!(await wantUndo(web.harmonizer, h.id))) throw nothingDone();
    return bridgeView(web, h);
  },
);
