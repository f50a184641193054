import { idsAsBefore } from "../../../harmonize/file/carry-over.ts";
import { type EditionChanges, editionChanges } from "../../../harmonize/results/listings.ts";
import type { Progress } from "../../../harmonize/results/progress.ts";
import { findHarmonization, type Harmonization } from "../../../harmonize/run/harmonizations.ts";
import { recentResultOf } from "../../../harmonize/run/recent-result.ts";
import { t } from "../../../language/translate.ts";
import type { Web } from "../../base/deps.ts";
import type { Member } from "../../base/members.ts";
import { hrefOf } from "./list.ts";

/**
 * Returns the previous edition and what has changed since, each with the address of its list; without numbers while they are counted.
 * Returns undefined if there is none, or if this member may not see it.
 */
export async function editionView(web: Web, member: Member, h: Harmonization, { kept, isCounted }: Progress) {
  const { harmonizer } = web;
  const previous = h.previousId ? await findHarmonization(harmonizer, member, h.previousId) : undefined;
  if (!previous) return undefined;
  const compare = () => editionChanges(harmonizer, h, previous);
  const { value: changes } = await recentResultOf(harmonizer.pool, h, `edition of ${previous.id}`, compare);
  return {
    name: previous.name,
    href: `/harmonizations/${previous.id}`,
    same: sameInWords(changes, isCounted ? kept : undefined),
    lists: listsOf(h, previous, changes),
  };
}

export type EditionView = NonNullable<Awaited<ReturnType<typeof editionView>>>;

/** Says how many ids were written otherwise in the previous edition; undefined if none was, or while they are counted. */
export async function sameIdsInWords({ harmonizer }: Web, h: Harmonization): Promise<string | undefined> {
  if (!h.previousId || h.columns.id === undefined) return undefined;
  const { value: count = 0 } = await recentResultOf(harmonizer.pool, h, "ids as before", () =>
    idsAsBefore(harmonizer.pool, h),
  );
  if (count === 0) return undefined;
  return t(
    "{count, plural, one {The id of # row is} other {The ids of # rows are}} written differently from the previous edition, as data frames and spreadsheets do (770.0 or 0770 for 770). Samespot takes them for the same and keeps the earlier spelling as your own id.",
    { count },
  );
}

function sameInWords(changes: EditionChanges | undefined, kept: number | undefined): string {
  if (changes)
    return t("{same, number} unchanged{isCounted, select, yes { ({kept, number} with their decisions)} other {}}", {
      same: changes.same,
      kept: kept ?? 0,
      isCounted: kept === undefined ? "no" : "yes",
    });
  return kept === undefined ? t("still being counted") : t("{kept, number} with their decisions", { kept });
}

function listsOf({ id }: Harmonization, previous: Harmonization, changes: EditionChanges | undefined) {
  const list = (words: string, href: string, count: number | undefined) => ({
    words,
    href: count === 0 ? undefined : href,
  });
  const { changed, added, gone } = changes ?? {};
  const is = (count: number | undefined) => ({ count: count ?? 0, isCounted: count === undefined ? "no" : "yes" });
  return [
    list(
      t("{isCounted, select, yes {{count, number} changed} other {changed}}", is(changed)),
      hrefOf(id, { edition: "changed" }),
      changed,
    ),
    list(
      t("{isCounted, select, yes {{count, number} new} other {new}}", is(added)),
      hrefOf(id, { edition: "new" }),
      added,
    ),
    list(
      t("{isCounted, select, yes {{count, number} removed} other {removed}}", is(gone)),
      hrefOf(previous.id, { removed: id }),
      gone,
    ),
  ];
}
