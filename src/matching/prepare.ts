import { type Address, readAddress } from "./normalize/address.ts";
import { latinOf } from "./normalize/latin.ts";
import { foldText, normalizeName } from "./normalize/normalize.ts";
import { type Phone, readPhones } from "./normalize/phone.ts";
import { isFiller, kindsOfWord, translateKinds } from "./normalize/place-kinds.ts";
import { isAscii } from "./normalize/repair.ts";
import { spellOut } from "./normalize/short-words.ts";
import { withoutStoreNumber } from "./normalize/store-number.ts";
import { readWebsite, type Website } from "./normalize/website.ts";
import { trigramsOf, words } from "./similarity.ts";
import { soundOf } from "./spelling.ts";

/** What is known of a spot. Only the name is required. */
export interface Spot {
  name: string;
  /** `normalizeName(name)`, if it is known already. */
  nameNorm?: string | undefined;
  lat?: number | undefined;
  lng?: number | undefined;
  address?: string | null | undefined;
  city?: string | null | undefined;
  zip?: string | null | undefined;
  phone?: string | null | undefined;
  twitter?: string | null | undefined;
  url?: string | null | undefined;
}

/** A spot with a position. */
export interface Listing extends Spot {
  lat: number;
  lng: number;
}

/** A name as it is compared (`nameOf`). `text`: the words, separated by spaces. */
export interface Name {
  text: string;
  words: string[];
}

export interface Word {
  text: string;
  trigrams: number[];
  /** Approximate pronunciation (`soundOf`). */
  sound: string;
  /** An article, a preposition, a legal form or the like. */
  isFiller: boolean;
  /** The kinds of place it stands for, one bit each; 0 for any other word. */
  kinds: number;
}

/** A listing or a venue with everything that is compared, computed once. */
export interface Prepared<S extends Spot = Spot> {
  record: S;
  words: Word[];
  /** All words without spaces. */
  joined: string;
  trigrams: number[];
  /** The first word that is not a filler. */
  firstWord: string;
  /** The kinds of place of all words, one bit each. */
  kinds: number;
  /** The name in its own script, without spaces; empty if that is Latin. */
  original: string;
  originalTrigrams: number[];
  /** The name contains "@" or the word "at". */
  saysAt: boolean;
  address: Address;
  streetTrigrams: number[];
  /** Words of street and town, in Latin letters. */
  whereabouts: string[];
  town: string;
  zip: string;
  phones: Phone[];
  twitter: string;
  website: Website | undefined;
}

/**
 * Parses and normalizes a spot for comparison.
 *
 * @param name `nameOf(record)`
 * @param other the record it is compared with: some fields that this one lacks are not parsed
 */
export function prepare<S extends Spot>(record: S, name = nameOf(record), other?: Prepared): Prepared<S> {
  const address = readAddress(record.address ?? "");
  const street = address.street.join(" ");
  const town = normalizeName(record.city ?? "");
  const { phone, url, twitter } = record;
  return {
    record,
    ...prepareName(record, name),
    address,
    streetTrigrams: other?.address.street.length === 0 ? [] : trigramsOf(street),
    whereabouts: words(latinOf(`${street} ${town}`.trim())),
    town: town.replaceAll(" ", ""),
    zip: other?.zip === "" ? "" : zipOf(record.zip || address.postal || ""),
    phones: phone && other?.phones.length !== 0 ? readPhones(phone) : [],
    twitter: (other?.twitter !== "" && twitter?.toLowerCase().replace(/\W/g, "")) || "",
    website: url && (!other || other.website) ? readWebsite(url) : undefined,
  };
}

function prepareName({ name }: Spot, { text, words }: Name) {
  const all = words.map(wordOf);
  const original = isInOtherScript(name) ? normalizeName(name).replaceAll(" ", "") : "";
  return {
    words: all,
    joined: words.join(""),
    trigrams: trigramsOf(text),
    firstWord: all.find(({ isFiller }) => !isFiller)?.text ?? "",
    kinds: all.reduce((kinds, word) => kinds | word.kinds, 0),
    original,
    originalTrigrams: trigramsOf(original),
    saysAt: name.includes("@") || words.includes("at"),
  };
}

/** Whether a name has letters that are not Latin. */
export const isInOtherScript = (name: string): boolean => !isAscii(name) && IS_NOT_LATIN.test(name);
const IS_NOT_LATIN = /(?!\p{Script=Latin})\p{L}/u;

/**
 * Normalizes a name for comparison: in Latin letters, kinds of place in English, abbreviations unified ("saint" and
 * "street" are both "st"), without branch and store number.
 */
export function nameOf({ name, nameNorm }: Spot): Name {
  const plain = withoutBranch(withoutStoreNumber(name));
  const normalized = nameNorm !== undefined && plain === name ? nameNorm : normalizeName(plain);
  const latin = latinOf(translateKinds(normalized));
  const joined = latin.includes("car park") ? latin.replaceAll("car park", "carpark") : latin;
  const own = words(joined);
  const spelled = spellOut(own);
  return { text: spelled === own ? joined : spelled.join(" "), words: spelled };
}

/** Removes a branch in brackets, as in Chinese and Japanese names: 星巴克（南京路店）. */
const withoutBranch = (name: string): string =>
  isAscii(name) || !/[)）]\s*$/.test(name)
    ? name
    : name.replace(/(?<=.)\s*[(（][^()（）]{1,20}(?:店|支行|分行)[)）]\s*$/, "");

/** Caches, because the same words recur in many names. */
function wordOf(text: string): Word {
  const known = WORDS.get(text);
  if (known) return known;
  const word = {
    text,
    trigrams: trigramsOf(text),
    sound: soundOf(text),
    isFiller: isFiller(text),
    kinds: kindsOfWord(text),
  };
  if (WORDS.size >= MOST_WORDS) WORDS.clear();
  if (text.length <= 30) WORDS.set(text, word);
  return word;
}

const WORDS = new Map<string, Word>();
const MOST_WORDS = 20_000;

/** Letters and digits of a postal code. Undoes what spreadsheets change: 089502 may arrive as "89502.0". */
const zipOf = (zip: string): string =>
  zip === ""
    ? ""
    : foldText(zip)
        .replace(/\.0$/, "")
        .replace(/[^\p{L}\p{N}]/gu, "")
        .replace(/^0+/, "");
