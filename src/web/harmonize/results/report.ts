import type { Harmonization } from "../../../harmonize/run/harmonizations.ts";
import type { AddReport, AnnotateReport, LongTask } from "../../../harmonize/run/long-task.ts";
import { isOpen } from "../../../harmonize/run/positions.ts";
import type { Notice } from "../../../http/parts.ts";
import { count } from "../../base/words.ts";

/**
 * What came of the last adds or annotations, for a notice; undefined where there were none.
 *
 * @param unwritten the address of the listings whose ids the directory did not take, where there are any
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
  if (last?.kind !== "annotate") return undefined;
  if (last.problem) return { kind: "warning", heading: "Nothing was written to the directory.", message: last.problem };
  if (!last.report) return undefined;
  return { ...annotated(last.report), ...(unwritten && { link: { href: unwritten, label: "Show which" } }) };
}

const added = ({ added, matched, review, failed }: AddReport) =>
  inWords(failed, [
    [added, `${count(added, "venue")} added`],
    [matched, `${matched.toLocaleString("en")} found to be there already`],
    [review, `${review.toLocaleString("en")} to review, because something alike is there`],
    [failed, `${failed.toLocaleString("en")} not added: their rows say why`],
  ]);

const annotated = ({ annotated, alreadyThere, conflicts, failed }: AnnotateReport): Notice => ({
  heading: annotated + alreadyThere > 0 ? "The directory has your ids." : "The directory took no id.",
  ...inWords(conflicts + failed, [
    [annotated, `${count(annotated, "id")} written`],
    [alreadyThere, `${alreadyThere.toLocaleString("en")} there before`],
    [conflicts, `${conflicts.toLocaleString("en")} left out, because another venue has the id`],
    [failed, `${failed.toLocaleString("en")} not written: their rows say why`],
  ]),
});

function inWords(problems: number, parts: [number, string][]): Notice {
  const said = parts.filter(([number]) => number > 0).map(([, words]) => words);
  const message = said.length > 0 ? `${said.join("; ")}.` : "There was nothing left to do.";
  return { kind: problems > 0 ? "warning" : "success", message };
}
