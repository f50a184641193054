import type { ExportRow } from "./export-rows.ts";
import { repairInWords } from "./positions/repairs.ts";
import type { Candidate } from "./rows.ts";

/** What an export says of a listing beside its own cells. */
export interface Receipt {
  /** Empty unless the listing is matched. */
  venueId: string;
  venueName: string;
  /** 0 to 1 with four decimals: of its venue, where it has none of the best candidate; empty where there is no score. */
  score: string;
  /** matched, added, rejected, review, none, failed or pending. */
  decision: string;
  /** Name or handle; `rule` where the cut accepted it; `kept` where the edition before decided. */
  decidedBy: string;
  /** ISO 8601; with `rule` when the directory was asked. */
  decidedAt: string;
  /** In words. */
  reason: string;
}

/** @param acceptFrom the cut that the listing's outcome was made with */
export function receiptOf(row: ExportRow, acceptFrom: number): Receipt {
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
    reason: joined([isByRule ? ruleReason(row, acceptFrom) : reasonOf(row), repairReason(row)]),
  };
}

/** Four decimals at most: more are noise. */
export const scoreText = (score: number | null | undefined): string => (score == null ? "" : String(+score.toFixed(4)));

function deciderOf({ decision, decided_how, decided_by }: ExportRow): string {
  if (decision === null) return "";
  return decided_how === "kept" ? "kept" : (decided_by ?? "unknown");
}

function ruleReason({ score, chosen }: ExportRow, acceptFrom: number): string {
  return joined([`score ${scoreText(score)}, accepted from ${scoreText(acceptFrom)}`, evidenceText(chosen)]);
}

function reasonOf({ decision, decided_how, decided_by, reason, outcome, problem, chosen }: ExportRow): string {
  if (decided_how === "kept")
    return joined([`kept from the edition before${decided_by ? `: ${decided_by}` : ""}`, reason]);
  if (decision !== null) return reason ?? "";
  return outcome === "failed" ? (problem?.message ?? "") : evidenceText(chosen);
}

/** The directory's words, weightiest first. */
function evidenceText(candidate: Candidate | null): string {
  const evidence = (candidate?.evidence ?? []).toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  return joined(evidence.map(({ text }) => text));
}

function repairReason({ repaired }: ExportRow): string {
  const words = repairInWords(repaired);
  return words ? `position: ${words}` : "";
}

const joined = (parts: (string | null)[]): string => parts.filter(Boolean).join("; ");
