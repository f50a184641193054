import type { Pool } from "pg";
import type { SearchParameters } from "../../../contract/search-parameters.ts";
import { KnownError } from "../../../shared/errors.ts";
import { boundsOf, type Reading, resolvePlace } from "../../places/geocode.ts";

/**
 * Replaces `near` by its middle or, with `intent=browse` and no `radius`, by its bounds. With `intent=match` keeps it,
 * because a town's middle is nobody's position. Throws KnownError 400 failed_geocode, 400 param_error with `sw` and
 * `ne`.
 */
export async function locate(
  pool: Pool,
  parameters: SearchParameters,
): Promise<{ parameters: SearchParameters; place: Reading | undefined }> {
  const { intent, near, ll, radius, sw, ne } = parameters;
  if (near === undefined || intent === "global" || (intent === "match" && ll)) return { parameters, place: undefined };
  if (intent === "browse" && (sw || ne))
    throw new KnownError(400, "param_error", "intent=browse takes either near, or sw and ne.");
  const found = await resolvePlace(pool, near, ll);
  if (intent === "match") return { parameters, place: found };
  const { lat, lng } = found.place;
  const area = intent === "browse" && !radius ? { ll: undefined, ...boundsOf(found.place) } : { ll: { lat, lng } };
  return { parameters: { ...parameters, ...area }, place: found };
}
