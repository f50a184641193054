import { z } from "zod";

/** Decimal degrees (WGS 84). */
const corner = z.object({ lat: z.number(), lng: z.number() });

/** `geocode` of venues/search: how `near` was understood. */
export const geocode = z.looseObject({
  /** The words of `near` that are not about the place. */
  what: z.string(),
  /** Those that are. */
  where: z.string(),
  feature: z.looseObject({
    /** ISO 3166-1 alpha-2. */
    cc: z.string(),
    name: z.string(),
    displayName: z.string(),
    matchedName: z.string(),
    /** HTML, with what was matched in `<b>`. */
    highlightedName: z.string(),
    /** 7 a town, 8 a state, 11 a postal code, 12 a country. */
    woeType: z.number().int(),
    slug: z.string(),
    id: z.string(),
    longId: z.string(),
    geometry: z.looseObject({ center: corner, bounds: z.looseObject({ ne: corner, sw: corner }).optional() }),
  }),
  parents: z.array(z.unknown()),
});
export type Geocode = z.infer<typeof geocode>;
