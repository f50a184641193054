import type { LeftFor, ManyDecided, ManyDecision } from "../../../harmonize/results/many.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import { t } from "../../../language/translate.ts";

/** Says how many listings an action changed, and how many it left and why. */
export function manyInWords({ changed, left }: ManyDecided, decision: ManyDecision): Notice {
  const done = DONE[decision](changed);
  if (left.length === 0 && changed > 0) return { kind: "success", message: done };
  const parts = left.map(({ why, count }) => LEFT[why](count, decision));
  const heading = changed > 0 ? done : t("Nothing was changed.");
  return { kind: "warning", heading, message: parts.join(" ") || t("None of the chosen rows exists any more.") };
}

const DONE: Record<ManyDecision, (count: number) => string> = {
  matched: (count) => t("Accepted: {count, plural, one {# row} other {# rows}}.", { count }),
  rejected: (count) => t("Left without a venue: {count, plural, one {# row} other {# rows}}.", { count }),
  review: (count) => t("Sent back to review: {count, plural, one {# row} other {# rows}}.", { count }),
};

const LEFT: Record<LeftFor, (count: number, decision: ManyDecision) => string> = {
  adding: (count) =>
    t("{count, plural, one {# row is} other {# rows are}} being added to the directory now.", { count }),
  pending: (count) => t("{count, plural, one {# row has} other {# rows have}} not been matched yet.", { count }),
  open: (count) => t("{count, plural, one {# row is} other {# rows are}} open in somebody’s review.", { count }),
  changed: (count) =>
    t(
      "{count, plural, one {# row was} other {# rows were}} decided or matched again since you opened the list: look at {count, plural, one {it} other {them}} again.",
      { count },
    ),
  added: (count) =>
    t(
      "{count, plural, one {# row was} other {# rows were}} added to the directory and can only be changed one by one.",
      { count },
    ),
  failed: (count) =>
    t(
      "{count, plural, one {# row has} other {# rows have}} failed: retry or correct {count, plural, one {it} other {them}} first.",
      {
        count,
      },
    ),
  same: (count) => t("{count, plural, one {# row already had} other {# rows already had}} this decision.", { count }),
  annotated: (count) =>
    t(
      "{count, plural, one {# row has its id} other {# rows have their ids}} on the venue in the directory and can only be changed one by one.",
      { count },
    ),
  no_candidate: (count, decision) =>
    decision === "review"
      ? t("{count, plural, one {# row has} other {# rows have}} no candidate likely enough for a review.", {
          count,
        })
      : t("{count, plural, one {# row has} other {# rows have}} no candidate.", { count }),
  gone: (count) =>
    t(
      "{count, plural, one {# row has a candidate that is} other {# rows have candidates that are}} no longer in the directory.",
      { count },
    ),
};
