import { asWrittenIn, readAddress } from "../../matching/normalize/address.ts";

export interface HouseAddress {
  /** The same for all spellings of a street. */
  street: string;
  /** As written, without number and suite. */
  name: string;
  number: number;
}

/**
 * Returns undefined for an address without a sure house number or street.
 *
 * @param cc of the country, if it is known
 */
export function houseAddress(given: string, cc?: string): HouseAddress | undefined {
  const address = given.replace(HALF, "$1");
  const read = readAddress(address);
  const written = asWrittenIn({ cc }, read);
  const { isUnsure, street, box } = read;
  const [first] = written.numbers;
  const name = nameIn(address);
  if (!first || isUnsure || box || street.length === 0 || !name) return undefined;
  const house = written === read ? first.from : (first.behind ?? first.from);
  return { street: street.join(" "), name, number: house };
}

/** Of a house number: 12 1/2 is beside 12. */
const HALF = /^(\s*\d+)(?:\s+[1-9]\s?\/\s?[1-9](?=\s)|\s*[½¼¾])/;

function nameIn(address: string): string {
  const part = address.split(/[,;(#\n]/).find((each) => /\d/.test(each)) ?? "";
  const behind = part.replace(/^\s*\d+[a-z]?(?:\s*[-/&]\s*\d+[a-z]?)*\s+(?=\S)/i, "");
  const street = behind.replace(/\s+(?:ste|suite|unit|apt|fl|floor|rm|room|bldg|building|lot|dept)\b.*$/i, "");
  // Behind a house number, a number at the end is part of the name: "350 US Highway 1".
  return (behind === part ? street.replace(/(?<=\p{L}.*)\s+\d+\s*[a-z]?\s*$/iu, "") : street).trim();
}
