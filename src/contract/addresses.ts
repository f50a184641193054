import { z } from "zod";
import { ours } from "./ours.ts";
import { soughtText } from "./text.ts";

export const LOCATE_PATH = "/v2/addresses/locate";

/** Parameters of GET {base_url}/v2/addresses/locate (ours). */
export const locateParameters = z.object({
  address: soughtText("address", 200).meta({ description: "House number and street.", examples: ["300 Thayer St"] }),
  near: soughtText("near", 200).meta({
    description: "The town with its state or country, or the postal code.",
    examples: ["Providence, RI"],
  }),
});

export const locatedAddress = z.looseObject({
  lat: z.number().min(-90).max(90),
  lng: z.number().min(-180).max(180),
  estimated: z
    .boolean()
    .meta({ description: "Whether no venue has this house number, so that others of the street gave it." }),
});
export type LocatedAddress = z.output<typeof locatedAddress>;

export const locateResponse = ours(
  z.looseObject({
    position: locatedAddress
      .optional()
      .meta({ description: "Missing if the directory does not know the place, or too little of the street." }),
  }),
);

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
