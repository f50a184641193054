import { z } from "zod";
import { geocode, locatedAddress } from "./addresses.ts";
import { envelope } from "./envelope.ts";
import { ours, promised } from "./ours.ts";

/** A field that is only displayed. An invalid value from another directory counts as missing. */
export const shown = <S extends z.ZodType>(schema: S) => schema.optional().catch(undefined);

export const counted = shown(
  z.looseObject({
    count: z.number(),
    summary: z.string().optional(),
    items: z.array(z.unknown()).optional(),
    groups: z.array(z.unknown()).optional(),
  }),
);

const icon = z.object({ prefix: z.string(), suffix: z.string() }).meta({
  description: "`prefix` + size + `suffix` is the address of the picture. Sizes: 32, 44, 64, 88.",
});

export const venueCategory = z.looseObject({
  id: z.string(),
  name: z.string(),
  pluralName: promised(z.string().optional()),
  shortName: promised(z.string().optional()),
  icon: promised(icon.optional()),
  primary: z.boolean().optional().meta({ description: "On a venue's first category only." }),
});
export type VenueCategory = z.infer<typeof venueCategory>;

export interface Category extends VenueCategory {
  categories?: Category[] | undefined;
}
export const category: z.ZodType<Category> = venueCategory.extend({
  get categories() {
    return promised(z.array(category).optional());
  },
});

const location = z.looseObject({
  address: z.string().optional(),
  crossStreet: z.string().optional(),
  city: z.string().optional(),
  state: z.string().optional(),
  postalCode: z.string().optional(),
  country: z.string().optional(),
  cc: z.string().optional().meta({ description: "Country code (ISO 3166-1 alpha-2)." }),
  lat: promised(z.number().optional()).meta({ description: "In decimal degrees (WGS 84)." }),
  lng: promised(z.number().optional()).meta({ description: "In decimal degrees (WGS 84)." }),
  distance: z.number().int().optional().meta({ description: "In metres; only when the call gave `ll`." }),
  formattedAddress: promised(z.array(z.string()).optional()),
  labeledLatLngs: promised(shown(z.array(z.looseObject({ label: z.string(), lat: z.number(), lng: z.number() })))),
});

/** A compact venue, as in search results and check-ins. Of another directory only id and name are required. */
export const venue = z.looseObject({
  id: z.string().min(1),
  name: z.string(),
  contact: promised(
    z
      .looseObject({
        phone: z.string().optional(),
        formattedPhone: shown(z.string()),
        twitter: z.string().optional(),
      })
      .optional(),
  ),
  location: promised(location.optional()),
  categories: promised(z.array(venueCategory).optional()),
  verified: promised(z.boolean().optional()),
  stats: promised(
    z
      .looseObject({
        checkinsCount: promised(z.number().optional()),
        usersCount: promised(z.number().optional()),
        tipCount: promised(shown(z.number())),
      })
      .optional(),
  ),
  beenHere: z
    .looseObject({ count: z.number().int(), marked: z.boolean(), lastCheckinExpiredAt: z.number() })
    .optional()
    .meta({ description: "How often the user has checked in here; only with the user's token." }),
  url: z.string().optional(),
  description: z.string().optional(),
  createdAt: z.number().optional().meta({ description: "In epoch seconds; only on the complete venue." }),
  timeZone: shown(z.string()).meta({ description: "IANA name of its time zone; only on the complete venue." }),
  hereNow: counted,
  referralId: promised(shown(z.string())),
  likes: counted,
  tips: counted,
  photos: counted,
  listed: counted,
  canonicalUrl: shown(z.string()).meta({
    description: "The venue's own page, for people; only on the complete venue.",
  }),
  shortUrl: shown(z.string()),
  closed: shown(ours(z.boolean())).meta({
    description: "Whether it has closed for good. Searches leave it out.",
  }),
  held: shown(ours(z.boolean())).meta({
    description: "Whether it waits for an operator's approval. Until then only the user who added it finds it.",
  }),
  temporarilyClosed: shown(ours(z.boolean())).meta({
    description: "Closed for a time.",
  }),
  otherNames: shown(ours(z.array(z.string()))).meta({
    description: "Some of its other names; only on the complete venue.",
  }),
  positionByAddress: shown(ours(z.boolean())).meta({
    description: "Whether `lat` and `lng` were only estimated from the address.",
  }),
  source: shown(
    ours(z.looseObject({ attribution: z.string(), licence: z.string().optional(), url: z.string().optional() })),
  ).meta({ description: "Where an imported venue comes from, with the words that its licence asks to show." }),
  score: ours(z.number().optional()).meta({
    description: "With `intent=match`, the probability (0 to 1) that this is the listing's venue.",
  }),
  needsReview: ours(z.boolean().optional()).meta({
    description:
      "With `intent=match`, whether it must not be accepted without review, whatever its score: it may be a part or a neighbour, or the addresses contradict each other.",
  }),
  evidence: ours(
    z.array(z.looseObject({ comparison: z.string(), weight: z.number(), text: z.string() })).optional(),
  ).meta({ description: "With `intent=match`, the evidence for and against it, the strongest first." }),
});
export type Venue = z.infer<typeof venue>;

