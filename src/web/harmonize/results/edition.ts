import { idsAsBefore } from "../../../harmonize/file/carry-over.ts";
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

/** Says how many ids were written otherwise in the previous edition; undefined if none was, or while they are counted. */
export async function sameIdsInWords({ harmonizer }: Web, found: Harmonization): Promise<string | undefined> {
  if (!found.previousId || found.columns.id === undefined) return undefined;
  const { value: count = 0 } = await latelyOf(harmonizer.pool, found, "ids as before", () =>
    idsAsBefore(harmonizer.pool, found),
  );
  if (count === 0) return undefined;
  return t(
    "{count, plural, one {The id of # row is} other {The ids of # rows are}} written differently from the previous edition, as data frames and spreadsheets do (770.0 or 0770 for 770). Samespot takes them for the same and keeps the earlier spelling as your own id.",
    { count },
  );
}

function inWords(changes: EditionChanges | undefined, kept: number | undefined): string {
  if (changes)
    return t(
      "{same, number} unchanged{isCounted, select, yes { ({kept, number} with their decisions)} other {}}, {changed, number} changed, {added, number} new, {gone, number} removed",
      { ...changes, kept: kept ?? 0, isCounted: kept === undefined ? "no" : "yes" },
    );
  return kept === undefined ? t("still being counted") : t("{kept, number} with their decisions", { kept });
}
