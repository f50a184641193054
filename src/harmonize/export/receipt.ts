import type { ListingDecision } from "../../db/generated/enums.ts";
import { lostDigits } from "../file/odd-cells.ts";
import { repairReason } from "../query/repairs.ts";
import { scoreText, whyUndecided } from "../results/outcome-words.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import type { Candidate, Outcome } from "../run/rows.ts";
import type { ExportRow } from "./rows.ts";

/** What an export says of a listing beside its own cells. */
export interface Receipt {
  /** Empty unless the listing is matched. */
  venueId: string;
  venueName: string;
  /** 0 to 1 with four decimals: of its venue, where it has none of the best candidate; empty where there is no score. */
  score: string;
  /** matched, added, rejected, review, none, failed or pending. */
  decision: Outcome | "added" | "rejected";
  /** Name or handle; `rule` where the cut accepted it; `kept` where the edition before decided. */
  decidedBy: string;
  /** ISO 8601; with `rule` when the directory was asked. */
  decidedAt: string;
  /** In words; never empty. */
  reason: string;
}

/** @param h with the cuts that the listing's outcome was made with */
export function receiptOf(row: ExportRow, h: Of): Receipt {
  const { outcome, decision, chosen } = row;
  const isMatched = outcome === "matched";
  const isByRule = isMatched && decision === null;
  // A venue that was added, or found by hand, was never scored.
  const score = decision === "matched" || decision === "added" ? chosen?.score : row.score;
  return {
    venueId: isMatched ? (row.venue_id ?? row.best_id ?? "") : "",
    venueName: isMatched ? (row.venue_name ?? chosen?.name ?? "") : "",
    score: scoreText(score),
    decision: decision === "added" || decision === "rejected" ? decision : outcome,
    decidedBy: isByRule ? "rule" : deciderOf(row),
    decidedAt: (isByRule ? row.matched_at : row.decided_at)?.toISOString() ?? "",
    reason: [...reasonsOf(row, h), repairReason(row.repaired), ...lostDigits(row.cells, h.header, h.columns)]
      .filter(Boolean)
      .join("; "),
  };
}

type Of = Pick<Harmonization, "acceptFrom" | "reviewFrom" | "header" | "columns">;

function deciderOf({ decision, decided_how, decided_by }: ExportRow): string {
  if (decision === null) return "";
  return decided_how === "kept" ? "kept" : (decided_by ?? "unknown");
}

function reasonsOf(row: ExportRow, h: Of): string[] {
  const { decision, decided_how, decided_by, reason, chosen } = row;
  if (decision === null) {
    // Where the outcome of an add is unknown, both the reason and the problem say so.
    const why = whyUndecided(reason ? { ...row, problem: null } : row, h);
    return [...(reason ? [reason] : []), ...why, ...evidenceOf(chosen)];
  }
  const kept = decided_how === "kept" ? [`kept from the edition before${decided_by ? `: ${decided_by}` : ""}`] : [];
  if (reason) return [...kept, reason];
  return kept.length > 0 ? kept : [UNREASONED[decision]];
}

/** Reasons of decisions that somebody gave no reason for. */
const UNREASONED: Record<ListingDecision, string> = {
  matched: "matched by hand",
  added: "added as new",
  rejected: "none of the venues like it",
};

/** The directory's words, weightiest first. */
const evidenceOf = (candidate: Candidate | null): string[] =>
  (candidate?.evidence ?? []).toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight)).map(({ text }) => text);
