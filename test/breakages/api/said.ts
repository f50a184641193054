import type { Breakage } from "../breakage.ts";

/** C72 and C73: what must be said of a match: that its position was estimated, and where the venue comes from. */
export const saidBreakages: Breakage[] = [
  {
    id: "C72",
    breaks: "a position by the address counts like the listing's own",
    file: "src/directory/venues/search/by-address.ts",
    find: "score: scoreOf(logOdds(match.score) - COST)",
    replace: "score: match.score",
    test: "test/directory/api/match-by-address.test.ts",
  },
  {
    id: "C72",
    breaks: "the evidence does not say that the position is by the address",
    file: "src/directory/venues/search/by-address.ts",
    find: "[...match.evidence, said].sort(",
    replace: "[...match.evidence, ...(said.weight > 0 ? [said] : [])].sort(",
    test: "test/directory/api/match-by-address.test.ts",
  },
  {
    id: "C72",
    breaks: "the card to review does not say that the position is by the address",
    file: "src/web/harmonize/review/card.ts",
    find: "byAddress: byAddressInWords(query?.byAddress)",
    replace: "byAddress: query?.ll && byAddressInWords(query.byAddress)",
    test: "test/web/harmonize/review/review.test.ts",
  },
  {
    id: "C72",
    breaks: "exports do not say that the position is by the address",
    file: "src/harmonize/export/receipt.ts",
    find: "byAddressReason(row.by_address), ",
    replace: "",
    test: "test/harmonize/export/export.test.ts",
  },
  {
    id: "C73",
    breaks: "the API does not say where an imported venue comes from",
    file: "src/directory/venues/present.ts",
    find: "...(source && { source: presentSource(source) })",
    replace: "...(source && row.isClosed && { source: presentSource(source) })",
    test: "test/directory/api/former-venues.test.ts",
  },
  {
    id: "C73",
    breaks: "the candidates of a listing are shown without their sources",
    file: "src/web/harmonize/review/card.ts",
    find: "credits: creditsOf(choices)",
    replace: "credits: creditsOf(choices.slice(9))",
    test: "test/web/harmonize/review/review.test.ts",
  },
  {
    id: "C73",
    breaks: "matches are shown without their sources",
    file: "src/web/venues/match.ts",
    find: "credits: creditsOf(cards)",
    replace: "credits: creditsOf(cards.slice(9))",
    test: "test/web/venues/match-page.test.ts",
  },
  {
    id: "C73",
    breaks: "exports name no source of a venue that was found by hand",
    file: "src/harmonize/export/receipt.ts",
    find: '(row.why.credit ?? "")',
    replace: '""',
    test: "test/harmonize/export/export.test.ts",
  },
];
