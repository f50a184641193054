import { z } from "zod";
import { wholeNumber } from "../../../contract/parameters.ts";
import { text } from "../../../contract/text.ts";
import { BANDS, type Facets, type Filter, facetsOf } from "../../../harmonize/results/facets.ts";
import { MOST_SORTED, SORTS } from "../../../harmonize/results/listings.ts";
import { percentOf } from "../../../harmonize/results/outcome-words.ts";
import { REASON } from "../../../harmonize/review/order.ts";
import { findHarmonization, type Harmonization } from "../../../harmonize/run/harmonizations.ts";
import { firstColumn, type Outcome } from "../../../harmonize/run/rows.ts";
import { formatNumber } from "../../../language/format.ts";
import { t } from "../../../language/translate.ts";
import { notFound } from "../../../shared/errors.ts";
import type { Web } from "../../base/deps.ts";
import type { Member } from "../../base/members.ts";
import { reasonInWords } from "../review/words.ts";

const column = (name: string) => wholeNumber(name, 1, 10_000).optional();

/** Parameters of the page of results. `score`: the lower edge of a band, `from`: any, in percent; columns are counted from 1. */
export const facetFields = {
  narrow: z.literal("1", { error: () => t("narrow must be 1") }).optional(),
  reason: z
    .string()
    .regex(REASON, { error: () => t("reason is what is compared, and + or -") })
    .optional(),
  town: text("town", 200).optional(),
  score: z
    .enum(
      BANDS.map((from) => String(percentOf(from))),
      { error: () => t("score must be the beginning of a band") },
    )
    .optional(),
  from: wholeNumber("from", 1, 99).optional(),
  sort: z.enum(SORTS, { error: () => t("sort must be one of {names}", { names: SORTS.join(", ") }) }).optional(),
  problem: z.literal("no_category", { error: () => t("problem must be no_category") }).optional(),
  edition: z.enum(["new", "changed"], { error: () => t("edition must be new or changed") }).optional(),
  removed: z.uuid({ error: () => t("removed must be the id of a later edition") }).optional(),
  asked: z.uuid({ error: () => t("asked must be the id of a person") }).optional(),
  filled: column("filled"),
  empty: column("empty"),
};
type Asked = z.output<z.ZodObject<typeof facetFields>>;

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
type Facet = (typeof FACETS)[number];

/** The chosen facets as parameters of a link. */
export const facetsIn = (asked: Asked): Partial<Record<Facet | "narrow" | "sort", string>> =>
  Object.fromEntries(
    ["narrow" as const, "sort" as const, ...FACETS].flatMap((facet) =>
      asked[facet] === undefined ? [] : [[facet, String(asked[facet])]],
    ),
  );

export function filterOf(
  { reason, town, score, from: percent, problem, edition, removed, asked, filled, empty }: Asked,
  { columns }: Pick<Harmonization, "columns">,
): Filter {
  const band = score === undefined ? 0 : BANDS.findIndex((from) => String(percentOf(from)) === score);
  const least = Math.max(BANDS[band] ?? 0, percent === undefined ? 0 : leastShownAs(percent));
  const isScored = score !== undefined || percent !== undefined;
  return {
    ...{ reason, problem, edition, missingIn: removed, asked },
    ...(columns.city !== undefined && { town, townColumn: firstColumn(columns, "city") }),
    ...(isScored && { from: least, to: (score !== undefined && BANDS[band + 1]) || 2 }),
    ...(filled !== undefined && { column: filled, isFilled: true }),
    ...(filled === undefined && empty !== undefined && { column: empty, isFilled: false }),
  };
}

/** The least score that percentOf() rounds up to so many percent. */
const leastShownAs = (percent: number): number => (percent * 10 - 0.5) / 1000;

/** Throws 404 unless `removed` is an edition after this file that the member may see, too. */
export async function checkEdition({ harmonizer }: Web, member: Member, { id }: Harmonization, { removed }: Asked) {
  const later = removed === undefined ? undefined : await findHarmonization(harmonizer, member, removed);
  if (removed !== undefined && later?.previousId !== id) throw notFound();
}

