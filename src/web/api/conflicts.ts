import { z } from "zod";
import type { ConflictListing } from "../../harmonize/conflicts/listings.ts";
import type { Finding } from "../../harmonize/conflicts/look.ts";
import { conflictsOf } from "../../harmonize/conflicts/search.ts";
import { showConflicts } from "../../harmonize/conflicts/shown.ts";
import { fileEndpoint } from "./endpoint.ts";
import { seenWith } from "./tokens.ts";

const conflictRow = z.object({
  file_id: z.uuid(),
  number: z.int(),
  own_id: z.string().nullable(),
  name: z.string(),
  venue_id: z.string().nullable(),
});
const conflict = z.object({
  total: z.int(),
  first: z.array(z.object({ count: z.int(), rows: z.array(conflictRow).meta({ description: "The first of them." }) })),
});

export const readConflicts = fileEndpoint(
  {
    name: "readConflicts",
    method: "GET",
    path: "/api/v1/files/:id/conflicts",
    scope: "read",
    summary:
      "Shows rows that contradict each other: of one venue, with one id, on one point, or with another venue in another file",
    description: "Of a large file a worker searches: ask again until `is_searching` is false.",
    answer: z.object({
      is_searching: z.boolean(),
      conflicts: z
        .object({
          same_venue: conflict,
          same_id: conflict,
          other_venue: conflict,
          misplaced: conflict,
          same_point: conflict,
        })
        .nullable(),
    }),
  },
  async ({ web, member, token, h }) => {
    const { findings, done } = await conflictsOf(web.harmonizer, h);
    const is_searching = done !== undefined;
    if (!findings) return { is_searching, conflicts: null };
    const shown = await showConflicts(web.harmonizer, h, member, findings);
    const { sameVenue, sameId, otherVenue, misplaced, samePoint } = shown;
    const others = await seenWith(web, token, [...new Set(otherVenue.shown.map(({ other }) => other.id))]);
    const pairs = otherVenue.shown.filter(({ other }) => others.has(other.id));
    const rowsOf = (rows: ConflictListing[], file = h.id) => rows.map((row) => conflictRowView(row, file));
    const groups = ({ total, shown }: Finding<{ count: number; listings: ConflictListing[] }>) => ({
      total,
      first: shown.map(({ count, listings }) => ({ count, rows: rowsOf(listings) })),
    });
    return {
      is_searching,
      conflicts: {
        same_venue: groups(sameVenue),
        same_id: groups(sameId),
        same_point: groups(samePoint),
        other_venue: {
          total: pairs.length < otherVenue.shown.length ? pairs.length : otherVenue.total,
          first: pairs.map(({ listing, other }) => ({
            count: 2,
            rows: [...rowsOf([listing]), ...rowsOf([other.listing], other.id)],
          })),
        },
        misplaced: groups({
          total: misplaced.total,
          shown: misplaced.shown.map(({ listing }) => ({ count: 1, listings: [listing] })),
        }),
      },
    };
  },
);

const conflictRowView = (
  { number, ownId, name, venueId }: ConflictListing,
  file: string,
): z.output<typeof conflictRow> => ({
  file_id: file,
  number,
  own_id: ownId,
  name,
  venue_id: venueId,
});
