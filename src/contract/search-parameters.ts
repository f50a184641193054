import { z } from "zod";
import { linkedId, providerId } from "./correction-parameters.ts";
import { list, ours } from "./ours.ts";
import { coordinates, LIMIT, ll, soughtAttributes, venueId, wholeNumber } from "./parameters.ts";
import { COFFEE_SHOP } from "./sample-ids.ts";
import { soughtText, text } from "./text.ts";

/** The attributes of venues/add, but invalid values are dropped: here they only help to rank venues. */
const clues = {
  address: soughtAttributes.address.catch(undefined),
  city: soughtAttributes.city.catch(undefined),
  state: soughtAttributes.state.catch(undefined),
  zip: soughtAttributes.zip.catch(undefined),
  phone: soughtAttributes.phone.catch(undefined),
  twitter: soughtAttributes.twitter.catch(undefined),
};

/** Parameters of GET {base_url}/v2/venues/search. Each intent checks its own combination. */
export const searchParameters = z.object({
  intent: z
    .enum(["checkin", "browse", "global", "match", "specials"], "intent must be checkin, browse, global or match")
    // Older clients ask for specials, which do not exist here.
    .transform((intent) => (intent === "specials" ? "checkin" : intent))
    .default("checkin")
    .meta({
      description:
        "`checkin`: venues near `ll`. `browse`: all of a region (`sw` and `ne`, or `radius`). `global`: wherever they " +
        "are. `match`: the venue that is this listing, if there is one.",
    }),
  ll: ll.optional(),
  near: text("near", 200)
    .optional()
    .meta({
      description: "A place by its name: a city, a state, a postal code, a country. The response then has `geocode`.",
      examples: ["Providence, RI"],
    }),
  // The interface's term for `intent=match`; the other intents use `query`. Either is accepted.
  name: soughtText("name", 200)
    .optional()
    .meta({ description: "With `intent=match` the name of the listing.", examples: ["Starbucks Coffee"] }),
  query: soughtText("query", 200)
    .optional()
    .meta({ description: "A term to match against venue names.", examples: ["starbucks"] }),
  limit: wholeNumber("limit", 1, 50).default(30).meta(LIMIT),
  radius: wholeNumber("radius", 1, 100_000)
    .optional()
    .meta({ description: "Metres around `ll`, from 1 to 100,000.", examples: [500] }),
  sw: coordinates("sw")
    .optional()
    .meta({ description: "South-west corner of a region.", examples: ["41.82,-71.42"] }),
  ne: coordinates("ne")
    .optional()
    .meta({ description: "North-east corner of a region.", examples: ["41.83,-71.4"] }),
  categoryId: list(z.string().optional()).meta({
    description: "Comma-separated ids of categories. Each includes its subcategories.",
    examples: [COFFEE_SHOP],
  }),
  minScore: ours(
    z
      .string()
      .refine((value) => /^(?:0(?:\.[0-9]{1,9})?|1(?:\.0{1,9})?)$/.test(value), "minScore must be a number from 0 to 1")
      .transform(Number)
      .meta({ type: "number", minimum: 0, maximum: 1 })
      .optional(),
  ).meta({
    description: "With `intent=match`: the lowest score to return. 0 returns every candidate.",
    examples: [0.5],
  }),
  providerId: providerId.optional(),
  linkedId: linkedId.optional(),
  url: z
    .string()
    .optional()
    .meta({
      description: "A web address: the venue's website, or the listing's page.",
      examples: ["https://listings.example/4711"],
    }),
  ...clues,
});
export type SearchParameters = z.infer<typeof searchParameters>;

/** The attributes of a listing, with `intent=match` and in venues/match. */
export const listingParameters = searchParameters.pick({
  name: true,
  query: true,
  ll: true,
  near: true,
  address: true,
  city: true,
  state: true,
  zip: true,
  phone: true,
  twitter: true,
});

export const VENUES_MATCH_PATH = "/v2/venues/match";

/** Listings of one call of venues/match: in a form, and one a line (NDJSON). */
const MOST_LISTINGS = 500;
export const MOST_LINES = 5000;

/** Parameters of POST {base_url}/v2/venues/match (ours). Each listing is checked later, on its own. */
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
    .refine(({ length }) => length <= MOST_LISTINGS, `listings may hold at most ${MOST_LISTINGS} in one call`)
    .meta({
      description:
        "Up to 500 listings, a JSON array of objects: of each what a search with `intent=match` takes, which is `name`, " +
        "`ll` or `near`, `address`, `city`, `state`, `zip`, `phone` and `twitter`.",
      examples: [
        '[{"name": "Starbucks Coffee", "ll": "41.824,-71.413"}, {"name": "No Such Place", "near": "Providence, RI"}]',
      ],
    }),
  minScore: searchParameters.shape.minScore,
  limit: searchParameters.shape.limit,
});

/** The version of brief answers. A directory that has another one answers in full. */
export const BRIEF = "1";

/** Parameters of the same call with a line for each listing. */
export const matchLinesParameters = matchParameters.omit({ listings: true }).extend({
  brief: ours(z.string().optional()).meta({
    description: `With \`${BRIEF}\`, only what a match tells of each venue: name, position, address, phone, website, category and source.`,
    examples: [BRIEF],
  }),
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const LOOKUP_PATH = "/v2/venues/lookup";

/** The most lines of one call of venues/lookup. */
export const MOST_LOOKUP_LINES = 5000;

/** Parameters of POST {base_url}/v2/venues/lookup (ours), and a line of its NDJSON. */
export const lookupParameters = z.object({ venueId });
