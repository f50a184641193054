import { checkins } from "./es/checkins.ts";
import { account } from "./es/directory/account.ts";
import { applications } from "./es/directory/applications.ts";
import { demo } from "./es/directory/demo.ts";
import { dialogs } from "./es/directory/dialogs.ts";
import { duplicates } from "./es/directory/duplicates.ts";
import { heldVenues } from "./es/directory/held-venues.ts";
import { operator } from "./es/directory/operator.ts";
import { registration } from "./es/directory/registration.ts";
import { venue } from "./es/directory/venue.ts";
import { frame } from "./es/frame.ts";
import { addedCategories } from "./es/harmonize/added-categories.ts";
import { adding } from "./es/harmonize/adding.ts";
import { changes } from "./es/harmonize/changes.ts";
import { columns } from "./es/harmonize/columns.ts";
import { conflicts } from "./es/harmonize/conflicts.ts";
import { decisions } from "./es/harmonize/decisions.ts";
import { draft } from "./es/harmonize/draft.ts";
import { harmonize } from "./es/harmonize/harmonize.ts";
import { mappings } from "./es/harmonize/mappings.ts";
import { outcomes } from "./es/harmonize/outcomes.ts";
import { problems } from "./es/harmonize/problems.ts";
import { progress } from "./es/harmonize/progress.ts";
import { results } from "./es/harmonize/results.ts";
import { review } from "./es/harmonize/review.ts";
import { several } from "./es/harmonize/several.ts";
import { home } from "./es/home.ts";
import { login } from "./es/login.ts";
import { metrics } from "./es/metrics.ts";
import { pages } from "./es/pages.ts";
import { parameters } from "./es/parameters.ts";
import { people } from "./es/people.ts";
import { secrets } from "./es/secrets.ts";
import { status } from "./es/status.ts";
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
