import { type EditionChanges, editionChanges } from "../../../harmonize/results/listings.ts";
import type { Progress } from "../../../harmonize/results/progress.ts";
import { findHarmonization, type Harmonization } from "../../../harmonize/run/harmonizations.ts";
import { latelyOf } from "../../../harmonize/run/lately.ts";
import { t } from "../../../language/translate.ts";
import type { Web } from "../../base/deps.ts";
import type { Member } from "../../base/members.ts";

/**
 * Returns the previous edition and what has changed since, if that can be counted quickly. Returns undefined if there
 * is none, or if this member may not see it.
 */
export async function editionView(web: Web, member: Member, found: Harmonization, { kept, isCounted }: Progress) {
  const { harmonizer } = web;
  const previous = found.previousId ? await findHarmonization(harmonizer, member, found.previousId) : undefined;
  if (!previous) return undefined;
  const compare = () => editionChanges(harmonizer, found, previous);
  const { value: changes } = await latelyOf(harmonizer.pool, found, `edition of ${previous.id}`, compare);
  return {
    name: previous.name,
    href: `/harmonizations/${previous.id}`,
    changes: inWords(changes, isCounted ? kept : undefined),
  };
}

function inWords(changes: EditionChanges | undefined, kept: number | undefined): string {
  if (changes)
    return t(
      "{same, number} unchanged{isCounted, select, yes { ({kept, number} with their decisions)} other {}}, {changed, number} changed, {added, number} new, {gone, number} removed",
      { ...changes, kept: kept ?? 0, isCounted: kept === undefined ? "no" : "yes" },
    );
  return kept === undefined ? t("still being counted") : t("{kept, number} with their decisions", { kept });
}
