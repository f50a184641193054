import { account } from "./es/account.ts";
import { addedCategories } from "./es/added-categories.ts";
import { adding } from "./es/adding.ts";
import { applications } from "./es/applications.ts";
import { changes } from "./es/changes.ts";
import { checkins } from "./es/checkins.ts";
import { columns } from "./es/columns.ts";
import { conflicts } from "./es/conflicts.ts";
import { decisions } from "./es/decisions.ts";
import { demo } from "./es/demo.ts";
import { dialogs } from "./es/dialogs.ts";
import { draft } from "./es/draft.ts";
import { duplicates } from "./es/duplicates.ts";
import { frame } from "./es/frame.ts";
import { harmonize } from "./es/harmonize.ts";
import { heldVenues } from "./es/held-venues.ts";
import { home } from "./es/home.ts";
import { login } from "./es/login.ts";
import { mappings } from "./es/mappings.ts";
import { metrics } from "./es/metrics.ts";
import { operator } from "./es/operator.ts";
import { outcomes } from "./es/outcomes.ts";
import { pages } from "./es/pages.ts";
import { parameters } from "./es/parameters.ts";
import { people } from "./es/people.ts";
import { problems } from "./es/problems.ts";
import { progress } from "./es/progress.ts";
import { registration } from "./es/registration.ts";
import { results } from "./es/results.ts";
import { review } from "./es/review.ts";
import { secrets } from "./es/secrets.ts";
import { several } from "./es/several.ts";
import { status } from "./es/status.ts";
import { venue } from "./es/venue.ts";
import { venueForms } from "./es/venue-forms.ts";
import { venueSearch } from "./es/venue-search.ts";
import type { Catalogue } from "./languages.ts";

/** Spanish, of a file for each area of pages. */
export const es: Catalogue = {
  ...account,
  ...addedCategories,
  ...adding,
  ...applications,
  ...changes,
  ...checkins,
  ...columns,
  ...conflicts,
  ...decisions,
  ...demo,
  ...dialogs,
  ...draft,
  ...duplicates,
  ...frame,
  ...harmonize,
  ...heldVenues,
  ...home,
  ...login,
  ...mappings,
  ...operator,
  ...metrics,
  ...outcomes,
  ...pages,
  ...parameters,
  ...people,
  ...problems,
  ...progress,
  ...registration,
  ...results,
  ...review,
  ...secrets,
  ...several,
  ...status,
  ...venue,
  ...venueForms,
  ...venueSearch,
};
