import { z } from "zod";
import { type LookUp, lookUp, MOST_IDS } from "../../harmonize/export/mappings.ts";
import { personEndpoint } from "./endpoint.ts";
import { seenWith } from "./tokens.ts";

const mapping = z.object({
  listing_id: z.string(),
  listing_name: z.string(),
  venue_id: z.string(),
  venue_name: z.string(),
  file: z.object({ id: z.uuid(), name: z.string() }),
  row: z.int(),
  score: z.string(),
  decision: z.string(),
  decided_by: z.string(),
  decided_at: z.string(),
  is_superseded: z.boolean(),
  attribution: z.string(),
});

const mappingView = (each: LookUp["mappings"][number]): z.output<typeof mapping> => ({
  listing_id: each.listingId,
  listing_name: each.listingName,
  venue_id: each.venueId,
  venue_name: each.venueName,
  file: each.file,
  row: each.number,
  score: each.score,
  decision: each.decision,
  decided_by: each.decidedBy,
  decided_at: each.decidedAt,
  is_superseded: each.isSuperseded,
  attribution: each.attribution,
});

export const findMappings = personEndpoint(
  {
    name: "findMappings",
    method: "POST",
    path: "/api/v1/mappings",
    scope: "read",
    summary: "Looks up ids both ways: own ids to venues, and venue ids to own ids",
    body: z.object({ ids: z.array(z.string().min(1).max(500)).min(1).max(MOST_IDS) }),
    bodyLimit: 512 * 1024,
    answer: z.object({ mappings: z.array(mapping), unknown: z.array(z.string()), is_cut: z.boolean() }),
  },
  async ({ web, member, token, body }) => {
    const ids = [...new Set(body.ids.map((id) => id.replaceAll("\0", "").trim()))];
    const { mappings, isCut } = await lookUp(web.harmonizer, member, ids);
    const seen = await seenWith(web, token, [...new Set(mappings.map(({ file }) => file.id))]);
    const shown = mappings.filter(({ file }) => seen.has(file.id));
    const known = new Set(
      shown.flatMap(({ listingId, venueId, formerVenueId }) => [listingId, venueId, formerVenueId]),
    );
    return { mappings: shown.map(mappingView), unknown: ids.filter((id) => !known.has(id)), is_cut: isCut };
  },
);
