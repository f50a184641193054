import { venueIdIn } from "../../../http/pages/venue-form.ts";
import { t } from "../../../language/translate.ts";
import { findVenues, seenByOperators, VENUE_ID } from "../../venues/find.ts";
import type { VenueRow } from "../../venues/rows.ts";
import { askedFor, type ResultView, searchFor, unknownPlace } from "../found-venues/found-venues.ts";
import type { AuthDeps } from "../session/deps.ts";

/** What was typed into one field. */
export interface Looked {
  venue?: VenueRow;
  /** Venues of this name to choose from, if it is no id. */
  choices: ResultView[];
  error?: string;
  /** Of the field `near`. */
  nearError?: string;
}

/** Finds a venue by its id or the address of its page, or else venues of this name (`near` a place, or anywhere). */
export async function lookFor(deps: AuthDeps, typed: string, near: string): Promise<Looked> {
  if (typed === "") return { choices: [] };
  const id = venueIdIn(typed);
  const venue = VENUE_ID.test(id) && (await findVenues(deps.pool, [id], { sees: seenByOperators })).get(id);
  if (venue) return { venue, choices: [] };
  const missing = { choices: [], error: t("The directory has no venue with this id or name.") };
  const asked = id === typed ? askedFor({ query: typed, near }) : undefined;
  if (!asked?.data) return missing;
  const found = await searchFor(deps, asked.data);
  if (!found) return { choices: [], nearError: unknownPlace() };
  return found.results.length > 0 ? { choices: found.results } : missing;
}

/** Venues to choose from for one field. `href` puts the chosen one into the form. */
export interface Choices {
  field: "id" | "into";
  items: { name: string; line: string; distance: string | undefined; page: string; href: string }[];
}

export function choicesOf(field: Choices["field"], { choices }: Looked, hrefWith: (id: string) => string): Choices[] {
  const items = choices.map(({ id, href, ...shown }) => ({ ...shown, page: href, href: hrefWith(id) }));
  return items.length > 0 ? [{ field, items }] : [];
}
