import type { Harmonization } from "../../../harmonize/run/harmonizations.ts";
import type { AddReport, AnnotateReport, LongTask, UndoReport } from "../../../harmonize/run/long-task.ts";
import { isOpen } from "../../../harmonize/run/positions.ts";
import { wordsOf } from "../../../harmonize/run/words.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import { count } from "../../base/words.ts";

/**
 * Returns the notice about the last adds, annotations or undone adds; undefined if there were none.
 *
 * @param unwritten the address of the listings whose ids the directory did not accept, if any
 */
export function reportOf(
  { task, positions }: Pick<Harmonization, "task" | "positions">,
  unwritten: string | undefined,
): Notice | undefined {
  const last = task as LongTask | null;
  if (last?.kind === "add" && last.report) return { heading: "Adding is done.", ...added(last.report) };
  if (last?.kind === "add" && last.problem && isOpen(positions))
    return {
      kind: "warning",
      heading: "Nothing was added.",
      message: "Answer the question about the positions first.",
    };
  if (last?.kind === "undo" && last.report) return undone(last.report);
  if (last?.kind === "undo" && last.problem)
    return { kind: "warning", heading: "Nothing was deleted.", message: wordsOf(last.problem) };
  if (last?.kind !== "annotate") return undefined;
  if (last.problem)
    return { kind: "warning", heading: "Nothing was written to the directory.", message: wordsOf(last.problem) };
  if (!last.report) return undefined;
  return { ...annotated(last.report), ...(unwritten && { link: { href: unwritten, label: "Show which" } }) };
}

const added = ({ added, matched, review, failed }: AddReport) =>
  inWords(failed, [
    [added, `${count(added, "venue")} added`],
    [matched, `${matched.toLocaleString("en")} already in the directory`],
    [review, `${review.toLocaleString("en")} to review, because a similar venue exists`],
    [failed, `${failed.toLocaleString("en")} not added (their rows say why)`],
  ]);

const undone = ({ undone, failed }: UndoReport): Notice => ({
  heading: undone > 0 || failed === 0 ? "The add is undone." : "The add could not be undone.",
  ...inWords(failed, [
    [undone, `${count(undone, "listing")} undecided again, without a venue`],
    [failed, `${count(failed, "venue")} not deleted (their rows say why)`],
  ]),
});

const annotated = ({ annotated, alreadyThere, conflicts, failed }: AnnotateReport): Notice => ({
  heading: annotated + alreadyThere > 0 ? "The directory has your ids." : "The directory accepted no ids.",
  ...inWords(conflicts + failed, [
    [annotated, `${count(annotated, "id")} written`],
    [alreadyThere, `${alreadyThere.toLocaleString("en")} already there`],
    [conflicts, `${conflicts.toLocaleString("en")} left out, because another venue has the id`],
    [failed, `${failed.toLocaleString("en")} not written (their rows say why)`],
  ]),
});

function inWords(problems: number, parts: [number, string][]): Notice {
  const said = parts.filter(([number]) => number > 0).map(([, words]) => words);
  const message = said.length > 0 ? `${said.join("; ")}.` : "There was nothing left to do.";
  return { kind: problems > 0 ? "warning" : "success", message };
}
