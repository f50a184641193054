import type { LatLng } from "../../../contract/parameters.ts";
import type { ConflictListing } from "../../../harmonize/conflicts/listings.ts";
import type { Misplaced } from "../../../harmonize/conflicts/positions.ts";
import type { Conflicts } from "../../../harmonize/conflicts/shown.ts";
import { t } from "../../../language/translate.ts";
import { venueHref } from "../../venues/view.ts";

interface Section {
  key: string;
  heading: string;
  help: string;
  total: number;
  items: {
    words?: string;
    venue?: { count: number; name: string; href: string };
    listings: ShownListing[];
    more?: string;
  }[];
}

/** The kinds of conflicts, each with those that are shown. */
export const sectionsOf = (id: string, conflicts: Conflicts): Section[] => [
  ...sharedSections(id, conflicts),
  ...positionSections(id, conflicts),
];

function sharedSections(id: string, { sameVenue, sameId, otherVenue }: Conflicts): Section[] {
  return [
    {
      key: "venue",
      heading: t("Several rows on one venue"),
      total: sameVenue.total,
      help: t("Either the rows are duplicates, or one of them belongs to the venue next door."),
      items: sameVenue.shown.map(({ venueId, venueName, ...group }) => ({
        venue: { count: group.count, href: venueHref(venueId), name: venueName ?? venueId },
        ...listingsOf(id, group),
      })),
    },
    {
      key: "id",
      heading: t("One id, several rows"),
      total: sameId.total,
      help: t("An id should name one row: otherwise it is unclear which one a mapping means."),
      items: sameId.shown.map(({ ownId, ...group }) => ({
        words: t("The id {id} is in {count, plural, one {# row} other {# rows}}: {venues}", {
          id: ownId,
          count: group.count,
          venues: venuesOf(group.listings),
        }),
        ...listingsOf(id, group, ownId),
      })),
    },
    {
      key: "file",
      heading: t("Different venue in another file"),
      total: otherVenue.total,
      help: t("The same id is matched with another venue in an earlier edition, or in another file of the same owner."),
      items: otherVenue.shown.map(({ listing, other }) => ({
        words: t("{here} in this file, {there} in {file}", {
          here: named(listing.venueName),
          there: named(other.listing.venueName),
          file: other.name,
        }),
        listings: [
          shown(id, listing, { isNamed: true }),
          shown(other.id, other.listing, { isNamed: true, where: t("In {file}", { file: other.name }) }),
        ],
      })),
    },
  ];
}

function positionSections(id: string, { misplaced, samePoint }: Conflicts): Section[] {
  return [
    {
      key: "position",
      heading: t("Positions that look mistyped"),
      total: misplaced.total,
      help: t(
        "These rows are far from the rest of the file, but close to it once latitude and longitude are swapped, change sign or have their decimal point moved. Those without a match are held back when you add rows.",
      ),
      items: misplaced.shown.map(({ listing, slip, is, wouldBe }) => ({
        words: t("{slip}: {is} should perhaps be {wouldBe}", {
          slip: slips()[slip],
          is: degrees(is),
          wouldBe: degrees(wouldBe),
        }),
        listings: [shown(id, listing, { isNamed: false })],
      })),
    },
    {
      key: "point",
      heading: t("Many rows on one point"),
      total: samePoint.total,
      help: t("Often a town centre used as a placeholder; distances there are meaningless."),
      items: samePoint.shown.map(({ lat, lng, ...group }) => ({
        words: t("{count, plural, one {# row} other {# rows}} at {position}: {venues}", {
          count: group.count,
          position: degrees({ lat, lng }),
          venues: venuesOf(group.listings),
        }),
        ...listingsOf(id, group),
      })),
    },
  ];
}

/** Of a group. If all have the same venue, the line above them names it, as it does `told`, their own id. */
const listingsOf = (
  id: string,
  { count, listings }: { count: number; listings: ConflictListing[] },
  told?: string,
) => ({
  listings: listings.map((each) =>
    shown(id, { ...each, ownId: each.ownId === told ? "" : each.ownId }, { isNamed: idsOf(listings).size < 2 }),
  ),
  ...(count > listings.length && { more: t("and {count, number} more", { count: count - listings.length }) }),
});

const idsOf = (listings: ConflictListing[]) => new Set(listings.flatMap(({ venueId }) => venueId ?? []));

const slips = (): Record<Misplaced["slip"], string> => {
  const [swapped, latPoint, lngPoint] = [
    t("Latitude and longitude swapped"),
    t("Misplaced decimal point in the latitude"),
    t("Misplaced decimal point in the longitude"),
  ];
  return {
    swapped,
    "swapped, lng sign": swapped,
    "swapped, lat sign": swapped,
    "swapped, both signs": swapped,
    "lat sign": t("Latitude with the wrong sign"),
    "lng sign": t("Longitude with the wrong sign"),
    "both signs": t("Wrong signs"),
    "lat tenth": latPoint,
    "lat tenfold": latPoint,
    "lng tenth": lngPoint,
    "lng tenfold": lngPoint,
    "both tenth": t("Misplaced decimal points"),
  };
};

const degrees = ({ lat, lng }: LatLng): string => `${lat}, ${lng}`;
const named = (venue: string | null): string => venue ?? t("a venue without a name");

function venuesOf(listings: ConflictListing[]): string {
  const { size } = idsOf(listings);
  if (size > 1) return t("matched to {count} venues", { count: size });
  if (size === 0) return t("none is matched");
  const { venueName = null } = listings.find(({ venueId }) => venueId !== null) ?? {};
  return t("all matched rows are on {venue}", { venue: named(venueName) });
}

type ShownListing = ReturnType<typeof shown>;

/** `isNamed`: the venue, above the rows. */
const shown = (
  id: string,
  { number, ownId, name, outcome, venueName, credit }: ConflictListing,
  { isNamed, where }: { isNamed: boolean; where?: string },
) => ({
  name,
  outcome: outcomesInWords()[outcome],
  credit,
  href: `/harmonizations/${id}/review/${number}`,
  details: [where, ownId, !isNamed && outcome === "matched" && venueName].filter(Boolean).join(" · "),
});

const outcomesInWords = (): Record<ConflictListing["outcome"], string> => ({
  matched: t("matched"),
  review: t("review"),
  none: t("none"),
  failed: t("failed"),
  pending: t("pending"),
});
