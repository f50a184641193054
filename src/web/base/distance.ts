import { withDecimalSign } from "../../language/format.ts";
import { metresInWords } from "../../matching/distance.ts";

/** "350 m", "1.2 km", with the decimal sign of the language. */
export const distanceInWords = (metres: number): string => withDecimalSign(metresInWords(metres));
