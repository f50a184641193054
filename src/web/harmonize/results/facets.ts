import { BANDS, type Facets, facetsOf } from "../../../harmonize/results/facets.ts";
import { MOST_SORTED } from "../../../harmonize/results/listings.ts";
import { percentOf } from "../../../harmonize/results/outcome-words.ts";
import { SORTS } from "../../../harmonize/review/filter.ts";
import { findHarmonization, type Harmonization } from "../../../harmonize/run/harmonizations.ts";
import type { Outcome } from "../../../harmonize/run/rows.ts";
import { formatNumber } from "../../../language/format.ts";
import { t } from "../../../language/translate.ts";
import { notFound } from "../../../shared/errors.ts";
import type { Web } from "../../base/deps.ts";
import type { Member } from "../../base/members.ts";
import {
  type AskedFacets,
  type Facet,
  facetInGroup,
  facetInWords,
  facetsIn,
  filterOf,
  isReasonFor,
  sortInWords,
} from "../base/filter.ts";

/** Throws 404 unless `removed` is an edition after this file that the member may see, too. */
export async function checkEdition(
  { harmonizer }: Web,
  member: Member,
  { id }: Harmonization,
  { removed }: AskedFacets,
) {
  const later = removed === undefined ? undefined : await findHarmonization(harmonizer, member, removed);
  if (removed !== undefined && later?.previousId !== id) throw notFound();
}

interface Shown {
  asked: AskedFacets;
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
    label: facetInWords(facet, value, h),
    href: without(facet),
  }));
  const isOpen = asked.narrow !== undefined || chips.length > 0;
  const { value, isLate } = isOpen
    ? await facetsOf(web.harmonizer, h, { outcome, text: q, filter: filterOf(asked, h) })
    : { value: undefined, isLate: false };
  const linkTo = ([facet, of, listings]: [Facet, string, number]) => ({
    label: facetInGroup(facet, of, h),
    count: formatNumber(listings),
    href: hrefOf({ ...given, narrow: "1", [facet]: of }),
  });
  const groups = value
    ? groupsOf(value, chosen, h).map(({ heading, values }) => ({ heading, links: values.map(linkTo) }))
    : [];
  return {
    chips,
    isOpen,
    isLate,
    groups: groups.filter(({ links }) => links.length > 0),
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
    label: sortInWords(each),
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
    group(
      t("Counts for the best candidate"),
      "reason",
      reasons.filter(([reason]) => isReasonFor(reason)),
    ),
    group(
      t("Counts against it"),
      "reason",
      reasons.filter(([reason]) => !isReasonFor(reason)),
    ),
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
