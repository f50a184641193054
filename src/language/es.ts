import { account } from "./es/account.ts";
import { adding } from "./es/adding.ts";
import { applications } from "./es/applications.ts";
import { checkins } from "./es/checkins.ts";
import { decisions } from "./es/decisions.ts";
import { dialogs } from "./es/dialogs.ts";
import { duplicates } from "./es/duplicates.ts";
import { frame } from "./es/frame.ts";
import { home } from "./es/home.ts";
import { login } from "./es/login.ts";
import { mappings } from "./es/mappings.ts";
import { operator } from "./es/operator.ts";
import { pages } from "./es/pages.ts";
import { parameters } from "./es/parameters.ts";
import { people } from "./es/people.ts";
import { problems } from "./es/problems.ts";
import { registration } from "./es/registration.ts";
import { review } from "./es/review.ts";
import { secrets } from "./es/secrets.ts";
import { status } from "./es/status.ts";
import { venue } from "./es/venue.ts";
import { venueForms } from "./es/venue-forms.ts";
import { venueSearch } from "./es/venue-search.ts";
import type { Catalogue } from "./languages.ts";

/** Spanish, of a file for each area of pages. */
export const es: Catalogue = {
  ...adding,
  ...account,
  ...applications,
  ...checkins,
  ...decisions,
  ...dialogs,
  ...duplicates,
  ...frame,
  ...home,
  ...login,
  ...mappings,
  ...operator,
  ...pages,
  ...parameters,
  ...people,
  ...problems,
  ...registration,
  ...review,
  ...secrets,
  ...status,
  ...venue,
  ...venueForms,
  ...venueSearch,
};
