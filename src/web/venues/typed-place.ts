import { z } from "zod";
import { type LatLng, ll } from "../../contract/parameters.ts";
import { text } from "../../contract/text.ts";
import { SOURCE_LANGUAGE } from "../../language/languages.ts";
import { inLanguage, t } from "../../language/translate.ts";

/** `ll` as people type it, with spaces and degree signs. */
export const typedPoint = z
  .string()
  .transform((typed) => typed.split(",").map(withoutDegreeSign).join(","))
  .pipe(ll);

const withoutDegreeSign = (number: string) => number.trim().replace(/°$/, "").trimEnd();

export type TypedPlace = { ll: LatLng; near?: never } | { near: string; ll?: never };

/** Latitude and longitude, a name, or a postal code. Its messages are in English, for placeHelp(). */
export const typedPlace = z.string().transform((typed, context): TypedPlace => {
  const { data, error } = inLanguage(SOURCE_LANGUAGE, () =>
    isName(typed) ? name.safeParse(typed) : typedPoint.safeParse(typed),
  );
  if (data !== undefined) return typeof data === "string" ? { near: data } : { ll: data };
  for (const { message } of error?.issues ?? []) context.addIssue({ code: "custom", message });
  return z.NEVER;
});

const name = text("Near", 100);

/** Two letters, or three digits in a row: a postal code has them, a latitude does not. */
const isName = (typed: string) => /\p{L}.*\p{L}/u.test(typed) || /^\s*\d{3,}(?:[ -]\d+)?\s*$/.test(typed);

const rangeHelp = () => t("Latitude ranges from −90 to 90, longitude from −180 to 180.");

export const pointHelp = (message: string): string =>
  message.includes("out of range")
    ? rangeHelp()
    : t("Write the place as latitude, longitude, such as 41.8240, -71.4128.");

export function placeHelp(message: string): string {
  if (message.includes("at most")) return t("Near: use at most 100 characters.");
  return message.includes("out of range")
    ? rangeHelp()
    : t(
        "Write the place as a name, such as Providence, RI; as a postal code; or as latitude, longitude, such as 41.8240, -71.4128.",
      );
}

export const unknownPlaceHelp = (errorType: string | undefined): string =>
  errorType === "failed_geocode"
    ? t(
        "The directory does not know this place. Check the spelling, and whether the directory has venues there. You can also name a larger town nearby, or write latitude, longitude, such as 41.8240, -71.4128.",
      )
    : t("The directory did not understand this place. Write it as latitude, longitude, such as 41.8240, -71.4128.");
