import { z } from "zod";
import { ll } from "../contract/parameters.ts";

/** `ll` as people write it: spaces about the two numbers and degree signs behind them are forgiven. */
export const typedPlace = z
  .string()
  .transform((typed) => typed.split(",").map(withoutDegreeSign).join(","))
  .pipe(ll);

const withoutDegreeSign = (number: string) => number.trim().replace(/°$/, "").trimEnd();

/** What to write instead of a place that cannot be read; the same words wherever a place is asked for. */
const PLACE_HELP = "Write the place as latitude, longitude, such as 41.8240, -71.4128.";

/** The message of `typedPlace` in the words of a page. */
export const placeHelp = (message: string): string =>
  message.includes("out of range") ? "Latitude goes from −90 to 90, longitude from −180 to 180." : PLACE_HELP;
