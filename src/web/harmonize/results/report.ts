import type { Harmonization } from "../../../harmonize/run/harmonizations.ts";
import type { AddReport, AnnotateReport, LongTask, UndoReport } from "../../../harmonize/run/long-task.ts";
import { isOpen } from "../../../harmonize/run/positions.ts";
import { wordsOf } from "../../../harmonize/run/problems/words.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import { t } from "../../../language/translate.ts";
import { hrefOf } from "./list.ts";

/**
 * Returns the notice about the last adds, annotations or undone adds; undefined if there were none.
 *
 * @param origin of the web app's addresses
 * @param unwritten listings whose ids the directory did not accept
 * @param unmatched listings to review, without a match, or that failed
 */
export function reportOf(
  { id, task, positions }: Pick<Harmonization, "id" | "task" | "positions">,
  { origin, unwritten, unmatched }: { origin: string; unwritten: number; unmatched: number },
): Notice | undefined {
  const last = task as LongTask | null;
  if (last && isAnswered(last, unmatched, unwritten)) return undefined;
  const showing = (count: number | undefined, list: Record<string, string>, label: string) =>
    count ? { link: { href: origin + hrefOf(id, list), label } } : {};
  if (last?.kind === "add" && last.report) {
    const list = { show: "none", problem: "no_category" };
    const left = showing(last.report.left, list, t("Show rows without a category"));
    const heldBack = last.report.heldBack
      ? { link: { href: `${origin}/harmonizations/${id}/add#held-back`, label: t("Show rows held back") } }
      : {};
    return { heading: t("Adding is done."), ...added(last.report), ...heldBack, ...left };
  }
  if (last?.kind === "add" && last.problem && isOpen(positions))
    return {
      kind: "warning",
      heading: t("Nothing was added."),
      message: t("Answer the question about the positions first."),
    };
  if (last?.kind === "undo" && last.report) return undone(last.report);
  if (last?.kind === "undo" && last.problem)
    return { kind: "warning", heading: t("Nothing was deleted."), message: wordsOf(last.problem) };
  if (last?.kind !== "annotate") return undefined;
  if (last.problem)
    return { kind: "warning", heading: t("Nothing was written to the directory."), message: wordsOf(last.problem) };
  if (!last.report) return undefined;
  return { ...annotated(last.report), ...showing(unwritten, { show: "unwritten" }, t("Show ids not written")) };
}

/** Whether what the notice would ask for has been done since. */
function isAnswered({ kind, report }: LongTask, unmatched: number, unwritten: number): boolean {
  if (kind === "add" && report) return report.heldBack + report.left + report.failed > 0 && unmatched === 0;
  return kind === "annotate" && report !== undefined && report.conflicts + report.failed > 0 && unwritten === 0;
}

const added = ({ added, matched, review, heldBack, left, failed }: AddReport) =>
  inWords(failed + heldBack, [
    [added, t("{count, plural, one {# venue} other {# venues}} added", { count: added })],
    [matched, t("{count, number} already in the directory", { count: matched })],
    [review, t("{count, number} to review, because a similar venue exists", { count: review })],
    [
      heldBack,
      t(
        "{count, plural, one {# held back, because its position looks wrong} other {# held back, because their positions look wrong}}",
        { count: heldBack },
      ),
    ],
    [
      left,
      t(
        "{count, plural, one {# not added, because it has no category} other {# not added, because they have no category}}",
        { count: left },
      ),
    ],
    [failed, t("{count, number} not added (their rows say why)", { count: failed })],
  ]);

const undone = ({ undone, held, failed }: UndoReport): Notice => ({
  heading: undone > 0 || held + failed === 0 ? t("The addition was undone.") : t("The addition could not be undone."),
  ...inWords(held + failed, [
    [undone, t("{count, plural, one {# row} other {# rows}} undecided again, without a venue", { count: undone })],
    [
      held,
      t(
        "{count, plural, one {# venue stays, because it is in another file (its row says which)} other {# venues stay, because they are in other files (their rows say which)}}",
        { count: held },
      ),
    ],
    [failed, t("{count, plural, one {# venue} other {# venues}} not deleted (their rows say why)", { count: failed })],
  ]),
});

const annotated = ({ annotated, alreadyThere, conflicts, failed }: AnnotateReport): Notice => ({
  heading: annotated + alreadyThere > 0 ? t("Your ids are in the directory.") : t("The directory accepted no ids."),
  ...inWords(conflicts + failed, [
    [annotated, t("{count, plural, one {# id} other {# ids}} written", { count: annotated })],
    [alreadyThere, t("{count, number} already there", { count: alreadyThere })],
    [conflicts, t("{count, number} left out, because another venue has the id", { count: conflicts })],
    [failed, t("{count, number} not written (their rows say why)", { count: failed })],
  ]),
});

function inWords(problems: number, parts: [number, string][]): Notice {
  const said = parts.filter(([number]) => number > 0).map(([, words]) => words);
  const message = said.length > 0 ? `${said.join("; ")}.` : t("There was nothing left to do.");
  return { kind: problems > 0 ? "warning" : "success", message };
}
