import { normalizeName } from "./normalize.ts";
import statesByCode from "./states.json" with { type: "json" };

/** Codes (ISO 3166-2) and names of states and provinces, in countries whose addresses use both. */
const STATES: Record<string, Record<string, string>> = statesByCode;

interface State {
  code: string;
  name: string;
  cc: string;
  /** Code and name, normalized. */
  words: string;
}

const states: State[] = Object.entries(STATES).flatMap(([cc, names]) =>
  Object.entries(names).map(([code, name]) => ({ code, name, cc, words: normalizeName(`${code} ${name}`) })),
);

const statesBySpelling = Map.groupBy(
  states.flatMap((state) => [state.code, state.name].map((spelling) => ({ ...state, spelling }))),
  ({ spelling }) => normalizeName(spelling),
);

export const stateCodes = (words: string): string[] => [
  ...new Set(statesBySpelling.get(words)?.map(({ code }) => code)),
];

/** Whether this country has a state of that name or code, whatever others have. `words` are normalized. */
export const hasState = (cc: string, words: string): boolean =>
  statesBySpelling.get(words)?.some((state) => state.cc === cc) ?? false;

/** Whether both name one state, in whatever country: "RI", "Rhode Island". */
export function isSameState(a: string, b: string): boolean {
  const named = (state: string) => statesBySpelling.get(normalizeName(state)) ?? [];
  return named(a).some(({ cc, code }) => named(b).some((other) => other.cc === cc && other.code === code));
}

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

/** Returns code and name of a state, normalized: "nh new hampshire". */
export function stateWords(state: string): string {
  const words = normalizeName(state);
  const known = statesBySpelling.get(words) ?? [];
  return known.length === 0 ? words : known.map(({ words }) => words).join(" ");
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
