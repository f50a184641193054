import { z } from "zod";
import { envelope } from "./envelope.ts";
import { geocode } from "./geocode.ts";
import { ours } from "./ours.ts";

/** What is shown and relied on by nobody: where a foreign directory sends something else, it counts as left out. */
const shown = <S extends z.ZodType>(schema: S) => schema.optional().catch(undefined);

/** Something there is a number of. */
const counted = shown(
  z.looseObject({
    count: z.number(),
    summary: z.string().optional(),
    items: z.array(z.unknown()).optional(),
    groups: z.array(z.unknown()).optional(),
  }),
);

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
  labeledLatLngs: shown(z.array(z.looseObject({ label: z.string(), lat: z.number(), lng: z.number() }))),
});

/** A compact venue: what search and check-ins carry. Of a foreign directory only id and name are relied on. */
export const venue = z.looseObject({
  id: z.string().min(1),
  name: z.string(),
  contact: z
    .looseObject({
      phone: z.string().optional(),
      formattedPhone: shown(z.string()),
      twitter: z.string().optional(),
    })
    .optional(),
  location: location.partial().optional(),
  categories: z.array(venueCategory).optional(),
  verified: z.boolean().optional(),
  stats: z
    .looseObject({
      checkinsCount: z.number().optional(),
      usersCount: z.number().optional(),
      tipCount: shown(z.number()),
    })
    .optional(),
  /** How often the user has checked in here; only with a user's token. */
  beenHere: z
    .looseObject({ count: z.number().int(), marked: z.boolean(), lastCheckinExpiredAt: z.number() })
    .optional(),
  url: z.string().optional(),
  description: z.string().optional(),
  createdAt: z.number().optional(),
  hereNow: counted,
  referralId: shown(z.string()),
  likes: counted,
  tips: counted,
  photos: counted,
  listed: counted,
  /** The venue's own page, for people; only on the complete venue. */
  canonicalUrl: shown(z.string()),
  shortUrl: shown(z.string()),
  /** Ours: with intent=match, the chance (0 to 1) that this is the listing's venue. */
  score: ours(z.number().optional()),
  /** Ours: with intent=match, what speaks for and against it, the weightiest first. */
  evidence: ours(z.array(z.looseObject({ comparison: z.string(), weight: z.number(), text: z.string() })).optional()),
});
export type Venue = z.infer<typeof venue>;

/** `response` of venues/search. `confident`: the first may be accepted without a person (ours to the letter: precision ≥ .98). */
export const venueSearchResponse = z.looseObject({
  venues: z.array(venue),
  confident: ours(z.boolean().optional()),
  geocode: shown(geocode),
});

/** `response` of venues/add and venues/{id}. */
export const venueResponse = z.looseObject({ venue });

/** An annotation (interface, "Mapping"): the provider's own id of the listing that the venue is. */
const link = z.looseObject({
  provider: z.looseObject({ id: z.string() }),
  linkedId: z.string(),
  url: z.string().optional(),
});

/** `response` of venues/annotate. */
export const annotateResponse = z.looseObject({ venue, link });

/** `response` of venues/{id}/links. */
export const linksResponse = z.looseObject({
  links: z.looseObject({ count: z.number().int().nonnegative(), items: z.array(link) }),
});

/** `response` of the 409 of venues/annotate: the venue that has the listing's id already. */
export const otherVenueResponse = z.looseObject({ venue: venue.pick({ id: true, name: true }) });

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
    id: z
      .union([z.string().min(1), z.number()])
      .transform(String)
      .pipe(z.string()),
    /** Ours: the name they log in with. */
    handle: ours(z.string().optional()),
    firstName: z.string().optional(),
    lastName: z.string().optional(),
    homeCity: z.string().optional(),
    gender: shown(z.string()),
    relationship: shown(z.string()),
    type: shown(z.string()),
    photo: shown(icon),
    bio: shown(z.string()),
    contact: shown(z.looseObject({ email: shown(z.string()), phone: shown(z.string()), twitter: shown(z.string()) })),
    checkins: counted,
    friends: counted,
    createdAt: shown(z.number()),
  }),
});

/** A check-in. `createdAt` in epoch seconds, `timeZoneOffset` in minutes east of UTC. */
export const checkin = z.looseObject({
  id: z.string(),
  createdAt: z.number(),
  timeZoneOffset: z.number().optional(),
  shout: z.string().optional(),
  venue: venue.optional(),
  type: shown(z.string()),
  photos: counted,
  comments: counted,
  posts: shown(z.looseObject({ count: z.number(), textCount: z.number() })),
  likes: counted,
  like: shown(z.boolean()),
  isMayor: shown(z.boolean()),
});
export type Checkin = z.infer<typeof checkin>;

/** `response` of checkins/add. */
export const checkinResponse = z.looseObject({ checkin });

/** `response` of users/self/checkins. `count` is the total, not the page. */
export const checkinsResponse = z.looseObject({
  checkins: z.looseObject({ count: z.number().int().nonnegative(), items: z.array(checkin) }),
});

/** `response` of multi: the envelope of each call, in the order asked. */
export const multiResponse = z.looseObject({ responses: z.array(envelope) });

/** Answer of {auth_url}/oauth2/access_token (interface; RFC 6749 section 5.1). */
export const tokenResponse = z.looseObject({
  access_token: z.string().regex(/^[\x21-\x7e]{1,4096}$/),
  /** When the user gave their password, in epoch seconds; only where the log-in asked for it anew. */
  auth_time: shown(ours(z.number().int())),
});
