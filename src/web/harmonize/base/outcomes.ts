import type { Outcome } from "../../../harmonize/run/rows.ts";

/** An outcome as pages show it: never by its colour alone. */
export interface ShownOutcome {
  label: string;
  icon: string;
  /** Of the chip and the bar; the class is `outcome-…`. */
  tone: "matched" | "review" | "none" | "failed" | "pending";
}

export const OUTCOMES: Record<Outcome, ShownOutcome> = {
  matched: { label: "Matched", icon: "check", tone: "matched" },
  review: { label: "To review", icon: "search", tone: "review" },
  none: { label: "No match", icon: "cross", tone: "none" },
  failed: { label: "Failed", icon: "alert", tone: "failed" },
  pending: { label: "Not asked yet", icon: "info", tone: "pending" },
};

/** In the order in which pages show them. */
export const SHOWN_OUTCOMES = ["matched", "review", "none", "failed", "pending"] as const satisfies Outcome[];

export const formatNumber = (number: number): string => number.toLocaleString("en");
