import { z } from "zod";

const corner = z.object({ lat: z.number(), lng: z.number() }).meta({ description: "In decimal degrees (WGS 84)." });

export const geocode = z
  .looseObject({
    what: z.string().meta({ description: "The words of `near` that do not belong to the place." }),
    where: z.string().meta({ description: "The words of `near` that name the place." }),
    feature: z.looseObject({
      cc: z.string().meta({ description: "Country code (ISO 3166-1 alpha-2)." }),
      name: z.string(),
      displayName: z.string(),
      matchedName: z.string(),
      highlightedName: z.string().meta({ description: "HTML, with the matched part in `<b>`." }),
      woeType: z.number().int().meta({ description: "7 a town, 8 a state, 11 a postal code, 12 a country." }),
      slug: z.string(),
      id: z.string(),
      longId: z.string(),
      geometry: z.looseObject({ center: corner, bounds: z.looseObject({ ne: corner, sw: corner }).optional() }),
    }),
    parents: z.array(z.unknown()),
  })
  .meta({ description: "How `near` was understood." });
export type Geocode = z.infer<typeof geocode>;
