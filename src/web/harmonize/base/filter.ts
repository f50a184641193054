import { z } from "zod";
import { wholeNumber } from "../../../contract/parameters.ts";
import { text } from "../../../contract/text.ts";
import { BANDS } from "../../../harmonize/results/facets.ts";
import { percentOf } from "../../../harmonize/results/outcome-words.ts";
import { type Filter, SORTS, type Sort } from "../../../harmonize/review/filter.ts";
import { REASON_PATTERN } from "../../../harmonize/review/order.ts";
import type { Harmonization } from "../../../harmonize/run/harmonizations.ts";
import { firstColumn } from "../../../harmonize/run/rows.ts";
import { t } from "../../../language/translate.ts";

const column = (name: string) => wholeNumber(name, 1, 10_000).optional();

/** Parameters of the page of results. `score`: the lower edge of a band, `from`: any, in percent; columns are counted from 1. */
export const facetFields = {
  narrow: z.literal("1", { error: () => t("“narrow” must be 1") }).optional(),
  reason: z
    .string()
    .regex(REASON_PATTERN, {
      error: () => t("“reason” must be something that is compared, followed by + or -, such as name+"),
    })
    .optional(),
  town: text("town", 200).optional(),
  score: z
    .enum(
      BANDS.map((from) => String(percentOf(from))),
      { error: () => t("“score” must be the lower end of a range of scores") },
    )
    .optional(),
  from: wholeNumber("from", 1, 99).optional(),
  sort: z.enum(SORTS, { error: () => t("“sort” must be one of {names}", { names: SORTS.join(", ") }) }).optional(),
  problem: z.literal("no_category", { error: () => t("“problem” must be no_category") }).optional(),
  edition: z.enum(["new", "changed"], { error: () => t("“edition” must be new or changed") }).optional(),
  removed: z.uuid({ error: () => t("“removed” must be the id of a later edition") }).optional(),
  asked: z.uuid({ error: () => t("“asked” must be the id of a person") }).optional(),
  filled: column("filled"),
  empty: column("empty"),
};
export type AskedFacets = z.output<z.ZodObject<typeof facetFields>>;

const FACETS = [
  "reason",
  "town",
  "score",
  "from",
  "problem",
  "edition",
  "removed",
  "asked",
  "filled",
  "empty",
] as const;
export type Facet = (typeof FACETS)[number];

/** The chosen facets as parameters of a link. */
export const facetsIn = (asked: AskedFacets): Partial<Record<Facet | "narrow" | "sort", string>> =>
  Object.fromEntries(
    ["narrow" as const, "sort" as const, ...FACETS].flatMap((facet) =>
      asked[facet] === undefined ? [] : [[facet, String(asked[facet])]],
    ),
  );

export function filterOf(
  { reason, town, score, from: percent, problem, edition, removed, asked, filled, empty }: AskedFacets,
  { columns }: Pick<Harmonization, "columns">,
): Filter {
  const band = score === undefined ? 0 : BANDS.findIndex((from) => String(percentOf(from)) === score);
  const least = Math.max(BANDS[band] ?? 0, percent === undefined ? 0 : leastShownAs(percent));
  const isScored = score !== undefined || percent !== undefined;
  return {
    reason,
    problem,
    edition,
    missingIn: removed,
    asked,
    ...(columns.city !== undefined && { town, townColumn: firstColumn(columns, "city") }),
    ...(isScored && { from: least, to: (score !== undefined && BANDS[band + 1]) || 2 }),
    ...(filled !== undefined && { column: filled, isFilled: true }),
    ...(filled === undefined && empty !== undefined && { column: empty, isFilled: false }),
  };
}

/** The least score that percentOf() rounds up to so many percent. */
const leastShownAs = (percent: number): number => (percent * 10 - 0.5) / 1000;

/** A facet with its value, as a chip names it. */
export function facetInWords(facet: Facet, value: string, { header }: Pick<Harmonization, "header">): string {
  if (facet === "reason") return reasonInWords(value);
  if (facet === "town") return value;
  if (facet === "edition") return value === "new" ? t("New in this edition") : t("Changed in this edition");
  if (facet === "removed") return t("Removed in the next edition");
  if (facet === "problem") return t("Not added for lack of a category");
  if (facet === "from") return t("{from, number} % and more", { from: Number(value) });
  if (facet === "score") {
    const from = Number(value);
    const next = BANDS.map(percentOf).find((edge) => edge > from);
    return next === undefined
      ? t("{from, number} % and more", { from })
      : t("{from, number} to {next, number} %", { from, next });
  }
  const name = columnInWords(value, header);
  return facet === "filled" ? t("{name} filled", { name }) : t("{name} empty", { name });
}

const columnInWords = (value: string, header: readonly string[]): string =>
  header[Number(value) - 1] || t("Column {number}", { number: value });

/** As its group lists it: the heading says the rest. */
export function facetInGroup(facet: Facet, value: string, h: Pick<Harmonization, "header">): string {
  if (facet === "reason") return subjectInWords(value);
  return facet === "filled" || facet === "empty" ? columnInWords(value, h.header) : facetInWords(facet, value, h);
}

export function sortInWords(sort: Sort | undefined): string {
  if (sort === "score") return t("Surest first");
  return sort === "town" ? t("Town") : sort === "reason" ? t("Reason") : t("Order of the file");
}

export function reasonInWords(reason: string): string {
  const subject = subjectInWords(reason);
  return isReasonFor(reason)
    ? t("{subject} counts for the best candidate", { subject })
    : t("{subject} counts against the best candidate", { subject });
}

/** What counts, without whether it counts for or against the candidate. */
function subjectInWords(reason: string): string {
  const [comparison = ""] = /^\w+/.exec(reason) ?? [];
  return subjects()[comparison] ?? comparison;
}

export const isReasonFor = (reason: string): boolean => reason.endsWith("+");

/** What our directory compares. Comparisons of other directories are shown by their codes. */
const subjects = (): Record<string, string> => ({
  name: t("the name"),
  distance: t("the position"),
  kind: t("the kind of place"),
  onlyOneAt: t("a place within a place"),
  difference: t("the words of the names"),
  sibling: t("a word of the name"),
  otherDesignation: t("a letter, number or direction in the name"),
  address: t("the address"),
  houseNumber: t("the house number"),
  street: t("the street"),
  unit: t("the unit"),
  zip: t("the postal code"),
  phone: t("the phone"),
  twitter: t("the Twitter name"),
  website: t("the website"),
  town: t("the town"),
  rivals: t("another venue"),
});
