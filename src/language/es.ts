import { account } from "./es/account.ts";
import { applications } from "./es/applications.ts";
import { checkins } from "./es/checkins.ts";
import { dialogs } from "./es/dialogs.ts";
import { duplicates } from "./es/duplicates.ts";
import { frame } from "./es/frame.ts";
import { login } from "./es/login.ts";
import { mappings } from "./es/mappings.ts";
import { operator } from "./es/operator.ts";
import { pages } from "./es/pages.ts";
import { parameters } from "./es/parameters.ts";
import { people } from "./es/people.ts";
import { registration } from "./es/registration.ts";
import { secrets } from "./es/secrets.ts";
import { status } from "./es/status.ts";
import { venue } from "./es/venue.ts";
import type { Catalogue } from "./languages.ts";

/** Spanish, of a file for each area of pages. */
export const es: Catalogue = {
  ...account,
  ...applications,
  ...checkins,
  ...dialogs,
  ...duplicates,
  ...frame,
  ...login,
  ...mappings,
  ...operator,
  ...pages,
  ...parameters,
  ...people,
  ...registration,
  ...secrets,
  ...status,
  ...venue,
};
