import { z } from "zod";
import { linkedId, providerId } from "./link-parameters.ts";
import { ours } from "./ours.ts";
import { coordinates, listingAttributes, ll, text, wholeNumber } from "./parameters.ts";

/** Like the attributes of add, but what cannot be used is dropped: they only help to tell venues apart. */
const clues = {
  address: listingAttributes.address.catch(undefined),
  city: listingAttributes.city.catch(undefined),
  state: listingAttributes.state.catch(undefined),
  zip: listingAttributes.zip.catch(undefined),
  phone: listingAttributes.phone.catch(undefined),
  twitter: listingAttributes.twitter.catch(undefined),
};

/** Parameters of GET {base_url}/v2/venues/search. Which go together is the intent's affair. */
export const searchParameters = z.object({
  intent: z
    .enum(["checkin", "browse", "global", "match", "specials"], "intent must be checkin, browse, global or match")
    // Older clients ask for specials, which there are none of.
    .transform((intent) => (intent === "specials" ? "checkin" : intent))
    .default("checkin"),
  ll: ll.optional(),
  /** A town, a state, a country or a postal code in words, in place of ll: "Providence, RI". */
  near: text("near", 200).optional(),
  /** The interface's word for the search term with `intent=match`; `query` is that of the other intents. Both are taken. */
  name: text("name", 200).optional(),
  query: text("query", 200).optional(),
  limit: wholeNumber("limit", 1, 50).default(30),
  /** Metres. */
  radius: wholeNumber("radius", 1, 100_000).optional(),
  sw: coordinates("sw").optional(),
  ne: coordinates("ne").optional(),
  /** Comma list of category ids. */
  categoryId: z.string().optional(),
  /** Ours: with `intent=match`, the least score to answer; 0 shows every candidate. */
  minScore: ours(
    z
      .string()
      .refine((value) => /^(?:0(?:\.[0-9]{1,9})?|1(?:\.0{1,9})?)$/.test(value), "minScore must be a number from 0 to 1")
      .transform(Number)
      .meta({ type: "number", minimum: 0, maximum: 1 })
      .optional(),
  ),
  /** The two together: the venue that carries this link, wherever it is. */
  providerId: providerId.optional(),
  linkedId: linkedId.optional(),
  /** The venues whose page or website this is, wherever they are. */
  url: z.string().optional(),
  ...clues,
});
export type SearchParameters = z.infer<typeof searchParameters>;

/** What may be said of a listing with `intent=match`, and of each in venues/match. */
export const listingParameters = searchParameters.pick({
  ...{ name: true, query: true, ll: true, near: true },
  ...{ address: true, city: true, state: true, zip: true, phone: true, twitter: true },
});

/** Of the API host; ours. */
export const VENUES_MATCH_PATH = "/v2/venues/match";

/** Most listings of one call of venues/match. */
const MOST_LISTINGS = 500;

/** Parameters of POST {base_url}/v2/venues/match (ours). What is wrong with one listing is not looked for here. */
export const matchParameters = z.object({
  listings: z
    .string()
    .transform((text, context): unknown[] => {
      const listings = parseJson(text);
      if (Array.isArray(listings)) return listings;
      const message = 'listings must be a JSON array such as [{"name": "Blue State Coffee", "ll": "41.8276,-71.4003"}]';
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    })
    .refine(({ length }) => length <= MOST_LISTINGS, `listings may hold at most ${MOST_LISTINGS} in one call`),
  minScore: searchParameters.shape.minScore,
  limit: searchParameters.shape.limit,
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