interface Shown {
  asked: Asked;
  outcome: Outcome | undefined;
  text: string;
  /** Returns the address of the page with these facets. */
  hrefOf: (facets: Record<string, string>) => string;
}

/** Returns the links that narrow the list down. Counts only if asked for: it reads every listing. */
export async function facetsView(web: Web, h: Harmonization, { asked, outcome, text: q, hrefOf }: Shown) {
  const given = facetsIn(asked);
  const { narrow: _, sort, ...chosen } = given;
  const { from: __, ...withoutFrom } = given;
  const without = (facet: Facet) =>
    hrefOf(Object.fromEntries(Object.entries(given).filter(([name]) => name !== facet)));
  const chips = (Object.entries(chosen) as [Facet, string][]).map(([facet, value]) => ({
    label: inWords(facet, value, h),
    href: without(facet),
  }));
  const isOpen = asked.narrow !== undefined || chips.length > 0;
  const { value, isLate } = isOpen
    ? await facetsOf(web.harmonizer, h, { outcome, text: q, filter: filterOf(asked, h) })
    : { value: undefined, isLate: false };
  const linkTo = ([facet, of, listings]: [Facet, string, number]) => ({
    ...{ label: inWords(facet, of, h), count: formatNumber(listings) },
    href: hrefOf({ ...given, narrow: "1", [facet]: of }),
  });
  const groups = value
    ? groupsOf(value, chosen, h).map(({ heading, values }) => ({ heading, links: values.map(linkTo) }))
    : [];
  return {
    ...{ chips, isOpen, isLate, groups: groups.filter(({ links }) => links.length > 0) },
    found: value?.all,
    // A form drops the query of its address.
    fromForm: isOpen ? { fields: fieldsOf(hrefOf({ ...withoutFrom, narrow: "1" })), from: asked.from } : undefined,
    openHref: hrefOf({ ...(sort && { sort }), narrow: "1" }),
    closeHref: hrefOf(sort ? { sort } : {}),
    sorts: h.listingCount <= MOST_SORTED ? sortsFor(given, hrefOf) : [],
  };
}

const fieldsOf = (href: string): [string, string][] => [...new URLSearchParams(href.split("?")[1])];

function sortsFor({ sort, ...given }: ReturnType<typeof facetsIn>, hrefOf: Shown["hrefOf"]) {
  const orders = [undefined, ...SORTS] as const;
  return orders.map((each) => ({
    label: each === "score" ? t("Surest first") : each === "town" ? t("Town") : t("Order of the file"),
    href: hrefOf({ ...given, ...(each && { sort: each }) }),
    isCurrent: each === sort,
  }));
}

export type FacetsView = Awaited<ReturnType<typeof facetsView>>;

function groupsOf({ all, reasons, towns, editions, bands, filled }: Facets, chosen: object, h: Harmonization) {
  const group = (heading: string, facet: Facet, values: [string, number][]) => ({
    heading,
    values: facet in chosen ? [] : values.map(([value, listings]): [Facet, string, number] => [facet, value, listings]),
  });
  const inBands = bands.map((listings, at): [string, number] => [String(percentOf(BANDS[at] ?? 0)), listings]);
  const mixed = h.header.flatMap((_, at): [string, number][] => {
    const listings = filled[at] ?? 0;
    return listings > 0 && listings < all ? [[String(at + 1), listings]] : [];
  });
  const isColumn = "filled" in chosen || "empty" in chosen;
  return [
    group(t("Reason"), "reason", reasons),
    group(t("Town"), "town", towns),
    group(t("Since the previous edition"), "edition", editions),
    group(
      t("Score"),
      "score",
      inBands.filter(([, listings]) => listings > 0),
    ),
    ...(isColumn
      ? []
      : [
          group(
            t("Empty column"),
            "empty",
            mixed.map(([at, listings]) => [at, all - listings]),
          ),
          group(t("Filled column"), "filled", mixed),
        ]),
  ];
}

function inWords(facet: Facet, value: string, { header }: Pick<Harmonization, "header">): string {
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
  const name = header[Number(value) - 1] || t("Column {number}", { number: value });
  return facet === "filled" ? t("{name} filled", { name }) : t("{name} empty", { name });
}
