import { countMistyped } from "../../../harmonize/add/held-back.ts";
import { countHeld } from "../../../harmonize/add/undo-rows.ts";
import type { Progress } from "../../../harmonize/results/progress.ts";
import { type Harmonization, isOwner } from "../../../harmonize/run/harmonizations.ts";
import { recentResultOf } from "../../../harmonize/run/lately.ts";
import type { Held } from "../../../harmonize/run/venue-holders.ts";
import type { Web } from "../../base/deps.ts";
import type { Member } from "../../base/members.ts";
import { exampleNotice } from "../base/notice.ts";
import { peopleLine } from "../base/people.ts";
import { inHandView } from "../base/waiting.ts";
import { editionView, sameIdsInWords } from "./edition.ts";
import { reportOf } from "./report.ts";

export function reportOn(web: Web, member: Member, found: Harmonization, { counts, isCounted, unwritten }: Progress) {
  if (member.isGuest) return exampleNotice();
  // While they are counted, there may be some.
  const unmatched = isCounted ? counts.none + counts.failed + counts.review : 1;
  return reportOf(found, { origin: web.config.web.url, unwritten, unmatched });
}

/** What the page says around the rows, read at once. */
export async function aroundRows(web: Web, member: Member, found: Harmonization, progress: Progress) {
  const [inHand, edition, sameIds, people, steps] = await Promise.all([
    inHandView(web, member, found),
    editionView(web, member, found, progress),
    sameIdsInWords(web, found),
    peopleLine(web, member, found),
    nextSteps(web, member, found, progress),
  ]);
  return { inHand, edition, sameIds, people, ...steps };
}

/** How many listings each of the next steps is about. */
async function nextSteps(web: Web, member: Member, found: Harmonization, progress: Progress) {
  const { addable, addableByAddress, unplaced, heldBack, retryable, townless, annotatable, unwritten } = progress;
  const isOwned = isOwner(found, member);
  const undoable = progress.undoable > 0 && (await deletesVenues(web)) ? progress.undoable : 0;
  const held = undoable > 0 && isOwned ? await heldOf(web, found) : undefined;
  const mistyped = addable > 0 && isOwned ? await mistypedIn(web, found) : undefined;
  return {
    addable,
    addableByAddress,
    unplaced,
    heldBack,
    retryable,
    townless,
    annotatable,
    unwritten,
    undoable,
    held,
    mistyped,
  };
}

/** Of the venues that can be deleted, those that other files hold; undefined while they are still counted. */
async function heldOf({ harmonizer }: Web, found: Harmonization): Promise<HeldView | undefined> {
  const { value } = await recentResultOf(harmonizer.pool, found, "held", () => countHeld(harmonizer, found));
  return value && { ...value, lists: value.lists.filter((list) => list !== found.listId).length };
}

/** Rows that hold venues, with the number of other lists that they are in. */
export interface HeldView extends Pick<Held, "venues" | "rows"> {
  lists: number;
}

/** Of the listings that can be added, those that an add may hold back; undefined while they are still counted. */
const mistypedIn = async ({ harmonizer }: Web, found: Harmonization): Promise<number | undefined> =>
  (await recentResultOf(harmonizer.pool, found, "mistyped", () => countMistyped(harmonizer, found))).value;

const deletesVenues = ({ directory }: Web): Promise<boolean> => directory.deletesVenues().catch(() => false);
