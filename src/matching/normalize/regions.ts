import { normalizeName } from "./normalize.ts";

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
  BR: `AC Acre, AL Alagoas, AP Amapá, AM Amazonas, BA Bahia, CE Ceará, DF Distrito Federal, ES Espírito Santo, GO Goiás,
    MA Maranhão, MT Mato Grosso, MS Mato Grosso do Sul, MG Minas Gerais, PA Pará, PB Paraíba, PR Paraná, PE Pernambuco,
    PI Piauí, RJ Rio de Janeiro, RN Rio Grande do Norte, RS Rio Grande do Sul, RO Rondônia, RR Roraima,
    SC Santa Catarina, SP São Paulo, SE Sergipe, TO Tocantins`,
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

/** Whether only this country has a state of that name or code. */
export function isStateOf(cc: string, state: string): boolean {
  const known = state === "" ? undefined : statesBySpelling.get(normalizeName(state));
  return known?.every((each) => each.cc === cc) ?? false;
}

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

/** Languages in which addresses name their country. */
const LANGUAGES = "en de fr es it pt nl da sv nb fi pl cs hu tr ru ja zh".split(" ");
const NAMES_IN = LANGUAGES.map((language) => new Intl.DisplayNames(language, { type: "region", fallback: "none" }));

export const countrySpellings = (cc: string): string[] => {
  const known = SPELLINGS.get(cc);
  if (known) return known;
  const names = /^[A-Z]{2}$/.test(cc) ? NAMES_IN.flatMap((names) => names.of(cc) ?? []) : [];
  const spellings = [...new Set([cc.toLowerCase(), ...names.map(normalizeName), ...(ALIASES[cc] ?? [])])];
  SPELLINGS.set(cc, spellings);
  return spellings;
};

/** Caches, because every reading of a place asks for them. */
const SPELLINGS = new Map<string, string[]>();

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** All current codes. Obsolete ones are canonicalized to others (UK to GB). */
const countries = LETTERS.flatMap((a) => LETTERS.map((b) => a + b)).filter(
  (cc) => COUNTRY_NAMES.of(cc) && Intl.getCanonicalLocales(`und-${cc}`)[0] === `und-${cc}`,
);
/** Made when first needed, as it takes some milliseconds. */
let countriesBySpelling: Map<string, string> | undefined;

/** @param words normalized: a name in one of LANGUAGES, or a code */
export function countryCode(words: string): string | undefined {
  countriesBySpelling ??= new Map(countries.flatMap((cc) => countrySpellings(cc).map((spelling) => [spelling, cc])));
  return countriesBySpelling.get(words);
}
