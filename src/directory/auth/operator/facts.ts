import { VALUE_NAMES } from "../../../contract/correction-parameters.ts";
import { ll as point } from "../../../contract/parameters.ts";
import { closedInWords, positionInWords, valueInWords, valueLabels } from "../../../http/pages/venue-form.ts";
import { formatNumber, withDecimalSign } from "../../../language/format.ts";
import { categoryName } from "../../../language/names.ts";
import { reasonInWords } from "../../../language/sentences.ts";
import { t } from "../../../language/translate.ts";
import { distanceBetween, metresInWords } from "../../../matching/distance.ts";
import type { Evidence } from "../../../matching/evidence.ts";
import { categoryPath, findCategory } from "../../categories/tree.ts";
import { valuesOf } from "../../corrections/values.ts";
import type { Proposal } from "../../proposals/list.ts";
import { addressOf } from "../../venues/present.ts";
import type { VenueRow } from "../../venues/rows.ts";

/** Leaves out what neither has. */
export function sideBySide(venue: VenueRow, into: VenueRow) {
  const others = factsOf(into);
  return factsOf(venue).flatMap(({ label, value }, at) => {
    const other = others[at]?.value ?? "";
    return value || other ? [{ label, value, other, isSame: value === other }] : [];
  });
}

/** The same facts of every venue, with "" for those that it lacks. */
const factsOf = (venue: VenueRow): { label: string; value: string }[] => [
  { label: t("Name"), value: venue.name },
  { label: t("Category"), value: categoryWithId(venue.categoryId ?? "") },
  { label: t("Address"), value: addressOf(venue).join(", ") },
  { label: t("Phone"), value: venue.phone ?? "" },
  { label: t("Website"), value: venue.url ?? "" },
  { label: t("Position"), value: positionInWords(venue, venue.isByAddress) },
  { label: t("Check-ins"), value: formatNumber(venue.checkinsCount) },
  { label: t("Status"), value: venue.heldFor === null ? closedInWords(venue.isClosed) : t("Waiting for approval") },
];

/** Returns "" if there is none. */
export function categoryWithId(id: string): string {
  const category = categoryPath(id).at(-1);
  return category ? categoryName(category.name) : "";
}

export function factsOfEdit(venue: VenueRow, { wanted }: Proposal) {
  const now = valuesOf(venue);
  const labels = valueLabels();
  const facts = VALUE_NAMES.flatMap((name) => {
    const value = now[name];
    const other = wanted[name] ?? now[name];
    const words = (text: string) => valueInWords(name, text, (id) => findCategory(id)?.name);
    return value || other
      ? [{ label: labels[name], value: words(value), other: words(other), isSame: value === other }]
      : [];
  });
  if (wanted.ll === undefined) return facts;
  const metres = distanceBetween(venue, point.parse(wanted.ll));
  return [...facts, { label: t("Moves by"), value: "", other: withDecimalSign(metresInWords(metres)), isSame: false }];
}

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
