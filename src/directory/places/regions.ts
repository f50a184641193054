import { normalizeName } from "../../matching/normalize/normalize.ts";

/** Codes (ISO 3166-2) and names of states and provinces, in countries whose addresses use both. */
const STATES: Record<string, string> = {
  US: `AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, DE Delaware,
    DC District of Columbia, FL Florida, GA Georgia, HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa, KS Kansas,
    KY Kentucky, LA Louisiana, ME Maine, MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota, MS Mississippi,
    MO Missouri, MT Montana, NE Nebraska, NV Nevada, NH New Hampshire, NJ New Jersey, NM New Mexico, NY New York,
    NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma, OR Oregon, PA Pennsylvania, RI Rhode Island,
    SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah, VT Vermont, VA Virginia, WA Washington,
    WV West Virginia, WI Wisconsin, WY Wyoming`,
  CA: `AB Alberta, BC British Columbia, MB Manitoba, NB New Brunswick, NL Newfoundland and Labrador, NS Nova Scotia,
    NT Northwest Territories, NU Nunavut, ON Ontario, PE Prince Edward Island, QC Quebec, SK Saskatchewan, YT Yukon`,
  AU: `ACT Australian Capital Territory, NSW New South Wales, NT Northern Territory, QLD Queensland,
    SA South Australia, TAS Tasmania, VIC Victoria, WA Western Australia`,
  GB: "ENG England, NIR Northern Ireland, SCT Scotland, WLS Wales",
};

interface State {
  code: string;
  name: string;
  cc: string;
}

const states: State[] = Object.entries(STATES).flatMap(([cc, list]) =>
  list.split(/,\s+/).map((line) => ({ code: line.slice(0, line.indexOf(" ")), name: line.replace(/^\w+ /, ""), cc })),
);

const statesBySpelling = Map.groupBy(
  states.flatMap((state) => [state.code, state.name].map((spelling) => ({ ...state, spelling }))),
  ({ spelling }) => normalizeName(spelling),
);

export const stateCodes = (words: string): string[] => [
  ...new Set(statesBySpelling.get(words)?.map(({ code }) => code)),
];

/** "R.I." and "rhode island" become RI; unknown states stay unchanged. */
export function stateKey(state: string, cc: string): string {
  const words = normalizeName(state);
  const known = statesBySpelling.get(words) ?? statesBySpelling.get(words.replaceAll(" ", "")) ?? [];
  return known.find((each) => cc === "" || each.cc === cc)?.code ?? state.trim();
}

/** Returns the key itself if it is no code or belongs to several countries. */
export function stateName(key: string, cc: string): string {
  const [first, second] = states.filter((state) => state.code === key && (cc === "" || state.cc === cc));
  return first && !second ? first.name : key;
}

const COUNTRY_NAMES = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

export const countryName = (cc: string): string => (/^[A-Z]{2}$/.test(cc) && COUNTRY_NAMES.of(cc)) || cc;

const ALIASES: Record<string, string[]> = {
  US: ["usa", "united states of america", "america"],
  GB: ["uk", "great britain", "britain"],
  NL: ["holland"],
  CZ: ["czech republic"],
  TR: ["turkey"],
};

export const countrySpellings = (cc: string): string[] => [
  cc.toLowerCase(),
  normalizeName(countryName(cc)),
  ...(ALIASES[cc] ?? []),
];

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** All current codes. Obsolete ones are canonicalized to others (UK to GB). */
const countries = LETTERS.flatMap((a) => LETTERS.map((b) => a + b)).filter(
  (cc) => COUNTRY_NAMES.of(cc) && Intl.getCanonicalLocales(`und-${cc}`)[0] === `und-${cc}`,
);
const countriesBySpelling = new Map(countries.flatMap((cc) => countrySpellings(cc).map((words) => [words, cc])));

export const countryCode = (words: string): string | undefined => countriesBySpelling.get(words);
