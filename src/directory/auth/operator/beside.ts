import { reasonInWords } from "../../../language/reasons.ts";
import type { Evidence } from "../../../matching/evidence.ts";
import type { VenueRow } from "../../venues/rows.ts";
import { factsOf } from "./venues.ts";

/** The facts of venues beside each other, without those that none has. */
export function factsBeside(venues: readonly VenueRow[]) {
  const columns = venues.map(factsOf);
  return (columns[0] ?? []).flatMap(({ label }, at) => {
    const [first = "", ...rest] = columns.map((facts) => facts[at]?.value ?? "");
    if (![first, ...rest].some(Boolean)) return [];
    return { label, first, rest: rest.map((value) => ({ value, isSame: value === first })) };
  });
}

/** Never 100. */
export const percentOf = (score: number): number => Math.min(99, Math.round(100 * score));

export const reasonsOf = (evidence: readonly Evidence[]) =>
  evidence.map(({ text, weight }) => ({ text: reasonInWords(text), isFor: weight > 0 }));
