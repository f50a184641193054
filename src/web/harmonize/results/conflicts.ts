import type { FastifyReply, FastifyRequest } from "fastify";
import type { LatLng } from "../../../contract/parameters.ts";
import type { ConflictListing } from "../../../harmonize/conflicts/listings.ts";
import type { Misplaced } from "../../../harmonize/conflicts/positions.ts";
import { type ConflictSearch, conflictsOf, wantConflicts } from "../../../harmonize/conflicts/search.ts";
import type { Shift } from "../../../harmonize/conflicts/shift.ts";
import { type Conflicts, showConflicts } from "../../../harmonize/conflicts/shown.ts";
import { anyWorker } from "../../../harmonize/results/progress.ts";
import { type Harmonization, isOwner } from "../../../harmonize/run/harmonizations.ts";
import { isOpen } from "../../../harmonize/run/positions.ts";
import { metresInWords } from "../../../matching/distance.ts";
import type { Web } from "../../base/deps.ts";
import { sendPage } from "../../base/page.ts";
import { count } from "../../base/words.ts";
import { venueHref } from "../../venues/view.ts";
import type { Seen } from "../base/guards.ts";
import { positionsView } from "../base/positions.ts";

/** `/harmonizations/:id/conflicts`: in a large file a worker searches, and the page shows its progress. */
export async function showConflictsPage(
  { harmonizer }: Web,
  _request: FastifyRequest,
  reply: FastifyReply,
  { member, found }: Seen,
): Promise<FastifyReply> {
  const search = await conflictsOf(harmonizer, found);
  const conflicts = search.findings && (await showConflicts(harmonizer, found, member, search.findings));
  if (search.done !== undefined) reply.header("refresh", "2");
  return sendPage(reply, member, "harmonize/results/conflicts", {
    title: `Conflicts in ${found.name}`,
    file: { name: found.name, href: `/harmonizations/${found.id}` },
    positions: positionsView(found.positions),
    search: { ...searchView(found, search), hasWorker: await anyWorker(harmonizer.pool) },
    found: conflicts && view(found, conflicts),
    isOwner: isOwner(found, member),
  });
}

/** `POST /harmonizations/:id/conflicts`: a worker searches again. */
export async function findConflicts(
  { harmonizer }: Web,
  _request: FastifyRequest,
  reply: FastifyReply,
  { found: { id } }: Seen,
): Promise<FastifyReply> {
  await wantConflicts(harmonizer, { id });
  return reply.redirect(`/harmonizations/${id}/conflicts`, 303);
}

function searchView({ listingCount }: Harmonization, { foundAt, done }: ConflictSearch) {
  const all = count(listingCount, "listing");
  return {
    isFinding: done !== undefined,
    words: done === undefined ? "" : `${done.toLocaleString("en")} of ${all} searched so far.`,
    share: done === undefined ? undefined : Math.min(1, done / Math.max(1, listingCount)),
    ago: foundAt && agoInWords((Date.now() - foundAt.getTime()) / 60_000),
  };
}

export type SearchView = ReturnType<typeof searchView> & { hasWorker: boolean };

function agoInWords(minutes: number): string {
  if (minutes < 1) return "Found just now.";
  if (minutes < 90) return `Found ${count(Math.round(minutes), "minute")} ago.`;
  if (minutes < 36 * 60) return `Found ${count(Math.round(minutes / 60), "hour")} ago.`;
  return `Found ${count(Math.round(minutes / 60 / 24), "day")} ago.`;
}

function view({ id, positions }: Harmonization, conflicts: Conflicts) {
  const { shift } = conflicts;
  const sections = sectionsOf(id, conflicts).map(({ total, items, ...section }) => ({
    ...{ ...section, items, total, number: total.toLocaleString("en") },
    more: total > items.length ? `The first ${items.length} of ${total.toLocaleString("en")}.` : undefined,
  }));
  return {
    sections,
    shift: shift && shiftWords(shift),
    isClear: !shift && !isOpen(positions) && sections.every(({ total }) => total === 0),
  };
}

export type ConflictsView = ReturnType<typeof view>;

