import { z } from "zod";
import { idempotencyKey } from "./common-parameters.ts";
import { ours } from "./ours.ts";
import { venueId, webAddress } from "./parameters.ts";
import { hasForbiddenCharacter, text } from "./text.ts";

export const providerId = text("providerId", 100).meta({
  description: "The provider id reserved for your application.",
  examples: ["listings"],
});

/** The caller's id of a listing, stored exactly as given, including white space (interface, "Mapping"). */
export const linkedId = z
  .string()
  .refine(
    (value) => !hasForbiddenCharacter(value) && !/[\t\n]/.test(value),
    "linkedId contains characters that cannot be stored",
  )
  .refine((value) => /\S/.test(value) && [...value].length <= 200, "linkedId must have 1 to 200 characters")
  .meta({ description: "Your own id of the listing.", examples: ["4711"] });

export const annotateParameters = z.object({
  providerId,
  linkedId,
  url: ours(webAddress.optional()).meta({
    description: "Web address of the listing's page at the provider.",
    examples: ["https://listings.example/4711"],
  }),
});

export const annotateVenueParameters = annotateParameters.extend({ venueId });

/** A line of NDJSON on venues/annotate (ours). */
export const annotateLine = annotateVenueParameters.extend({ idempotencyKey: idempotencyKey.optional() });
