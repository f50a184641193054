import type { Pool } from "pg";
import type { SearchParameters } from "../../../contract/search-parameters.ts";
import { KnownError } from "../../../shared/errors.ts";
import { boundsOf } from "../../places/geocode.ts";
import type { Reading } from "../../places/reading.ts";
import { resolvePlace } from "../../places/resolve.ts";

/**
 * The parameters with what `near` stands for in its place: the middle as `ll`, or with `intent=browse` and no `radius` the
 * bounds as `sw` and `ne`. As they are where there is no `near`, where it has no say (a listing's own `ll` is better), and
 * with `intent=match`: no listing stands in the middle of a town.
 *
 * @throws KnownError 400 failed_geocode; 400 param_error with `sw` and `ne`
 */
export async function locate(
  pool: Pool,
  parameters: SearchParameters,
): Promise<{ parameters: SearchParameters; place: Reading | undefined }> {
  const { intent, near, ll, radius, sw, ne } = parameters;
  if (near === undefined || intent === "global" || (intent === "match" && ll)) return { parameters, place: undefined };
  if (intent === "browse" && (sw || ne))
    throw new KnownError(400, "param_error", "intent=browse takes near, or sw and ne, not both.");
  const found = await resolvePlace(pool, near, ll);
  if (intent === "match") return { parameters, place: found };
  const { lat, lng } = found.place;
  const area = intent === "browse" && !radius ? { ll: undefined, ...boundsOf(found.place) } : { ll: { lat, lng } };
  return { parameters: { ...parameters, ...area }, place: found };
}
