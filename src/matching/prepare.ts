import { type Address, readAddress } from "./normalize/address.ts";
import { latinOf } from "./normalize/latin.ts";
import { foldText, normalizeName } from "./normalize/normalize.ts";
import { type Phone, readPhones } from "./normalize/phone.ts";
import { isFiller, kindsOfWord, translateKinds } from "./normalize/place-kinds.ts";
import { isAscii } from "./normalize/repair.ts";
import { withoutStoreNumber } from "./normalize/store-number.ts";
import { readWebsite, type Website } from "./normalize/website.ts";
import { trigramsOf, words } from "./similarity.ts";

/** What is known of a spot. Its name is needed, everything else helps. */
export interface Spot {
  name: string;
  /** What `normalizeName` makes of the name, where it is known already. */
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

/** What the caller knows of a spot that has its position. */
export interface Listing extends Spot {
  lat: number;
  lng: number;
}

/** A name as it is compared. */
export interface Name {
  text: string;
  words: string[];
}

export interface Word {
  text: string;
  trigrams: number[];
  isFiller: boolean;
  /** The kinds of place it tells of, a bit each; 0 for any other word. */
  kinds: number;
}

/** A listing or a venue with all that is compared of it, made once. */
export interface Prepared<S extends Spot = Spot> {
  record: S;
  words: Word[];
  /** All words without blanks. */
  joined: string;
  trigrams: number[];
  /** The first word that is no filler. */
  firstWord: string;
  /** The kinds of place that the words tell of, a bit each. */
  kinds: number;
  /** The name without blanks in its own script; empty if that is Latin. */
  original: string;
  originalTrigrams: number[];
  /** The numbers in the name, in order. */
  numbers: string;
  saysAt: boolean;
  address: Address;
  streetTrigrams: number[];
  /** Words of address and town. */
  whereabouts: string[];
  town: string;
  zip: string;
  phones: Phone[];
  twitter: string;
  website: Website | undefined;
}

/**
 * Takes apart what is known of a spot. In Latin letters, where it is in others.
 *
 * @param name what `nameOf` makes of its name
 * @param other what it is compared with: what that does not say is not read here either
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
  const original = !isAscii(name) && IS_NOT_LATIN.test(name) ? normalizeName(name).replaceAll(" ", "") : "";
  return {
    words: all,
    joined: words.join(""),
    trigrams: trigramsOf(text),
    firstWord: all.find(({ isFiller }) => !isFiller)?.text ?? "",
    kinds: all.reduce((kinds, word) => kinds | word.kinds, 0),
    original,
    originalTrigrams: trigramsOf(original),
    numbers: words.filter(isNumber).sort().join(" "),
    saysAt: name.includes("@") || words.includes("at"),
  };
}

const IS_NOT_LATIN = /(?!\p{Script=Latin})\p{L}/u;

/**
 * The name as it is compared: normalized, in Latin letters, words for kinds of places in English; "saint" and "street" as
 * people write both.
 */
export function nameOf({ name, nameNorm }: Spot): Name {
  const plain = withoutStoreNumber(name);
  const normalized = nameNorm !== undefined && plain === name ? nameNorm : normalizeName(plain);
  const text = latinOf(translateKinds(normalized)).replace(/\b(?:saint|street|car park)\b/g, (word) =>
    word === "car park" ? "carpark" : "st",
  );
  return { text, words: words(text) };
}

const isNumber = (text: string): boolean => /^\d+[a-z]?$/.test(text);

/** Names are made of few words again and again. */
function wordOf(text: string): Word {
  const known = WORDS.get(text);
  if (known) return known;
  const word = { text, trigrams: trigramsOf(text), isFiller: isFiller(text), kinds: kindsOfWord(text) };
  if (WORDS.size >= MOST_WORDS) WORDS.clear();
  if (text.length <= 30) WORDS.set(text, word);
  return word;
}

const WORDS = new Map<string, Word>();
const MOST_WORDS = 20_000;

/** Letters and digits of a postal code, without what spreadsheets do to it: "89502.0" for 089502. */
const zipOf = (zip: string): string =>
  zip === ""
    ? ""
    : foldText(zip)
        .replace(/\.0$/, "")
        .replace(/[^\p{L}\p{N}]/gu, "")
        .replace(/^0+/, "");
