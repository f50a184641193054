import { isDeepStrictEqual } from "node:util";
import type { FastifyReply, FastifyRequest } from "fastify";
import { DirectoryError } from "../../../directory-client/calls/errors.ts";
import { type Columns, FIELDS, indexesOf } from "../../../files/columns.ts";
import type { FileFormat } from "../../../files/format.ts";
import { columnInWords } from "../../../files/row/row.ts";
import { copiedFrom } from "../../../harmonize/file/copy-rows.ts";
import {
  changeDraft,
  type Earlier,
  earlierEditions,
  inTown,
  isNewList,
  type Likely,
  likelyEdition,
  mayPrecede,
  rereadFile,
  townOfEdition,
} from "../../../harmonize/file/layout.ts";
import { missingColumns, namesPlace, noIds, type Preview, previewFile } from "../../../harmonize/file/preview.ts";
import type { Trial } from "../../../harmonize/file/trial.ts";
import { answerPositions } from "../../../harmonize/positions/answer.ts";
import { isToBeJudged } from "../../../harmonize/positions/task.ts";
import { type Harmonization, isOwner } from "../../../harmonize/run/harmonizations.ts";
import { areJudgedAlike, isOpen } from "../../../harmonize/run/positions.ts";
import { wordsOf } from "../../../harmonize/run/problems/words.ts";
import { effective } from "../../../harmonize/run/row-repairs.ts";
import { takeNotice, textField } from "../../../http/pages/forms.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import { shownTime } from "../../../http/pages/times.ts";
import { untilGone } from "../../../http/uploads.ts";
import { t } from "../../../language/translate.ts";
import { KnownError, notFound } from "../../../shared/errors.ts";
import type { Web } from "../../base/deps.ts";
import type { Member } from "../../base/members.ts";
import { sendPage } from "../../base/page.ts";
import { looksLikeEdition } from "../base/edition.ts";
import { expiryInWords } from "../base/expiry.ts";
import type { Seen } from "../base/guards.ts";
import { backTo, renamedTo, unusedRepairs } from "../base/notice.ts";
import { peopleLine } from "../base/people.ts";
import { positionsView } from "../base/positions.ts";
import { townName, townProblem } from "../base/town.ts";
import { meaningAt, meanings, readFormat, readName, readSelects } from "./form.ts";
import { readingView } from "./reading.ts";
import { trialView } from "./trial.ts";

/**
 * `POST /harmonizations/:id/columns`: columns, format, `town` and `name`. `action` is `reread`, `save`, `rename`, `try`,
 * `start`, an answer about the positions: `repair`, `right` or `ask`, or about the edition: `edition` or `new-list`. Every action saves the other fields.
 */
export async function changeColumns(web: Web, request: FastifyRequest, reply: FastifyReply, { member, found }: Seen) {
  // Sent twice, or started in another tab.
  if (found.state !== "draft") return reply.redirect(`/harmonizations/${found.id}`, 303);
  return change(web, request, reply, member, found);
}

async function change(
  web: Web,
  request: FastifyRequest,
  reply: FastifyReply,
  member: Member,
  harmonization: Harmonization,
) {
  const { body } = request;
  const action = textField(body, "action");
  const { columns, errors } = readSelects(body, harmonization.header);
  const { town, error } = readTown(body, harmonization);
  const wish: DraftWish = {
    action,
    columns,
    town,
    ...readEdition(body, action),
    format: readFormat(body, harmonization.format),
    name: readName(body),
    faults: error ? [...errors, error] : errors,
  };
  const end = await settleDraft(web, member, harmonization, wish, untilGone(reply));
  if (end.kind === "reread") return reply.redirect(`/harmonizations/${harmonization.id}`, 303);
  if (end.kind === "refused") return showDraft(web, reply.code(end.status), member, end.draft, { errors: end.faults });
  if (action === "rename") return backTo(reply, harmonization.id, renamedTo(wish.name));
  return backTo(reply, harmonization.id, action === "save" ? saved() : undefined);
}

interface Fault {
  message: string;
  field?: string;
}

/** What an owner says of a draft. */
export interface DraftWish {
  /** As the field `action` of the page. */
  action: string;
  columns: Columns;
  format: FileFormat;
  /** Of rows that name no place; empty for none. */
  town: string;
  /** Empty to keep it. */
  name: string;
  previousId: string | null;
  isNewList: boolean;
  /** What is already known to be wrong. */
  faults: Fault[];
}

type Settled = { kind: "reread" | "done" } | { kind: "refused"; status: number; draft: Harmonization; faults: Fault[] };

