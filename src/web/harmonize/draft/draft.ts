import type { FastifyReply, FastifyRequest } from "fastify";
import { copiedFrom } from "../../../harmonize/file/copy-rows.ts";
import {
  type Earlier,
  earlierEditions,
  isNewList,
  type Likely,
  likelyEdition,
} from "../../../harmonize/file/layout.ts";
import { namesPlace, previewFile } from "../../../harmonize/file/preview.ts";
import type { Trial } from "../../../harmonize/file/trial.ts";
import { isToBeJudged } from "../../../harmonize/positions/task.ts";
import { type Harmonization, isOwner } from "../../../harmonize/run/harmonizations.ts";
import { effective } from "../../../harmonize/run/row-repairs.ts";
import { takeNotice, textField } from "../../../http/pages/forms.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import { shownTime } from "../../../http/pages/times.ts";
import { untilGone } from "../../../http/uploads.ts";
import { t } from "../../../language/translate.ts";
import { notFound } from "../../../shared/errors.ts";
import type { Web } from "../../base/deps.ts";
import type { Member } from "../../base/members.ts";
import { sendPage } from "../../base/page.ts";
import { looksLikeEdition } from "../base/edition.ts";
import { expiryInWords } from "../base/expiry.ts";
import type { Seen } from "../base/guards.ts";
import { backTo, renamedTo, unusedRepairs } from "../base/notice.ts";
import { peopleLine } from "../base/people.ts";
import { positionsView } from "../base/positions.ts";
import { meanings, readEdition, readFormat, readName, readSelects, readTown } from "./form.ts";
import { shownPreview } from "./preview.ts";
import { readingView } from "./reading.ts";
import { type DraftWish, settleDraft } from "./settle-draft.ts";
import { trialView } from "./trial.ts";

/**
 * `POST /harmonizations/:id/columns`: columns, format, `town` and `name`. `action` is `reread`, `save`, `rename`, `try`,
 * `start`, an answer about the positions: `repair`, `right` or `ask`, or about the edition: `edition` or `new-list`. Every action saves the other fields.
 */
export async function changeColumns(web: Web, request: FastifyRequest, reply: FastifyReply, { member, h }: Seen) {
  // Sent twice, or started in another tab.
  if (h.state !== "draft") return reply.redirect(`/harmonizations/${h.id}`, 303);
  return change(web, request, reply, member, h);
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
  const message = t("This is a new draft of the same rows, with the columns you chose. The earlier result is kept.");
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

function sizeInWords(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1000))} KB`;
  const megabytes = bytes / 1_000_000;
  return bytes < 10_000_000 ? t("{megabytes, number, ::.0} MB", { megabytes }) : `${megabytes.toFixed(0)} MB`;
}
