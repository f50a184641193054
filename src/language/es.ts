import { applications } from "./es/applications.ts";
import { changes } from "./es/changes.ts";
import { checkins } from "./es/checkins.ts";
import { columns } from "./es/columns.ts";
import { conflicts } from "./es/conflicts.ts";
import { dialogs } from "./es/dialogs.ts";
import { draft } from "./es/draft.ts";
import { frame } from "./es/frame.ts";
import { harmonize } from "./es/harmonize.ts";
import { login } from "./es/login.ts";
import { mappings } from "./es/mappings.ts";
import { outcomes } from "./es/outcomes.ts";
import { pages } from "./es/pages.ts";
import { people } from "./es/people.ts";
import { progress } from "./es/progress.ts";
import { registration } from "./es/registration.ts";
import { results } from "./es/results.ts";
import { secrets } from "./es/secrets.ts";
import { status } from "./es/status.ts";
import type { Catalogue } from "./languages.ts";

/** Spanish, of a file for each area of pages. */
export const es: Catalogue = {
  ...applications,
  ...changes,
  ...checkins,
  ...columns,
  ...conflicts,
  ...dialogs,
  ...draft,
  ...frame,
  ...harmonize,
  ...login,
  ...mappings,
  ...outcomes,
  ...pages,
  ...people,
  ...progress,
  ...registration,
  ...results,
  ...secrets,
  ...status,
};
