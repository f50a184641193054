import { formatTenths } from "../../language/format.ts";
import { metresInWords } from "../../matching/distance.ts";

/** "350 m", "1.2 km", with the decimal sign of the language. */
export const distanceInWords = (metres: number): string =>
  metresInWords(metres).replace(/\d+\.\d/, (km) => formatTenths(Number(km)));
