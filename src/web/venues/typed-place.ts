import { z } from "zod";
import { type LatLng, ll, text } from "../../contract/parameters.ts";

/** `ll` as people write it: spaces about the two numbers and degree signs behind them are forgiven. */
export const typedPoint = z
  .string()
  .transform((typed) => typed.split(",").map(withoutDegreeSign).join(","))
  .pipe(ll);

const withoutDegreeSign = (number: string) => number.trim().replace(/°$/, "").trimEnd();

/** A place to search near: a point, or a name for the directory to understand. */
export type TypedPlace = { ll: LatLng; near?: never } | { near: string; ll?: never };

/** What may stand where a place to search near is asked for: latitude and longitude, a name, a postal code. */
export const typedPlace = z.string().transform((typed, context): TypedPlace => {
  const { data, error } = isName(typed) ? name.safeParse(typed) : typedPoint.safeParse(typed);
  if (data !== undefined) return typeof data === "string" ? { near: data } : { ll: data };
  for (const { message } of error?.issues ?? []) context.addIssue({ code: "custom", message });
  return z.NEVER;
});

const name = text("Near", 100);

/** Two letters, or the three digits in a row that a postal code has and a latitude has not. */
const isName = (typed: string) => /\p{L}.*\p{L}/u.test(typed) || /^\s*\d{3,}(?:[ -]\d+)?\s*$/.test(typed);

/** What to write instead of a point that cannot be read; the same words wherever one is asked for. */
const POINT_HELP = "latitude, longitude, such as 41.8240, -71.4128.";
const RANGE_HELP = "Latitude goes from −90 to 90, longitude from −180 to 180.";

/** The message of `typedPoint` in the words of a page. */
export const pointHelp = (message: string): string =>
  message.includes("out of range") ? RANGE_HELP : `Write the place as ${POINT_HELP}`;

/** The message of `typedPlace` in the words of a page. */
export function placeHelp(message: string): string {
  if (message.includes("at most")) return "Near: use at most 100 characters.";
  return message.includes("out of range")
    ? RANGE_HELP
    : `Write the place as a name, such as Providence, RI; as a postal code; or as ${POINT_HELP}`;
}

/** Why the directory refused a place given by name, in the words of a page. */
export const unknownPlaceHelp = (errorType: string | undefined): string =>
  errorType === "failed_geocode"
    ? `The directory knows no such place. Check the spelling, or that the directory has venues there; name a larger town near it, or write ${POINT_HELP}`
    : `The directory did not understand this place. Write it as ${POINT_HELP}`;
