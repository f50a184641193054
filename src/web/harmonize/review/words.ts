import { notAdded } from "../../../harmonize/results/outcome-words.ts";
import type { FamilyDecided } from "../../../harmonize/review/family.ts";
import type { ReviewListing } from "../../../harmonize/review/listing.ts";
import type { ReviewQueue } from "../../../harmonize/review/order.ts";
import type { LastStep, Undone } from "../../../harmonize/review/undo.ts";
import { wordsOf } from "../../../harmonize/run/words.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import { count } from "../../base/words.ts";

/** Follows a number: "12 of 40 to review". */
export const TO_DO: Record<ReviewQueue["show"], string> = {
  review: "to review",
  none: "without a venue",
  matched: "accepted by score",
  failed: "failed",
  skipped: "skipped",
};

export function undoneInWords(undone: Undone | undefined): Notice {
  if (!undone) return { kind: "info", message: "You have nothing to undo here." };
  const { restored, changed, addedName } = undone;
  const kept = changed > 0 ? ` ${count(changed, "listing")} stayed as decided: somebody has decided again since.` : "";
  const added = addedName ? ` “${addedName}” stays in the directory.` : "";
  if (restored === 0) return { kind: "warning", message: `Nothing was undone.${kept}` };
  const what =
    restored === 1 ? "Undone: the listing is as it was." : `Undone: ${count(restored, "listing")} are as they were.`;
  return { kind: "success", message: what + kept + added };
}

/** @param hrefOf returns the address of a listing */
export function familyInWords(
  { decided, overtaken, gone }: FamilyDecided,
  decision: "matched" | "rejected",
  hrefOf: (number: number) => string,
): Notice {
  const done = decision === "matched" ? "Matched" : "Left without a venue";
  const told = decided + overtaken.count + gone;
  if (decided === told) return { kind: "success", message: `${done}: ${count(decided, "listing")}.` };
  const by = new Intl.ListFormat("en").format(overtaken.names);
  const parts = [`${done}: ${decided === 0 ? "none" : decided.toLocaleString("en")} of the ${count(told, "listing")}.`];
  if (overtaken.count > 0) parts.push(`${overtaken.count.toLocaleString("en")} had already been decided by ${by}.`);
  if (gone > 0)
    parts.push(
      `${gone.toLocaleString("en")} no longer ${gone === 1 ? "belongs" : "belong"} here: open elsewhere, skipped, or moved by a changed limit.`,
    );
  const link = overtaken.first && { href: hrefOf(overtaken.first), label: "Look at the first of them" };
  return { kind: "warning", message: parts.join(" "), link: link || undefined };
}

export function lastInWords({ listings, name, decision, venueName, isSkipped }: LastStep): string {
  if (listings > 1)
    return `${count(listings, "listing")} ${decision === "matched" ? "matched with their best candidates" : "left without a venue"}`;
  const which = name ? `“${name}”` : "The listing";
  if (decision === "matched") return `${which} matched with “${venueName ?? "its venue"}”`;
  if (decision === "added") return `${which} added as “${venueName ?? "a venue"}”`;
  if (decision === "rejected") return `${which} left without a venue`;
  return isSkipped ? `${which} skipped` : `${which} decided`;
}

export function decisionInWords(decision: ReviewListing["decision"], venueName: string | null): string {
  if (decision === "rejected") return "No venue";
  return `${decision === "added" ? "Added as" : "Matched with"} “${venueName ?? "a venue"}”`;
}

/** Why the directory did not accept the listing's venue or id. */
export function troubleInWords({
  outcome,
  problem,
  annotationProblem,
}: Pick<ReviewListing, "outcome" | "problem" | "annotationProblem">): string | undefined {
  if (outcome === "matched" && annotationProblem)
    return `Id not written to the directory: ${wordsOf(annotationProblem)}`;
  if (outcome === "matched" && problem?.code === "not_undone") return wordsOf(problem);
  return outcome === "none" && problem ? notAdded(problem) : undefined;
}

export function reasonInWords(reason: string): string {
  const [, comparison = "", sign] = /^(\w+)([+-])/.exec(reason) ?? [];
  return `${SUBJECTS[comparison] ?? comparison} speaks ${sign === "+" ? "for" : "against"} the best candidate`;
}

/** What our directory compares. Comparisons of other directories are shown by their codes. */
const SUBJECTS: Record<string, string> = {
  name: "the name",
  distance: "the position",
  kind: "the kind of place",
  onlyOneAt: "a place within a place",
  difference: "the words of the names",
  sibling: "a word of the name",
  otherDesignation: "a letter, number or direction in the name",
  address: "the address",
  houseNumber: "the house number",
  street: "the street",
  unit: "the unit",
  zip: "the postal code",
  phone: "the phone",
  twitter: "the Twitter name",
  website: "the website",
  town: "the town",
  rivals: "another venue",
};
