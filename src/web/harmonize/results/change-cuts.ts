import type { FastifyReply, FastifyRequest } from "fastify";
import { moveCuts } from "../../../harmonize/match/thresholds.ts";
import { percentOf, percentText } from "../../../harmonize/results/outcome-words.ts";
import { findHarmonization, type Harmonization, isAtWork } from "../../../harmonize/run/harmonizations.ts";
import { textField } from "../../../http/pages/forms.ts";
import { t } from "../../../language/translate.ts";
import type { Web } from "../../base/deps.ts";
import type { Seen } from "../base/guards.ts";
import { backTo } from "../base/notice.ts";
import { type CutProblem, parseCut } from "./cuts.ts";
import { sendResults } from "./results.ts";

/** `POST /harmonizations/:id/cuts` (`acceptFrom`, `reviewFrom`) */
export async function changeCuts(web: Web, request: FastifyRequest, reply: FastifyReply, { member, h }: Seen) {
  const typed = {
    acceptFrom: textField(request.body, "acceptFrom"),
    reviewFrom: textField(request.body, "reviewFrom"),
  };
  const { cuts, problem } = readCuts(typed);
  if (!cuts) return sendResults(web, reply.code(400), member, h, { ...typed, message: problem });
  const isMoved = await moveCuts(web.harmonizer, h.id, cuts, seenCuts(request.body));
  const now = isMoved ? h : await findHarmonization(web.harmonizer, member, h.id);
  return backTo(reply, h.id, isMoved ? movedTo(cuts) : notMoved(cuts, now));
}

function seenCuts(body: unknown): Cuts | undefined {
  const [acceptFrom, reviewFrom] = textField(body, "seen").split(" ").map(Number);
  if (!Number.isFinite(acceptFrom) || !Number.isFinite(reviewFrom)) return undefined;
  return { acceptFrom, reviewFrom } as Cuts;
}

const movedTo = ({ acceptFrom }: Cuts) =>
  ({
    kind: "success",
    message: t("Matches from {cut} are accepted without review.", { cut: percentText(acceptFrom) }),
  }) as const;

/** @param now the current harmonization; undefined if it was deleted meanwhile */
function notMoved(cuts: Cuts, now: Harmonization | undefined) {
  if (now?.acceptFrom === cuts.acceptFrom && now.reviewFrom === cuts.reviewFrom) return movedTo(cuts);
  const isBusy = !now || isAtWork(now);
  const message = isBusy
    ? t("You can change the limits once no task is running.")
    : t(
        "Nothing was changed: in the meantime, somebody set the limits to {acceptFrom} and {reviewFrom}. Check the new numbers, then try again.",
        { acceptFrom: percentText(now.acceptFrom), reviewFrom: percentText(now.reviewFrom) },
      );
  return { kind: "warning", message } as const;
}

type Cuts = Pick<Harmonization, "acceptFrom" | "reviewFrom">;
type Typed = Pick<CutProblem, "acceptFrom" | "reviewFrom">;

function readCuts(typed: Typed): { cuts: Cuts; problem?: never } | { cuts?: never; problem: string } {
  const acceptFrom = parseCut(typed.acceptFrom);
  const reviewFrom = parseCut(typed.reviewFrom, 0);
  if (acceptFrom === undefined) return { problem: t("Accept at or above: enter a number from 50 to 99.9.") };
  if (reviewFrom === undefined || reviewFrom > acceptFrom)
    return {
      problem: t("Review at or above: enter a number from 0 to {most, number}.", { most: percentOf(acceptFrom) }),
    };
  return { cuts: { acceptFrom, reviewFrom } };
}
