import { readAddress } from "../../matching/normalize/address.ts";

export interface HouseAddress {
  /** The same for all spellings of a street. */
  street: string;
  /** As written, without number and suite. */
  name: string;
  number: number;
}

/** Returns undefined for an address without a sure house number or street. */
export function houseAddress(address: string): HouseAddress | undefined {
  const { numbers, isUnsure, street, box } = readAddress(address);
  const [first] = numbers;
  const name = nameIn(address);
  if (!first || isUnsure || box || street.length === 0 || !name) return undefined;
  return { street: street.join(" "), name, number: first.from };
}

function nameIn(address: string): string {
  const part = address.split(/[,;(#\n]/).find((each) => /\d/.test(each)) ?? "";
  return part
    .replace(/^\s*\d+[a-z]?(?:\s*[-/&]\s*\d+[a-z]?)*\s+(?=\S)/i, "")
    .replace(/\s+(?:ste|suite|unit|apt|fl|floor|rm|room|bldg|building|lot|dept)\b.*$/i, "")
    .replace(/(?<=\p{L}.*)\s+\d+\s*[a-z]?\s*$/iu, "")
    .trim();
}
