import type { FastifyReply, FastifyRequest } from "fastify";
import { unusableFile } from "../../../files/formats/base/refusal.ts";
import {
  type BridgeRow,
  type BridgeState,
  bridgeOf,
  bridgeRows,
  type RowOutcome,
  rowOutcomes,
  wantUndo,
} from "../../../harmonize/bridge/bridge.ts";
import { receiveBridge } from "../../../harmonize/bridge/receive.ts";
import { type CsvColumns, csvHead, csvRows } from "../../../harmonize/export/csv.ts";
import { anyWorker } from "../../../harmonize/results/progress.ts";
import { isOwner } from "../../../harmonize/run/harmonizations.ts";
import { wordsOf } from "../../../harmonize/run/problems/words.ts";
import { goTo } from "../../../http/pages/forms.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import { bytesOfPart, untilGone } from "../../../http/uploads.ts";
import { formatNumber } from "../../../language/format.ts";
import { t } from "../../../language/translate.ts";
import { KnownError } from "../../../shared/errors.ts";
import type { Web } from "../../base/deps.ts";
import { sendFile } from "../../base/download.ts";
import { sendPage } from "../../base/page.ts";
import type { Seen } from "../base/guards.ts";

/** `GET /harmonizations/:id/bridge`: decisions made elsewhere, and what became of the last file of them. */
export const showBridge = (web: Web, _request: FastifyRequest, reply: FastifyReply, seen: Seen) =>
  sendBridge(web, reply, seen, {});

async function sendBridge(
  { harmonizer }: Web,
  reply: FastifyReply,
  { member, h }: Seen,
  { dataset = "", notice }: { dataset?: string; notice?: Notice },
): Promise<FastifyReply> {
  const bridge = await bridgeOf(harmonizer, h);
  if (bridge?.isAtWork && !notice) reply.header("refresh", "2");
  return sendPage(reply, member, "harmonize/results/bridge", {
    title: t("Import decisions for {name}", { name: h.name }),
    file: { name: h.name, href: `/harmonizations/${h.id}` },
    mayUpload: isOwner(h, member) && !bridge?.isAtWork && isFinished(h.state),
    isOwner: isOwner(h, member),
    hasIds: h.columns.id !== undefined,
    hasWorker: !bridge?.isAtWork || (await anyWorker(harmonizer.pool)),
    bridge: bridge && view(bridge),
    problem: notice,
    dataset,
  });
}

const isFinished = (state: string) => state === "ready" || state === "cancelled";

/** `POST /harmonizations/:id/bridge`: a file, after the name of its data set. */
export async function sendBridgeFile(web: Web, request: FastifyRequest, reply: FastifyReply, seen: Seen) {
  const sent = { dataset: "" };
  try {
    await readUpload(web, { request, reply }, seen, sent);
    return reply.redirect(`/harmonizations/${seen.h.id}/bridge`, 303);
  } catch (error) {
    if (!(error instanceof KnownError) || error.status >= 500) throw error;
    const notice = {
      kind: "danger" as const,
      heading: `${error.title ?? t("That did not work")}.`,
      message: error.message,
    };
    return sendBridge(web, reply.code(error.status), seen, { ...sent, notice });
  }
}

async function readUpload(
  web: Web,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { member, h }: Seen,
  sent: { dataset: string },
) {
  requireFinished(h);
  let isSent = false;
  const signal = untilGone(reply);
  for await (const part of request.upload ?? []) {
    if (part.type === "file") {
      const bytes = bytesOfPart(part);
      if (part.filename)
        await receiveBridge(web.harmonizer, h, member, { name: part.filename, ...sent, bytes, signal });
      else for await (const _ of bytes); // a form without a chosen file sends an empty one
      isSent ||= Boolean(part.filename);
    } else if (part.fieldname === "dataset" && typeof part.value === "string") sent.dataset = part.value.slice(0, 200);
  }
  if (!isSent) throw unusableFile(t("Choose a bridge file: Parquet, CSV or another format that Samespot reads."));
}

/** @throws KnownError 409 while the file is being processed */
export function requireFinished({ state }: Seen["h"]): void {
  if (isFinished(state)) return;
  const message = t("Your file is still being processed. Upload the bridge file once the results are ready.");
  throw new KnownError(409, "conflict", message);
}

/** `POST /harmonizations/:id/bridge/undo` */
export async function undoBridge({ harmonizer }: Web, _request: FastifyRequest, reply: FastifyReply, { h }: Seen) {
  const isWanted = await wantUndo(harmonizer, h.id);
  const said = t("Nothing was undone: the decisions are still being imported, or were already undone.");
  return goTo(reply, `/harmonizations/${h.id}/bridge`, isWanted ? undefined : { kind: "warning", message: said });
}

/** `GET /harmonizations/:id/bridge/rows`: the rows of the last file, each with what became of it. */
export function sendBridgeRows({ harmonizer }: Web, request: FastifyRequest, reply: FastifyReply, { h }: Seen) {
  async function* text() {
    yield csvHead(COLUMNS);
    for await (const rows of bridgeRows(harmonizer, h)) yield csvRows(COLUMNS, rows);
  }
  return sendFile(request, reply, { name: "bridge-rows.csv", mediaType: "text/csv; charset=utf-8" }, text());
}

const COLUMNS: CsvColumns<BridgeRow> = {
  line: ({ line }) => String(line),
  record_id: ({ recordId }) => recordId,
  id: ({ venueId }) => venueId,
  venue_id: ({ nowId }) => nowId ?? "",
  venue_name: ({ nowName }) => nowName ?? "",
  outcome: ({ outcome }) => outcome ?? "waiting",
  reason: ({ outcome }) => (outcome ? rowOutcomes()[outcome] : t("waiting for the directory")),
  attribution: ({ nowCredit }) => nowCredit ?? "",
};

function view(bridge: BridgeState) {
  const { file, dataset, rows, others, counts, isAtWork, isUndoing, undone, problem } = bridge;
  const of = (outcome: RowOutcome | null) => counts.find((each) => each.outcome === outcome)?.rows ?? 0;
  const merged = counts.reduce((sum, each) => sum + each.merged, 0);
  const done = rows - of(null);
  const words = rowOutcomes();
  return {
    file,
    isAtWork,
    isUndoing: isUndoing === true,
    about: [
      dataset
        ? t("{rows, plural, one {# row} other {# rows}} of the data set “{dataset}”", { rows, dataset })
        : t("{rows, plural, one {# row} other {# rows}}", { rows }),
      others > 0 ? t("({others, plural, one {# row} other {# rows}} of other data sets left out)", { others }) : "",
    ]
      .filter(Boolean)
      .join(" "),
    problem: problem ? wordsOf(problem) : undefined,
    share: isUndoing ? undefined : done / Math.max(rows, 1),
    progress: isUndoing
      ? t("The decisions are being undone.")
      : t("{done, number} of {rows, plural, one {# row} other {# rows}} looked up.", { done, rows }),
    outcomes: (Object.keys(words) as RowOutcome[]).flatMap((outcome) =>
      of(outcome) > 0 ? [{ words: sentence(words[outcome]), number: formatNumber(of(outcome)) }] : [],
    ),
    merged:
      merged > 0
        ? t(
            "{merged, plural, one {# row} other {# rows}} named a venue that has since been merged into another; the decision now names that one.",
            { merged },
          )
        : undefined,
    undone:
      undone === undefined
        ? undefined
        : t("Undone: {count, plural, one {# row} other {# rows}} as before.", { count: undone }),
    isUndoable: !isAtWork && undone === undefined && of("decided") > 0,
  };
}

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

export type BridgeView = ReturnType<typeof view>;
