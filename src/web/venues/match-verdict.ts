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
  if (!first) return none("The directory has no similar venue near there. Add it as new, or check the position.");
  if (score === undefined) return unscored(cards);
  if (score < MATCH_CUT) return none("The most similar venues are below. If it is none of these, add it as new.");
  const why = sentence(first);
  if (confident)
    return { tone: "success", icon: "check", heading: "This is the same spot:", venue: first, message: why };
  const message = `${why} Check the differences before you rely on it.`.trim();
  return { tone: "info", icon: "info", heading: "Probably the same spot:", venue: first, message };
}

const none = (message: string): Verdict => ({ tone: "warning", icon: "alert", heading: "No venue matches", message });

function unscored(cards: MatchCard[]): Verdict {
  const message = "This directory gives no scores: compare the details yourself.";
  const only = cards.length === 1 ? cards[0] : undefined;
  const heading = only ? "Perhaps the same spot:" : "One of these may be the same spot";
  return { tone: "info", icon: "info", heading, venue: only, message };
}

function sentence({ reasons }: MatchCard): string {
  const good = reasons.filter(({ side }) => side !== "against").slice(0, 3);
  const bad = reasons.filter(({ side, isWeak }) => side === "against" && !isWeak).slice(0, 2);
  const told = [listed(good), listed(bad)].filter(Boolean).join(", though ");
  return told && `${told.charAt(0).toUpperCase()}${told.slice(1)}.`;
}

const inWords = new Intl.ListFormat("en-GB");
const listed = (reasons: { text: string }[]) => inWords.format(reasons.map(({ text }) => text));
