import { type EditionChanges, editionChanges } from "../../../harmonize/results/listings.ts";
import type { Progress } from "../../../harmonize/results/progress.ts";
import { findHarmonization, type Harmonization } from "../../../harmonize/run/harmonizations.ts";
import { latelyOf } from "../../../harmonize/run/lately.ts";
import { formatNumber } from "../../../language/format.ts";
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
  const keeping = isCounted ? `${formatNumber(kept)} with their decisions` : undefined;
  return {
    name: previous.name,
    href: `/harmonizations/${previous.id}`,
    changes: changes ? inWords(changes, keeping) : (keeping ?? "still being counted"),
  };
}

const inWords = ({ same, changed, added, gone }: EditionChanges, keeping: string | undefined): string =>
  `${formatNumber(same)} unchanged${keeping ? ` (${keeping})` : ""}, ${formatNumber(changed)} changed, ${formatNumber(added)} new, ${formatNumber(gone)} removed`;
