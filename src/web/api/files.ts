import { z } from "zod";
import { wholeNumber } from "../../contract/parameters.ts";
import { text } from "../../contract/text.ts";
import { beginAgain } from "../../harmonize/file/begin-again.ts";
import { isUploadComplete, receiveFile } from "../../harmonize/file/receive.ts";
import type { Trial } from "../../harmonize/file/trial.ts";
import { moveCuts } from "../../harmonize/match/thresholds.ts";
import { answerPositions } from "../../harmonize/positions/answer.ts";
import { deleteHarmonization } from "../../harmonize/run/deletion.ts";
import {
  cancelHarmonization,
  type Harmonization,
  isAtWork,
  listHarmonizations,
  pauseHarmonization,
  resumeHarmonization,
  retryFailed,
} from "../../harmonize/run/harmonizations.ts";
import { sentFile, untilGone } from "../../http/uploads.ts";
import { badRequest, KnownError, notFound } from "../../shared/errors.ts";
import { townName, townProblem } from "../harmonize/base/town.ts";
import {
  authOf,
  type Call,
  cursorOf,
  fileEndpoint,
  fileName,
  findSeenWith,
  ownerEndpoint,
  personEndpoint,
  readCursor,
} from "./endpoint.ts";
import {
  currentState,
  fileBrief,
  fileBriefOf,
  fileState,
  isBeingJudged,
  nothingDone,
  stateOf,
  time,
} from "./file-state.ts";
import { lookUntil } from "./look-until.ts";
import { letSee, seenWith } from "./tokens.ts";

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
      most: limit + 1,
      named: q ?? "",
      hash: sha256 === undefined ? undefined : new Uint8Array(Buffer.from(sha256, "hex")),
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
      files: shown.filter(({ id }) => seen.has(id)).map((each) => fileBriefOf(call, each)),
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
      "The body is the file itself, or a form with it (`multipart/form-data`): delimited text, a workbook (.xlsx), JSON, NDJSON, GeoJSON or Parquet, also as gzip or zip. Its columns are guessed.",
    query: z.object({
      name: fileName
        .optional()
        .meta({ description: "Of the file, unless the form says it.", examples: ["stores.csv"] }),
    }),
    takesFile: true,
    answer: fileState,
    status: 201,
  },
  async (call) => {
    const { web, request, reply, member, token, query, makes } = call;
    const { name = query.name, bytes } = await sentFile(request);
    if (name === undefined) throw badRequest("Say the name of the file: ?name=stores.csv.");
    const sent = { id: makes, accountId: member.id, name: query.name ?? name, bytes, signal: untilGone(reply) };
    const id = (await isUploadComplete(web.pool, makes)) ? makes : await receiveFile(web.harmonizer, sent);
    await letSee(web, token, id);
    reply.header("location", `/api/v1/files/${id}`);
    return currentState(call, id);
  },
);

/** In other states nobody judges positions. */
const JUDGED_IN = new Set<Harmonization["state"]>(["draft", "ready"]);

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
    const { web, member, h, query } = call;
    const look = () => findSeenWith(call, h.id);
    const isThere = (now: Harmonization | undefined) =>
      now === undefined || !(isAtWork(now) || isTried(now) || (JUDGED_IN.has(now.state) && isBeingJudged(now)));
    const now = query.wait > 0 ? await lookUntil(call, query.wait, look, isThere) : h;
    if (!now) throw notFound("There is no such file.");
    return stateOf({ web, member }, now);
  },
);

export const changeFile = ownerEndpoint(
  {
    name: "changeFile",
    method: "POST",
    path: "/api/v1/files/:id",
    scope: "decide",
    summary: "Renames a file, or shares it with everybody here",
    body: z.object({
      name: z.string().trim().min(1).max(200).optional(),
      is_shared: z.boolean().optional().meta({ description: "Whether everybody here may see it and decide." }),
    }),
    answer: fileState,
  },
  async (call) => {
    const { name, is_shared: isShared } = call.body;
    const data = { ...(name !== undefined && { name }), ...(isShared !== undefined && { isShared }) };
    await call.web.prisma.harmonization.updateMany({ where: { id: call.h.id }, data });
    return currentState(call, call.h.id);
  },
);

export const deleteFile = ownerEndpoint(
  {
    name: "deleteFile",
    method: "DELETE",
    path: "/api/v1/files/:id",
    scope: "decide",
    summary: "Deletes a file and its results. Nothing changes in the directory",
    answer: z.object({ id: z.uuid(), deleted: z.literal(true) }),
  },
  async ({ web, h }) => {
    await deleteHarmonization(web.harmonizer, h.id);
    return { id: h.id, deleted: true };
  },
);

/** An act on a file at work, of which the answer is its state. */
const control = (
  name: string,
  verb: string,
  summary: string,
  act: (call: Call<undefined, undefined> & { h: Harmonization }) => Promise<boolean>,
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
      if (!(await act(call))) throw nothingDone();
      return currentState(call, call.h.id);
    },
  );

export const pauseFile = control("pauseFile", "pause", "Pauses what is at work", ({ web, h }) =>
  pauseHarmonization(web.harmonizer, h.id),
);
export const resumeFile = control("resumeFile", "resume", "Goes on after a pause", ({ web, h }) =>
  resumeHarmonization(web.harmonizer, h.id),
);
export const cancelFile = control("cancelFile", "cancel", "Ends what is at work; what is done stays", ({ web, h }) =>
  cancelHarmonization(web.harmonizer, h.id),
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
    const { web, h, body } = call;
    const problem = body.town && (await townProblem(web.directory, authOf(call), body.town));
    if (problem) throw badRequest(problem);
    if (!(await retryFailed(web.harmonizer, h.id, body.town))) throw nothingDone();
    return currentState(call, h.id);
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
    const { web, token, h, body } = call;
    if (h.state === "draft") throw new KnownError(409, "conflict", "This is still a draft: change its columns.");
    const id = await beginAgain(web.harmonizer, h, { isRepaired: body.repair_positions });
    await letSee(web, token, id);
    return currentState(call, id);
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
    if (!(await answerPositions(call.web.harmonizer, call.h, call.body.answer))) throw nothingDone();
    return currentState(call, call.h.id);
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
    const { accept_from: acceptFrom, review_from: reviewFrom = call.h.reviewFrom } = call.body;
    if (reviewFrom > acceptFrom) throw badRequest("review_from must not be above accept_from.");
    if (!(await moveCuts(call.web.harmonizer, call.h.id, { acceptFrom, reviewFrom }))) throw nothingDone();
    return currentState(call, call.h.id);
  },
);
