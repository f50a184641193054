import {
  type Acceptance,
  acceptance,
  type Bin,
  cutsOf,
  GREATEST_CUT,
  LEAST_CUT,
} from "../../../harmonize/match/thresholds.ts";
import { percentOf, percentText } from "../../../harmonize/results/outcome-words.ts";
import { type Harmonization, isOwner } from "../../../harmonize/run/harmonizations.ts";
import { formatNumber } from "../../../language/format.ts";
import { t } from "../../../language/translate.ts";
import type { Web } from "../../base/deps.ts";
import type { Member } from "../../base/members.ts";

export interface CutProblem {
  acceptFrom: string;
  reviewFrom: string;
  message: string;
}

/**
 * Returns the slider for accepting without review, if it is unfolded, and otherwise what leads to it (`folded`). Neither is defined
 * if the directory gives no reliable scores, or while they are still being counted (`isLate`).
 *
 * @param asked the cut that the unfolded slider shows
 */
export async function cutsView(web: Web, h: Harmonization, person: Member, asked?: number) {
  const { value: bins, isLate } = await acceptance(web.harmonizer, h, [h.acceptFrom, asked ?? h.acceptFrom]);
  if (!bins?.some(({ listings, judged }) => listings + judged > 0)) return { isLate };
  if (asked !== undefined) return { isLate, cuts: viewOf(bins, h, person, asked) };
  return { isLate, folded: { inUse: percentText(h.acceptFrom), cut: String(percentOf(h.acceptFrom)) } };
}

function viewOf(bins: Bin[], h: Harmonization, person: Member, asked: number) {
  const cuts = cutsOf(bins);
  const most = Math.max(1, ...bins.map(({ listings }) => listings));
  return {
    isOwner: isOwner(h, person),
    isGuest: person.isGuest ?? false,
    holdsBack: bins.some(({ heldBack }) => heldBack > 0),
    least: percentOf(LEAST_CUT),
    ends: [percentText(LEAST_CUT), percentText(GREATEST_CUT)],
    inUse: percentText(h.acceptFrom),
    seen: `${h.acceptFrom} ${h.reviewFrom}`,
    acceptedInUse: cuts.find(({ from }) => from === h.acceptFrom)?.accepted ?? 0,
    shown: percentOf(asked),
    /** As they are typed: "99.9", in Spanish "99,9". */
    typed: { acceptFrom: formatNumber(percentOf(asked)), reviewFrom: formatNumber(percentOf(h.reviewFrom)) },
    sentence: sentenceOf(cuts.find(({ from }) => from === asked)),
    sentences: JSON.stringify(Object.fromEntries(cuts.map((cut) => [percentOf(cut.from), sentenceOf(cut)]))),
    // The square root keeps small bars visible.
    bars: bins.map(({ from, listings }, at) => ({
      from: percentOf(from),
      x: position(from),
      width: Math.max(position(bins[at + 1]?.from ?? 1) - position(from) - 0.2, 0.2),
      height: listings === 0 ? 0 : Math.max(2, Math.round(Math.sqrt(listings / most) * 40)),
    })),
  };
}

export type Cuts = ReturnType<typeof viewOf>;

/** Position of a score on the slider, in percent, to two decimals. */
const position = (score: number): number => Math.round((score - LEAST_CUT) * 20_000) / 100;

/**
 * "7,912 accepted automatically, about 0.3 % (24) of them probably wrong, judging also by the 50 you checked. 14 more score high
 * enough but need a look."
 */
function sentenceOf(cut: Acceptance | undefined): string {
  const { accepted = 0, wrong = 0, judged = 0, heldBack = 0 } = cut ?? {};
  const held =
    heldBack === 0
      ? ""
      : t(
          "{heldBack, plural, one {# more scores high enough but needs} other {# more score high enough but need}} a look.",
          {
            heldBack,
          },
        );
  const counted = { accepted, wrong: Math.round(wrong), judged };
  const said =
    accepted === 0
      ? t("No match is accepted without review.")
      : t(
          "{accepted, number} accepted automatically, {share}{wrong, plural, =0 {} other { (#)}} of them probably wrong{judged, plural, =0 {} other {, judging also by the # you checked}}.",
          { ...counted, share: shareInWords(wrong / accepted) },
        );
  return [said, held].filter(Boolean).join(" ");
}

function shareInWords(share: number): string {
  const percent = share * 100;
  if (percent < 0.1) return t("under {percent, number}\u00a0%", { percent: 0.1 });
  return percent < 10
    ? t("about {percent, number, ::.0}\u00a0%", { percent: Number(percent.toFixed(1)) })
    : t("about {percent, number}\u00a0%", { percent: Math.round(percent) });
}

/** Reads a cut typed in percent: "95.1", "95,1 %". Returns it as a score with three decimals; undefined if it is not valid. */
export function parseCut(typed: string, least = LEAST_CUT): number | undefined {
  const text = typed.trim().replace(/\s*%$/, "").replace(",", ".");
  const cut = /^\d{0,2}\.?\d{1,10}$/.test(text) ? Math.round(Number(text) * 10) / 1000 : Number.NaN;
  return cut >= least && cut <= GREATEST_CUT ? cut : undefined;
}
