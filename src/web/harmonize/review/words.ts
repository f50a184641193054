import { notAdded } from "../../../harmonize/results/outcome-words.ts";
import type { FamilyDecided } from "../../../harmonize/review/family.ts";
import type { ReviewListing } from "../../../harmonize/review/listing.ts";
import type { ReviewQueue } from "../../../harmonize/review/order.ts";
import type { LastStep, Undone } from "../../../harmonize/review/undo.ts";
import { NOT_DELETED } from "../../../harmonize/run/problems/problems.ts";
import { wordsOf } from "../../../harmonize/run/problems/words.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import { formatList } from "../../../language/format.ts";
import { t } from "../../../language/translate.ts";

/** Follows a number: "12 of 40 to review". */
export const toDo = (show: ReviewQueue["show"]): string =>
  t(
    "{show, select, none {without a venue} matched {accepted by score} failed {failed} skipped {skipped} asked {waiting for you} other {to review}}",
    { show },
  );

export function undoneInWords(undone: Undone | undefined): Notice {
  if (!undone) return { kind: "info", message: t("You have nothing to undo here.") };
  const { restored, changed, gone, addedName } = undone;
  const parts = [
    restored === 0
      ? t("Nothing was undone.")
      : t("{count, plural, one {Undone.} other {Undone: # rows are as they were.}}", {
          count: restored,
        }),
  ];
  if (changed > 0)
    parts.push(
      t(
        "{count, plural, one {# row} other {# rows}} unchanged: somebody has decided {count, plural, one {it} other {them}} again since.",
        {
          count: changed,
        },
      ),
    );
  if (gone > 0)
    parts.push(
      t(
        "{count, plural, one {# row} other {# rows}} unchanged: the venue that {count, plural, one {it} other {they}} had before is no longer in the directory.",
        { count: gone },
      ),
    );
  if (addedName && restored > 0) parts.push(t("“{name}” stays in the directory.", { name: addedName }));
  return { kind: restored === 0 ? "warning" : "success", message: parts.join(" ") };
}

/** @param hrefOf returns the address of a listing */
export function familyInWords(
  { decided, overtaken, gone }: FamilyDecided,
  decision: "matched" | "rejected",
  hrefOf: (number: number) => string,
): Notice {
  const told = decided + overtaken.count + gone;
  const all = { decision, told };
  if (decided === told)
    return {
      kind: "success",
      message: t(
        "{decision, select, matched {Matched} other {Left without a venue}}: {told, plural, one {# row} other {# rows}}.",
        all,
      ),
    };
  const parts = [
    t(
      "{decision, select, matched {Matched} other {Left without a venue}}: {decided, plural, =0 {none} other {#}} of the {told, plural, one {# row} other {# rows}}.",
      { ...all, decided },
    ),
  ];
  if (overtaken.count > 0)
    parts.push(
      t("{count, number} had already been decided by {names}.", {
        count: overtaken.count,
        names: formatList(overtaken.names),
      }),
    );
  if (gone > 0)
    parts.push(
      t(
        "{gone, plural, one {# no longer belongs} other {# no longer belong}} here: opened by somebody else, skipped, moved by a changed limit, or with a candidate that has left the directory.",
        { gone },
      ),
    );
  const link = overtaken.first && { href: hrefOf(overtaken.first), label: t("See the first of these rows") };
  return { kind: "warning", message: parts.join(" "), link: link || undefined };
}

export function lastInWords({ listings, name, decision, venueName, isSkipped, isMove }: LastStep): string {
  if (isMove) return t("{count, plural, one {# position} other {# positions}} corrected", { count: listings });
  if (listings > 1 && decision === null && !isSkipped)
    return t("{count, plural, one {# row} other {# rows}} sent back to review", { count: listings });
  if (listings > 1)
    return decision === "matched"
      ? t("{count, plural, one {# row} other {# rows}} matched with the best candidates", { count: listings })
      : t("{count, plural, one {# row} other {# rows}} left without a venue", { count: listings });
  const listing = name ? t("“{name}”", { name }) : t("The row");
  if (decision === "matched")
    return t("{listing} matched with “{venue}”", { listing, venue: venueName ?? t("its venue") });
  if (decision === "added") return t("{listing} added as “{venue}”", { listing, venue: venueName ?? t("a venue") });
  if (decision === "rejected") return t("{listing} left without a venue", { listing });
  return isSkipped ? t("{listing} skipped", { listing }) : t("{listing} sent back to review", { listing });
}

interface Decided {
  decision: ReviewListing["decision"];
  venueName: string | null;
  decidedBy: string | null;
}

/** @param isKept whether the decision is of the previous edition */
export function decidedInWords({ decidedBy, ...decided }: Decided, isKept: boolean): string {
  const what = decisionInWords(decided);
  return isKept
    ? t("{what} by {name}, in the previous edition", { what, name: decidedBy ?? t("its score") })
    : t("{what} by {name}", { what, name: decidedBy ?? t("somebody") });
}

export function beforeInWords({ decidedBy, ...decided }: Decided): string {
  const what = decisionInWords(decided);
  return decidedBy ? t("{what} by {name}", { what, name: decidedBy }) : what;
}

function decisionInWords({ decision, venueName }: Omit<Decided, "decidedBy">): string {
  if (decision === "rejected") return t("No venue");
  const venue = venueName ?? t("a venue");
  return decision === "added" ? t("Added as “{venue}”", { venue }) : t("Matched with “{venue}”", { venue });
}

/** Why the directory did not accept the listing's venue or id. */
export function troubleInWords({
  outcome,
  problem,
  annotationProblem,
}: Pick<ReviewListing, "outcome" | "problem" | "annotationProblem">): string | undefined {
  if (outcome === "matched" && annotationProblem)
    return t("Id not written to the directory: {why}", { why: wordsOf(annotationProblem) });
  if (outcome === "matched" && problem && NOT_DELETED.some((code) => code === problem.code)) return wordsOf(problem);
  return outcome === "none" && problem ? notAdded(problem) : undefined;
}