/** Saves what an owner says of a draft, and does what they want. `reread`: the columns were guessed anew, as the format is another one. */
export async function settleDraft(
  web: Web,
  member: Member,
  harmonization: Harmonization,
  wish: DraftWish,
  signal: AbortSignal,
): Promise<Settled> {
  const { harmonizer } = web;
  const { action, columns, name, previousId, isNewList } = wish;
  const isAllowed = !previousId || (await mayPrecede(harmonizer, member, harmonization, previousId));
  const town = isAllowed ? await townOfEdition(harmonizer, harmonization, { previousId, town: wish.town }) : wish.town;
  const format = inTown(wish.format, town);
  if (name) await web.prisma.harmonization.updateMany({ where: { id: harmonization.id }, data: { name } });
  const edition = { previousId, isNewList };
  const draft = { ...harmonization, name: name || harmonization.name, format, columns, town, ...edition };
  const before: FileFormat = harmonization.format;
  const refused = (status: number, faults: Fault[]) => ({ kind: "refused" as const, status, draft, faults });
  try {
    if (action === "reread" || FORMAT_KEYS.some((key) => format[key] !== before[key])) {
      await rereadFile(harmonizer, harmonization, format, signal);
      return { kind: "reread" };
    }
    const isUnknown = town !== "" && town !== before.town && wish.faults.every(({ field }) => field !== "town");
    const faults = [
      ...wish.faults,
      ...(isAllowed ? [] : [noPrevious()]),
      ...(previousId && columns.id === undefined ? [noId()] : []),
      ...(isUnknown ? await unknownTown(web, harmonization, town) : []),
      ...(action === "try" || action === "start"
        ? missingColumns(columns, format).map((message) => ({ message }))
        : []),
    ];
    if (faults.length > 0) return refused(400, faults);
    const isSameQuestion = areJudgedAlike(harmonization.columns, columns);
    const isOpenStart = action === "start" && isSameQuestion && isOpen(harmonization.positions);
    const does = isOpenStart || (action !== "try" && action !== "start") ? "save" : action;
    if (action !== "rename" || isChanged(harmonization, draft))
      await changeDraft(harmonizer, harmonization, draft, does);
    if (isOpenStart) return refused(409, [unanswered()]);
    if (isSameQuestion && Object.hasOwn(ANSWERS, action))
      await answerPositions(harmonizer, harmonization, ANSWERS[action]);
    return { kind: "done" };
  } catch (error) {
    if (!(error instanceof KnownError) || error.status >= 500) throw error;
    return refused(error.status, [{ message: error.message }]);
  }
}

/** The town of all rows; as it was if it is not asked for. */
function readTown(
  body: unknown,
  { format }: Harmonization,
): { town: string; error?: { message: string; field: string } } {
  const before = format.town ?? "";
  const typed = (body as Record<string, unknown> | null)?.town;
  if (typeof typed !== "string" || typed.trim() === "") return { town: typed === undefined ? before : "" };
  const { data, error } = townName.safeParse(typed);
  if (data !== undefined) return { town: data };
  return { town: before, error: { message: error.issues[0]?.message ?? "", field: "town" } };
}

/** A directory that does not answer now is asked when the rows are matched. */
async function unknownTown({ harmonizer }: Web, { accountId }: Harmonization, town: string) {
  const auth = await harmonizer.authFor(accountId);
  const message = auth && (await townProblem(harmonizer.directory, auth, town).catch(unlessDirectory));
  return message ? [{ message, field: "town" }] : [];
}

function unlessDirectory(error: unknown): undefined {
  if (!(error instanceof DirectoryError)) throw error;
}

/** The previous edition by button or by choice; `likely` was asked about, and `preselected` stood in the list: without it, it is none. */
function readEdition(body: unknown, action: string): { previousId: string | null; isNewList: boolean } {
  const likely = textField(body, "likely");
  if (action === "edition" && likely) return { previousId: likely, isNewList: false };
  const chosen = (action !== "new-list" && textField(body, "previous")) || null;
  // A new name alone answers nothing.
  if (action === "rename" && chosen === textField(body, "preselected")) return { previousId: null, isNewList: false };
  return {
    previousId: chosen,
    isNewList: chosen === null && (action === "new-list" || textField(body, "preselected") !== ""),
  };
}

/** The answer about the positions by button; `ask` clears it. */
const ANSWERS: Record<string, "right" | "repair" | undefined> = { right: "right", repair: "repair", ask: undefined };
const unanswered = () => ({ field: "positions", message: t("First confirm whether the positions are right.") });

const FORMAT_KEYS = ["encoding", "separator", "isEscaped", "hasHeader", "headerLine", "sheet"] as const;

