import { formatList } from "../../language/format.ts";
import { t } from "../../language/translate.ts";
import { MATCH_CUT } from "../../matching/decide.ts";
import type { MatchCard } from "./comparison.ts";

interface Verdict {
  tone: "success" | "info" | "warning";
  icon: string;
  heading: string;
  venue?: MatchCard | undefined;
  message: string;
}

/**
 * @param score of the first card; undefined if the directory gives none
 * @param confident the first may be accepted without review; ignored without a score
 */
export function verdictOf(cards: MatchCard[], score: number | undefined, confident: boolean): Verdict {
  const [first] = cards;
  if (!first) return none(t("The directory has no similar venue near there. Add it as new, or check the position."));
  if (score === undefined) return unscored(cards);
  if (score < MATCH_CUT) return none(t("The most similar venues are below. If it is none of these, add it as new."));
  const why = sentence(first);
  if (confident)
    return { tone: "success", icon: "check", heading: t("This is the same place:"), venue: first, message: why };
  const message = `${why} ${t("Check the differences before you rely on it.")}`.trim();
  return { tone: "info", icon: "info", heading: t("Probably the same place:"), venue: first, message };
}

const none = (message: string): Verdict => ({
  tone: "warning",
  icon: "alert",
  heading: t("No venue matches"),
  message,
});

function unscored(cards: MatchCard[]): Verdict {
  const message = t("This directory gives no scores: compare the details yourself.");
  const only = cards.length === 1 ? cards[0] : undefined;
  const heading = only ? t("Possibly the same place:") : t("One of these may be the same place");
  return { tone: "info", icon: "info", heading, venue: only, message };
}

function sentence({ reasons }: MatchCard): string {
  const good = reasons.filter(({ side }) => side !== "against").slice(0, 3);
  const bad = reasons.filter(({ side, isWeak }) => side === "against" && !isWeak).slice(0, 2);
  const told =
    good.length > 0 && bad.length > 0
      ? t("{reasons}, though {others}", { reasons: listed(good), others: listed(bad) })
      : listed([...good, ...bad]);
  return told && `${told.charAt(0).toUpperCase()}${told.slice(1)}.`;
}

const listed = (reasons: { text: string }[]) => formatList(reasons.map(({ text }) => text));
