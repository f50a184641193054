import { z } from "zod";

/** `prefix + size + suffix` is the address of the picture; sizes 32, 44, 64, 88. */
const icon = z.object({ prefix: z.string(), suffix: z.string() });

/** A category as a venue carries it. `primary` stands on the first only. */
export const venueCategory = z.looseObject({
  id: z.string(),
  name: z.string(),
  pluralName: z.string().optional(),
  shortName: z.string().optional(),
  icon: icon.optional(),
  primary: z.boolean().optional(),
});
export type VenueCategory = z.infer<typeof venueCategory>;

/** A node of the tree of venues/categories. */
export interface Category extends VenueCategory {
  categories?: Category[] | undefined;
}
export const category: z.ZodType<Category> = venueCategory.extend({
  get categories() {
    return z.array(category).optional();
  },
});

/** Where a venue is. `distance` in metres, only when the call gave `ll`. */
export const location = z.looseObject({
  address: z.string().optional(),
  crossStreet: z.string().optional(),
  city: z.string().optional(),
  state: z.string().optional(),
  postalCode: z.string().optional(),
  country: z.string().optional(),
  /** ISO 3166-1 alpha-2. */
  cc: z.string().optional(),
  lat: z.number(),
  lng: z.number(),
  distance: z.number().int().optional(),
  formattedAddress: z.array(z.string()).optional(),
});

/** A compact venue: what search and check-ins carry. Of a foreign directory only id and name are relied on. */
export const venue = z.looseObject({
  id: z.string().min(1),
  name: z.string(),
  contact: z.looseObject({ phone: z.string().optional(), twitter: z.string().optional() }).optional(),
  location: location.partial().optional(),
  categories: z.array(venueCategory).optional(),
  verified: z.boolean().optional(),
  stats: z.looseObject({ checkinsCount: z.number().optional(), usersCount: z.number().optional() }).optional(),
  url: z.string().optional(),
  description: z.string().optional(),
  createdAt: z.number().optional(),
  /** Ours: with intent=match, the chance (0 to 1) that this is the listing's venue. */
  score: z.number().optional(),
  /** Ours: with intent=match, what speaks for and against it, the weightiest first. */
  evidence: z.array(z.looseObject({ comparison: z.string(), weight: z.number(), text: z.string() })).optional(),
});
export type Venue = z.infer<typeof venue>;

/** `response` of venues/search. `confident`: the first may be accepted without a person (ours to the letter: precision ≥ .98). */
export const venueSearchResponse = z.looseObject({ venues: z.array(venue), confident: z.boolean().optional() });

/** `response` of venues/add and venues/{id}. */
export const venueResponse = z.looseObject({ venue });

/** `response` of the 409 of venues/add: what looks like the venue already, and the key that adds it all the same. */
export const duplicateVenuesResponse = z.looseObject({
  candidateDuplicateVenues: z.array(venue),
  ignoreDuplicatesKey: z.string(),
});

/** `response` of venues/categories. */
export const categoriesResponse = z.looseObject({ categories: z.array(category) });

/** `response` of users/self. `contact` is always an object. */
export const userResponse = z.looseObject({
  user: z.looseObject({
    id: z.union([z.string().min(1), z.number()]).transform(String),
    handle: z.string().optional(),
    firstName: z.string().optional(),
    lastName: z.string().optional(),
    homeCity: z.string().optional(),
  }),
});

/** A check-in. `createdAt` in epoch seconds, `timeZoneOffset` in minutes east of UTC. */
export const checkin = z.looseObject({
  id: z.string(),
  createdAt: z.number(),
  timeZoneOffset: z.number().optional(),
  shout: z.string().optional(),
  venue: venue.optional(),
});
export type Checkin = z.infer<typeof checkin>;

/** `response` of checkins/add. */
export const checkinResponse = z.looseObject({ checkin });

/** `response` of users/self/checkins. `count` is the total, not the page. */
export const checkinsResponse = z.looseObject({
  checkins: z.looseObject({ count: z.number().int().nonnegative(), items: z.array(checkin) }),
});

/** Answer of {auth_url}/oauth2/access_token (interface; RFC 6749 section 5.1). */
export const tokenResponse = z.looseObject({
  access_token: z.string().regex(/^[\x21-\x7e]{1,4096}$/),
});
