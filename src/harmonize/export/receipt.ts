import type { ListingDecision } from "../../db/generated/enums.ts";
import { reasonInWords } from "../../language/sentences.ts";
import { t } from "../../language/translate.ts";
import { cellNotes } from "../file/odd-cells.ts";
import { byAddressReason } from "../query/by-address.ts";
import { mendInWords } from "../query/mend.ts";
import type { HowAsked } from "../query/repaired-row.ts";
import { repairsInWords } from "../query/row-changes.ts";
import { scoreText, whyUndecided } from "../results/outcome-words.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { NOT_DELETED } from "../run/problems/problems.ts";
import { creditOf } from "../run/problems/reasons.ts";
import { repairReason } from "../run/problems/slips.ts";
import { wordsOf } from "../run/problems/words.ts";
import type { Candidate, Outcome } from "../run/rows.ts";
import type { ExportRow } from "./rows.ts";

export interface Receipt {
  venueId: string;
  /** The venue's name when its changes were last looked up (`Check for changes`), or else when it was matched. */
  venueName: string;
  /** The id that was matched, if that venue has been merged into `venueId` since. */
  formerVenueId: string;
  /** `closed`, or `gone` if the directory no longer has it; empty if it is open, or has not been looked up since. */
  venueState: string;
  /** 0 to 1 with up to four decimals, of the venue or else of the best candidate; empty if there is none. */
  score: string;
  decision: Outcome | "added" | "rejected";
  /** Name or username, also of who decided in a previous edition; `rule` if the cut accepted it, `kept` if that of a previous edition did. */
  decidedBy: string;
  /** ISO 8601; with `rule` the time of the call. */
  decidedAt: string;
  reason: string;
  /** Of the venue's source, or of the best candidate's; empty if the directory names none. */
  attribution: string;
}

export function receiptOf(row: ExportRow, h: Of): Receipt {
  const { outcome, decision, chosen } = row;
  const isMatched = outcome === "matched";
  const isByRule = isMatched && decision === null;
  // Venues that were added or chosen by search have no score.
  const score = decision === "matched" || decision === "added" ? chosen?.score : (row.score ?? chosen?.score);
  const matchedId = row.venue_id ?? row.best_id ?? "";
  const now = isMatched ? row.now : null;
  const isMerged = now !== null && now.id !== matchedId;
  return {
    venueId: isMatched ? (now?.id ?? matchedId) : "",
    venueName: isMatched ? (now?.name ?? row.venue_name ?? chosen?.name ?? "") : "",
    formerVenueId: isMerged ? matchedId : "",
    venueState: now && now.state !== "open" ? now.state : "",
    score: scoreText(score),
    decision: decision === "added" || decision === "rejected" ? decision : outcome,
    decidedBy: isByRule ? "rule" : deciderOf(row),
    decidedAt: (isByRule ? row.matched_at : row.decided_at)?.toISOString() ?? "",
    attribution: now?.credit ?? creditOf(row) ?? "",
    /** Computed when read, because it looks at every cell, and mappings have no such column. */
    get reason() {
      const notes = cellNotes(row.cells, h.header, h.columns);
      const placed = [repairReason(row.repaired), byAddressReason(row.by_address)];
      const said = [repairsInWords(row.cells, h), mendInWords(row.mended)];
      return [...reasonsOf(row, h), ...sinceThen(this), ...placed, ...said, ...notes].filter(Boolean).join("; ");
    },
  };
}

type Of = HowAsked & Pick<Harmonization, "acceptFrom" | "reviewFrom">;

function deciderOf({ decision, decided_how, decided_by }: ExportRow): string {
  if (decision === null) return "";
  return decided_by ?? (decided_how === "kept" ? "kept" : "unknown");
}

function reasonsOf(row: ExportRow, h: Of): string[] {
  const { decision, decided_how, decided_by, chosen, problem } = row;
  const isByEvidence = row.why?.code === "evidence" && (chosen?.evidence ?? []).length > 0;
  const reason = row.why && (isByEvidence ? evidenceOf(chosen, []).join("; ") : wordsOf(row.why));
  if (decision === null) {
    // If the outcome of an add is unknown, both the reason and the problem say so.
    const why = whyUndecided(reason ? { ...row, problem: null } : row, h);
    return [...(reason ? [reason] : []), ...why, ...evidenceOf(chosen, why)];
  }
  const kept = decided_how === "kept" ? [keptInWords(decided_by)] : [];
  const trouble = problem && NOT_DELETED.some((code) => code === problem.code) ? [wordsOf(problem)] : [];
  if (reason) return [...kept, reason, ...trouble];
  return kept.length > 0 ? kept : [UNREASONED[decision](), ...trouble];
}

const sinceThen = ({ formerVenueId, venueState }: Pick<Receipt, "formerVenueId" | "venueState">): string[] => [
  ...(formerVenueId ? [t("{id} has since been merged into this venue", { id: formerVenueId })] : []),
  ...(venueState === "closed" ? [t("the venue has since closed")] : []),
  ...(venueState === "gone" ? [t("the directory no longer has the venue")] : []),
];

const keptInWords = (who: string | null): string =>
  who ? t("kept from the previous edition: {who}", { who }) : t("kept from the previous edition");

const UNREASONED: Record<ListingDecision, () => string> = {
  matched: () => t("matched by hand"),
  added: () => t("added as new"),
  rejected: () => t("none of the similar venues"),
};

/** What speaks for a candidate, then what against it. `said`: words before, which may name some of it. */
function evidenceOf(candidate: Candidate | null, said: string[]): string[] {
  if (!candidate?.evidence?.length) return [];
  const isSaid = (text: string) => said.some((each) => each.includes(text) && each.split(/: |; /).includes(text));
  const unsaid = candidate.evidence
    .map(({ text, weight }) => ({ text: reasonInWords(text), weight }))
    .filter(({ text }) => !isSaid(text))
    .toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  const good = unsaid.filter(({ weight }) => weight > 0);
  const bad = unsaid.filter(({ weight }) => weight <= 0);
  const [first, ...others] = bad.map(({ text }) => text);
  return [
    ...good.map(({ text }) => text),
    ...(first ? [good.length > 0 ? t("but {reason}", { reason: first }) : first] : []),
    ...others,
  ];
}