/** `response` of venues/search. `confident`: how often it is right, docs/decisions/0004 measures. */
export const venueSearchResponse = z.looseObject({
  venues: z.array(venue),
  confident: promised(ours(z.boolean().optional())).meta({
    description: "Whether the first venue may be accepted without review.",
  }),
  geocode: shown(geocode),
  nothingWithin: shown(ours(z.number().int())).meta({
    description: "In metres: no such venue is as near to `ll`. Only if none was found.",
  }),
  position: shown(ours(locatedAddress)).meta({
    description: "The position by house number and street, of a matched listing without `ll`.",
  }),
});

export const venueResponse = z.looseObject({ venue });

/** An annotation (interface, "Mapping"). */
const link = z.looseObject({
  provider: z.looseObject({ id: z.string() }),
  linkedId: z.string().meta({ description: "The provider's id of the listing." }),
  url: z.string().optional(),
});

export const annotateResponse = z.looseObject({ venue, link });

export const linksResponse = z.looseObject({
  links: z.looseObject({ count: z.number().int().nonnegative(), items: z.array(link) }),
});

/** `response` of a 409 from venues/annotate: the venue that already has the listing's id. */
export const otherVenueResponse = z.looseObject({ venue: venue.pick({ id: true, name: true }) });

/** `response` of venues/edit, merge and revert (ours): the venue as it is now, and the change. */
export const changeResponse = z.looseObject({
  venue,
  change: z.looseObject({ id: z.string().meta({ description: "For venues/revert." }) }),
});

/** `response` of a 409 from venues/add: similar venues, and the key that adds the venue anyway. */
export const duplicateVenuesResponse = z.looseObject({
  candidateDuplicateVenues: z.array(venue),
  ignoreDuplicatesKey: z.string().meta({ description: "Send it with `ignoreDuplicates` to add the venue anyway." }),
});

export const categoriesResponse = z.looseObject({ categories: z.array(category) });

export const userResponse = z.looseObject({
  user: z.looseObject({
    id: z
      .union([z.string().min(1), z.number()])
      .transform(String)
      .pipe(z.string()),
    handle: promised(ours(z.string().optional())).meta({ description: "The name they log in with." }),
    firstName: z.string().optional(),
    lastName: z.string().optional(),
    homeCity: z.string().optional(),
    gender: shown(z.string()),
    relationship: promised(shown(z.string())),
    type: promised(shown(z.string())),
    photo: promised(shown(icon)),
    bio: shown(z.string()),
    contact: promised(
      shown(z.looseObject({ email: shown(z.string()), phone: shown(z.string()), twitter: shown(z.string()) })),
    ),
    checkins: promised(counted),
    friends: promised(counted),
    createdAt: promised(shown(z.number())).meta({ description: "In epoch seconds." }),
  }),
});

export const multiResponse = z.looseObject({
  responses: z.array(envelope).meta({ description: "The answer to each call, in the order asked." }),
});
