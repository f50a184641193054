import { countMistyped } from "../../../harmonize/add/held-back.ts";
import { countHeld } from "../../../harmonize/add/undo-rows.ts";
import type { Progress } from "../../../harmonize/results/progress.ts";
import { type Harmonization, isOwner } from "../../../harmonize/run/harmonizations.ts";
import { recentResultOf } from "../../../harmonize/run/recent-result.ts";
import type { Held } from "../../../harmonize/run/venue-holders.ts";
import type { Web } from "../../base/deps.ts";
import type { Member } from "../../base/members.ts";
import { exampleNotice } from "../base/notice.ts";
import { peopleLine } from "../base/people.ts";
import { inHandView } from "../base/waiting.ts";
import { editionView, sameIdsInWords } from "./edition.ts";
import { reportOf } from "./report.ts";

export function reportOn(web: Web, member: Member, h: Harmonization, { counts, isCounted, unwritten }: Progress) {
  if (member.isGuest) return exampleNotice();
  // While they are counted, there may be some.
  const unmatched = isCounted ? counts.none + counts.failed + counts.review : 1;
  return reportOf(h, { origin: web.config.web.url, unwritten, unmatched });
}

/** What the page says around the rows, read at once. */
export async function aroundRows(web: Web, member: Member, h: Harmonization, progress: Progress) {
  const [inHand, edition, sameIds, people, steps] = await Promise.all([
    inHandView(web, member, h),
    editionView(web, member, h, progress),
    sameIdsInWords(web, h),
    peopleLine(web, member, h),
    nextSteps(web, member, h, progress),
  ]);
  return { inHand, edition, sameIds, people, ...steps };
}

/** How many listings each of the next steps is about. */
async function nextSteps(web: Web, member: Member, h: Harmonization, progress: Progress) {
  const { addable, addableByAddress, unplaced, heldBack, retryable, townless, annotatable, unwritten } = progress;
  const isOwned = isOwner(h, member);
  const undoable = progress.undoable > 0 && (await deletesVenues(web)) ? progress.undoable : 0;
  const held = undoable > 0 && isOwned ? await heldOf(web, h) : undefined;
  const mistyped = addable > 0 && isOwned ? await mistypedIn(web, h) : undefined;
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

/** The venues that could be deleted but that other files hold; undefined while they are still counted. */
async function heldOf({ harmonizer }: Web, h: Harmonization): Promise<HeldView | undefined> {
  const { value } = await recentResultOf(harmonizer.pool, h, "held", () => countHeld(harmonizer, h));
  return value && { ...value, lists: value.lists.filter((list) => list !== h.listId).length };
}

/** Rows that hold venues, with the number of other lists that they are in. */
export interface HeldView extends Pick<Held, "venues" | "rows"> {
  lists: number;
}

/** How many of the listings that can be added an add may hold back; undefined while they are still counted. */
const mistypedIn = async ({ harmonizer }: Web, h: Harmonization): Promise<number | undefined> =>
  (await recentResultOf(harmonizer.pool, h, "mistyped", () => countMistyped(harmonizer, h))).value;

const deletesVenues = ({ directory }: Web): Promise<boolean> => directory.deletesVenues().catch(() => false);
