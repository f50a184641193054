import type { Outcome } from "../../../harmonize/run/rows.ts";
import { t } from "../../../language/translate.ts";

export interface ShownOutcome {
  label: string;
  icon: string;
  /** The suffix of the CSS class `outcome-…`. */
  tone: "matched" | "review" | "none" | "failed" | "pending";
}

export const outcomes = (): Record<Outcome, ShownOutcome> => ({
  matched: { label: t("Matched"), icon: "check", tone: "matched" },
  review: { label: t("To review"), icon: "search", tone: "review" },
  none: { label: t("No match"), icon: "cross", tone: "none" },
  failed: { label: t("Failed"), icon: "alert", tone: "failed" },
  pending: { label: t("Not matched yet"), icon: "info", tone: "pending" },
});

export const SHOWN_OUTCOMES = ["matched", "review", "none", "failed", "pending"] as const satisfies Outcome[];

export type Counts = Record<(typeof SHOWN_OUTCOMES)[number], number>;

/** The parts of a bar that is 1000 wide. */
export function barOf(counts: Counts) {
  const whole = Math.max(
    1,
    SHOWN_OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0),
  );
  let x = 0;
  return SHOWN_OUTCOMES.flatMap((tone) => {
    const width = (counts[tone] / whole) * 1000;
    x += width;
    return width > 0 ? [{ tone, x: x - width, width }] : [];
  });
}
