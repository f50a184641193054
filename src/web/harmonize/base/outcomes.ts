import type { Outcome } from "../../../harmonize/run/rows.ts";

export interface ShownOutcome {
  label: string;
  icon: string;
  /** The suffix of the CSS class `outcome-…`. */
  tone: "matched" | "review" | "none" | "failed" | "pending";
}

export const OUTCOMES: Record<Outcome, ShownOutcome> = {
  matched: { label: "Matched", icon: "check", tone: "matched" },
  review: { label: "To review", icon: "search", tone: "review" },
  none: { label: "No match", icon: "cross", tone: "none" },
  failed: { label: "Failed", icon: "alert", tone: "failed" },
  pending: { label: "Not matched yet", icon: "info", tone: "pending" },
};

export const SHOWN_OUTCOMES = ["matched", "review", "none", "failed", "pending"] as const satisfies Outcome[];

export const formatNumber = (number: number): string => number.toLocaleString("en");

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