/** Saving discards the trial's result, which a new name alone must not. */
const isChanged = (before: Harmonization, after: Harmonization): boolean =>
  before.previousId !== after.previousId ||
  before.format.town !== after.format.town ||
  !isDeepStrictEqual({ ...before.columns }, after.columns);

const noPrevious = () => ({
  field: "previous",
  message: t("Choose one of your own files as the previous edition."),
});
const noId = () => ({ field: "previous", message: noIds() });

/** Sends the page of a draft to its owner. */
export async function sendDraft(
  web: Web,
  request: FastifyRequest,
  reply: FastifyReply,
  member: Member,
  harmonization: Harmonization,
): Promise<FastifyReply> {
  if (!isOwner(harmonization, member)) throw notFound();
  const trial = harmonization.trial as unknown as Trial | null;
  // Refreshes the page, with and without script.
  if (trial?.state === "waiting") reply.header("refresh", "2");
  const notice = takeNotice(request) ?? againNotice(harmonization);
  return showDraft(web, reply, member, harmonization, notice ? { notice } : {});
}

function againNotice(draft: Harmonization): Notice | undefined {
  if (!copiedFrom(draft)) return undefined;
  const message = t(
    "This is a new draft of the same rows, with the columns you chose. The first draft stays as it is.",
  );
  const keep = t("To keep its decisions, choose it below under “A new edition of”.");
  const canKeep = draft.columns.id !== undefined && !draft.previousId;
  return { kind: "info", message: canKeep ? `${message} ${keep}` : message };
}

const saved = (): Notice => ({ kind: "success", message: t("The columns are saved. Start when you are ready.") });

interface Shown {
  errors?: { message: string; field?: string }[];
  notice?: Notice | undefined;
}

async function showDraft(web: Web, reply: FastifyReply, member: Member, harmonization: Harmonization, shown: Shown) {
  const { id, name, format, columns, previousId, size } = harmonization;
  const preview = await previewFile(web.harmonizer, harmonization);
  const by = harmonization.accountId === null ? null : member.id;
  const editions = await earlierEditions(web.harmonizer, harmonization, by);
  const isAsked = !previousId && !isNewList(harmonization);
  const likely = isAsked ? await likelyEdition(web.harmonizer, harmonization, editions, preview.owned) : undefined;
  return sendPage(reply, member, "harmonize/draft/draft", {
    title: name,
    path: "/harmonizations",
    id,
    name,
    format,
    errors: shown.errors ?? [],
    notice: shown.notice,
    size: sizeInWords(format.bytes ?? Number(size)),
    previousId: previousId ?? (likely?.isSure ? likely.run.id : null),
    repairs: effective(harmonization.repairs).length,
    unusedRepairs: unusedRepairs(harmonization),
    likely: likely && likelyView(likely),
    preview: shownPreview(preview, columns),
    town: namesPlace(columns) && format.town === undefined ? undefined : (format.town ?? ""),
    meanings: meanings(columns),
    reading: readingView(format),
    editions: editions.map((edition) => ({
      id: edition.id,
      words: t("{name}, {time}, {count, plural, one {# row} other {# rows}}", {
        name: edition.name,
        time: shownTime(edition.createdAt).text,
        count: edition.listingCount,
      }),
    })),
    trial: trialView(harmonization.trial as unknown as Trial | null),
    positions: positionsView(harmonization.positions),
    isJudging: isToBeJudged(harmonization),
    people: await peopleLine(web, member, harmonization),
    expires: expiryInWords(harmonization),
  });
}

const likelyView = ({ run, isSure }: Likely<Earlier>) => ({ id: run.id, heading: looksLikeEdition(run), isSure });
export type LikelyView = ReturnType<typeof likelyView>;

export function shownPreview({ columns, firstProblem, ...preview }: Preview, chosen: Columns) {
  const header = columns.map(({ name }) => name);
  const meaningOf = new Map(
    FIELDS.flatMap((field) => {
      const all = indexesOf(chosen, field);
      const joined = all.length > 1 ? columnInWords(header, chosen, field) : undefined;
      return all.map((index, at) => [index, { meaning: meaningAt(field, at), joined }]);
    }),
  );
  return {
    ...preview,
    firstProblem: firstProblem && wordsOf(firstProblem),
    columns: columns.map(({ name, samples, filled }, index) => ({
      name,
      samples,
      filledInWords: `${Math.floor(filled * 100)} %`,
      ...(meaningOf.get(index) ?? { meaning: "", joined: undefined }),
    })),
  };
}
export type ShownPreview = ReturnType<typeof shownPreview>;

function sizeInWords(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1000))} KB`;
  const megabytes = bytes / 1_000_000;
  return bytes < 10_000_000 ? t("{megabytes, number, ::.0} MB", { megabytes }) : `${megabytes.toFixed(0)} MB`;
}
