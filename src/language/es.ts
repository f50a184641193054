import { adding } from "./es/adding.ts";
import { applications } from "./es/applications.ts";
import { checkins } from "./es/checkins.ts";
import { decisions } from "./es/decisions.ts";
import { dialogs } from "./es/dialogs.ts";
import { frame } from "./es/frame.ts";
import { login } from "./es/login.ts";
import { mappings } from "./es/mappings.ts";
import { pages } from "./es/pages.ts";
import { people } from "./es/people.ts";
import { problems } from "./es/problems.ts";
import { registration } from "./es/registration.ts";
import { review } from "./es/review.ts";
import { secrets } from "./es/secrets.ts";
import { status } from "./es/status.ts";
import type { Catalogue } from "./languages.ts";

/** Spanish, of a file for each area of pages. */
export const es: Catalogue = {
  ...adding,
  ...applications,
  ...checkins,
  ...decisions,
  ...dialogs,
  ...frame,
  ...login,
  ...mappings,
  ...pages,
  ...people,
  ...problems,
  ...registration,
  ...review,
  ...secrets,
  ...status,
};