const shiftWords = ({ metres, direction, matches }: Shift): string =>
  `Its positions lie about ${metresInWords(metres)} ${direction} of their venues, according to ${count(matches, "clear match", "clear matches")}. ` +
  "Perhaps they use another datum or projection, or are in other columns. Shift them back and upload the " +
  "file again, or begin again with those columns.";

interface Section {
  key: string;
  heading: string;
  help: string;
  total: number;
  items: { words: string; href?: string; link?: string; listings: ShownListing[]; more?: string }[];
}

function sectionsOf(id: string, conflicts: Conflicts): Section[] {
  const { sameVenue, sameId, otherVenue, misplaced, samePoint } = conflicts;
  const listings = (group: { count: number; listings: ConflictListing[] }) => ({
    listings: group.listings.map((each) => shown(id, each)),
    ...(group.count > group.listings.length && {
      more: `and ${count(group.count - group.listings.length, "more", "more")}`,
    }),
  });
  return [
    {
      ...{ key: "venue", heading: "Several listings on one venue", total: sameVenue.total },
      help: "They are duplicates in your file, or one of them belongs to a neighbouring venue.",
      items: sameVenue.shown.map(({ venueId, venueName, ...group }) => ({
        ...{ words: `${count(group.count, "listing")} on`, href: venueHref(venueId), link: venueName ?? venueId },
        ...listings(group),
      })),
    },
    {
      ...{ key: "id", heading: "One id, several rows", total: sameId.total },
      help: "An id should name one listing: otherwise it is unclear which one a mapping means.",
      items: sameId.shown.map(({ ownId, ...group }) => ({
        ...{ words: `The id ${ownId} is in ${count(group.count, "row")}: ${venuesOf(group.listings)}` },
        ...listings(group),
      })),
    },
    {
      ...{ key: "file", heading: "Different venue in another file", total: otherVenue.total },
      help: "The same id is matched with another venue in an earlier edition, or in another file of the same owner.",
      items: otherVenue.shown.map(({ listing, other }) => ({
        words: `${named(listing.venueName)} here, ${named(other.listing.venueName)} in ${other.name}`,
        listings: [shown(id, listing), shown(other.id, other.listing, `In ${other.name}`)],
      })),
    },
    {
      ...{ key: "position", heading: "Positions that look mistyped", total: misplaced.total },
      help: "They are far from the other listings of the file, but near them once latitude and longitude are swapped or change sign.",
      items: misplaced.shown.map(({ listing, slip, is, wouldBe }) => ({
        words: `${SLIPS[slip]}: ${degrees(is)} should perhaps be ${degrees(wouldBe)}`,
        listings: [shown(id, listing)],
      })),
    },
    {
      ...{ key: "point", heading: "Many listings on one point", total: samePoint.total },
      help: "Often the middle of a town, where the real position was unknown. Distances there mean nothing.",
      items: samePoint.shown.map(({ lat, lng, ...group }) => ({
        ...{ words: `${count(group.count, "listing")} at ${degrees({ lat, lng })}` },
        ...listings(group),
      })),
    },
  ];
}

const SLIPS: Record<Misplaced["slip"], string> = {
  swapped: "Latitude and longitude swapped",
  "lat sign": "Wrong sign of the latitude",
  "lng sign": "Wrong sign of the longitude",
  "both signs": "Wrong signs",
};

const degrees = ({ lat, lng }: LatLng): string => `${lat}, ${lng}`;
const named = (venue: string | null): string => venue ?? "a venue without a name";

function venuesOf(listings: ConflictListing[]): string {
  const venues = new Set(listings.flatMap(({ venueId }) => venueId ?? []));
  if (venues.size > 1) return `matched with ${venues.size} venues`;
  return venues.size === 1 ? "all matched rows have the same venue" : "none is matched";
}

type ShownListing = ReturnType<typeof shown>;

const shown = (id: string, { number, ownId, name, outcome, venueName }: ConflictListing, where = "") => ({
  ...{ name, outcome, href: `/harmonizations/${id}/review/${number}` },
  details: [where, ownId, outcome === "matched" && venueName].filter(Boolean).join(" · "),
});
