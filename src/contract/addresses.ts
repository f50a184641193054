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
