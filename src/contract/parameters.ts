import { z } from "zod";
import { t } from "../language/translate.ts";
import { idempotencyKey } from "./common-parameters.ts";
import { list, ours } from "./ours.ts";
import { phoneNumbersIn } from "./phone-numbers.ts";
import { COFFEE_SHOP, STARBUCKS } from "./sample-ids.ts";
import { cleanText, soughtText, text, textInLines, withoutInvisible } from "./text.ts";

/** Latitude and longitude in decimal degrees (WGS 84). */
export interface LatLng {
  lat: number;
  lng: number;
}

const LL = /^([+-]?\d{1,3}(?:\.\d{1,20})?),([+-]?\d{1,3}(?:\.\d{1,20})?)$/;

/**
 * "<latitude>,<longitude>" in decimal degrees (interface, "Venue input attributes").
 * A space after the comma is forgiven; anything else that is not two plain decimals in range is refused.
 */
export const coordinates = (name: string) =>
  z
    .string()
    .transform((text, context): LatLng => {
      const [, lat, lng] = LL.exec(text.replace(/, /, ",")) ?? [];
      const point = { lat: Number(lat), lng: Number(lng) };
      if (Math.abs(point.lat) <= 90 && Math.abs(point.lng) <= 180) return { lat: point.lat + 0, lng: point.lng + 0 };
      const message = lat
        ? t("{name} is out of range: latitude goes from -90 to 90, longitude from -180 to 180", { name })
        : t("{name} must be <latitude>,<longitude> in decimal degrees, such as 41.82,-71.41", { name });
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    })
    .meta({ pattern: LL.source });

export const ll = coordinates("ll").meta({
  description: "Latitude and longitude in decimal degrees, separated by a comma.",
  examples: ["41.824,-71.413"],
});

/** `ll` as it stands on the wire: plain decimals, never with an exponent, to a tenth of a millimetre. */
export const formatLl = ({ lat, lng }: LatLng): string => `${decimal(lat)},${decimal(lng)}`;

const decimal = (degrees: number): string => degrees.toFixed(9).replace(/\.?0+$/, "");

/** `v`: the API version date YYYYMMDD (interface, "Versioning"). Any real date will do. */
export const version = z
  .string()
  .refine((text) => {
    const [, year, month, day] = /^([0-9]{4})([0-9]{2})([0-9]{2})$/.exec(text) ?? [];
    if (!year || !month || !day) return false;
    const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
    return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${year}-${month}-${day}`);
  }, "v must be a date in the format YYYYMMDD")
  .meta({ description: "API version date.", pattern: "^[0-9]{8}$", default: "20260101" });

/** A venue's name: with a letter or digit that can be seen (U+3164 and the like are letters, yet invisible). */
export const venueName = withLetters(text("name", 200));

/** The same of a listing, which is only looked for. */
export const listingName = withLetters(soughtText("name", 200));

function withLetters<S extends z.ZodType<string>>(name: S): S {
  return name.refine((value) => /(?![\p{Default_Ignorable_Code_Point}\p{Lm}])[\p{L}\p{N}]/u.test(value), {
    error: () => t("name must hold a letter or a digit"),
    params: { rule: "letters" },
  });
}

/** A web address that is safe as a link: http or https, without user name or password, at most 2,000 characters. */
export const webAddress = text("url", 2000)
  .refine((value) => URL.canParse(value) && /^https?:\/\/[^/\s]\S*$/i.test(value), {
    error: () => t("url must be a full http or https address"),
  })
  .refine((value) => !/^https?:\/\/[^/\\?#]*@/i.test(value), {
    error: () => t("url must not hold a user name or password"),
  });

const attributes = (textOf: typeof text) => ({
  address: textOf("address", 200)
    .optional()
    .meta({ description: "Street address.", examples: ["11 Dorrance St"] }),
  city: textOf("city", 100)
    .optional()
    .meta({ description: "City.", examples: ["Providence"] }),
  state: textOf("state", 100)
    .optional()
    .meta({ description: "State or province.", examples: ["RI"] }),
  zip: text("zip", 20)
    .refine((value) => /^[\p{L}\p{N}](?:[\p{L}\p{N} -]*[\p{L}\p{N}])?$/u.test(value), {
      error: () => t("zip must be a postal code"),
    })
    .optional()
    .meta({ description: "Postal code.", examples: ["02903"] }),
  phone: cleanText("phone", 200, (value) => withoutInvisible(value).replace(/[\s\ufffd]+/g, " "))
    .refine((value) => phoneNumbersIn(value).length > 0, {
      error: () => t("phone must hold a telephone number of 7 to 15 digits, such as +1 401 555 0100"),
    })
    .optional()
    .meta({ description: "Telephone number, or several.", examples: ["+1 401 555 0100"] }),
  twitter: text("twitter", 60)
    .refine((value) => /^@?[A-Za-z0-9_.]{1,50}$/.test(value), {
      error: () => t("twitter must be a handle such as @samespot"),
    })
    .optional()
    .meta({ description: "Social-network handle of the business.", examples: ["@samespot"] }),
});

/** The listing's attributes that search and add share (interface, "Venue input attributes"). */
export const listingAttributes = attributes(text);
export const soughtAttributes = attributes(soughtText);

/** Parameters of GET {base_url}/v2/venues/add. */
export const addVenueParameters = z.object({
  name: venueName.meta({ description: "Business name.", examples: ["Starbucks Coffee"] }),
  ll,
  primaryCategoryId: z
    .string()
    .meta({ description: "Id of a category: see venues/categories.", examples: [COFFEE_SHOP] }),
  ...listingAttributes,
  crossStreet: text("crossStreet", 200)
    .optional()
    .meta({ description: "Cross street or intersection.", examples: ["at Westminster St"] }),
  description: textInLines("description", 300)
    .optional()
    .meta({
      description: "Text of at most 300 characters (Unicode code points).",
      examples: ["Espresso and cake."],
    }),
  url: webAddress.optional().meta({ description: "Web address of the venue.", examples: ["http://www.starbucks.com"] }),
});
export type AddVenueParameters = z.infer<typeof addVenueParameters> &
  Pick<z.infer<typeof addVenueCall>, "positionByAddress">;

/** What venues/add takes beside the venue. The last two add it in spite of the duplicates that a 409 named. */
export const addVenueCall = addVenueParameters.extend({
  positionByAddress: ours(z.enum(["true", "false"], "positionByAddress must be true or false").optional()).meta({
    description:
      "`true`: `ll` is only where the address seems to be. The venue says so until somebody edits its position.",
    examples: ["true"],
  }),
  ignoreDuplicates: z
    .enum(["true", "false"], "ignoreDuplicates must be true or false")
    .optional()
    .meta({ description: "`true` adds the venue in spite of the duplicates that a 409 named, together with the key." }),
  ignoreDuplicatesKey: z.string().optional().meta({ description: "The key of that 409." }),
});

/** A line of NDJSON on venues/add (ours). */
export const addVenueLine = addVenueCall.extend({ idempotencyKey: idempotencyKey.optional() });

export const venueId = z.string().meta({ description: "Id of the venue.", examples: [STARBUCKS] });

/** The most lines of one call of venues/add, venues/annotate or venues/delete. */
export const MOST_WRITTEN_LINES = 500;

/** Parameters of {base_url}/v2/multi. */
export const multiParameters = z.object({
  requests: list(
    z
      .string()
      .transform(splitRequests)
      .refine((requests) => requests.length <= 5, "requests may hold at most 5 paths"),
  ).meta({
    description:
      "Up to 5 paths with their queries, separated by commas, such as `/venues/ID,/users/self`. Only calls that read.",
    examples: ["/venues/search?ll=41.824,-71.413&query=starbucks,/venues/categories"],
  }),
});

/** The paths of `requests`, each with its query. A comma parts two only before a slash: `ll` has commas, too. */
export function splitRequests(requests: string): string[] {
  return requests.split(/,(?=\/)/);
}

/** The id in the paths of users. */
export const userId = z
  .string()
  .meta({ description: "`self`, or the id of the user whose token it is.", examples: ["self"] });

/** What `limit` and `offset` mean wherever there is a page. */
export const LIMIT = { description: "The most items to return." };
export const OFFSET = { description: "How many items to skip." };

/** A whole number written in plain decimal digits, or as programs write one that they keep as a decimal: "1000.0". No exponent. */
export function wholeNumber(name: string, min: number, max: number) {
  return z
    .string()
    .refine((value) => /^[0-9]{1,15}(?:\.0{1,9})?$/.test(value) && Number(value) >= min && Number(value) <= max, {
      error: () => t("{name} must be a whole number from {min} to {max}", { name, min, max }),
    })
    .transform(Number)
    .meta({ type: "integer", minimum: min, maximum: max });
}
