import { type Address, asWrittenIn, readAddress } from "./normalize/address.ts";
import { HAN, inOneWord } from "./normalize/chinese.ts";
import { latinOf } from "./normalize/latin.ts";
import { foldText, normalizeName } from "./normalize/normalize.ts";
import { type Phone, readPhones } from "./normalize/phone.ts";
import { stateWords } from "./normalize/regions.ts";
import { readWebsite, type Website } from "./normalize/website.ts";
import { type Signs, signsOf } from "./text/chinese-name.ts";
import { isInOtherScript, type Name, nameOf } from "./text/name.ts";
import { trigramsOf, withoutRepetitions, words as wordsOf } from "./text/similarity.ts";
import { type Word, wordOf } from "./text/word.ts";

/** A name of a venue besides its own. */
export interface OtherName {
  /** `common:en` (its name in a language), `official`, `alternate`, `short`, `old` or `brand`. */
  kind: string;
  name: string;
  /** Of a venue that was merged into this one. */
  merged?: true;
}

/** What is known of a spot. Only the name is required. */
export interface Spot {
  name: string;
  /** `normalizeName(name)`, if it is known already. */
  nameNorm?: string | undefined;
  otherNames?: readonly OtherName[] | null | undefined;
  /** All of them normalized, with "|" between them, if they are known already. */
  otherNamesNorm?: string | null | undefined;
  lat?: number | undefined;
  lng?: number | undefined;
  /** Whether the position is only that of its address, as others have it. */
  isByAddress?: boolean | undefined;
  /** Only told: it is matched like others. */
  isTemporarilyClosed?: boolean | undefined;
  address?: string | null | undefined;
  city?: string | null | undefined;
  state?: string | null | undefined;
  zip?: string | null | undefined;
  phone?: string | null | undefined;
  twitter?: string | null | undefined;
  url?: string | null | undefined;
  /** Its category's name, of a venue. */
  category?: string | null | undefined;
  /** ISO 3166-1 alpha-2. */
  cc?: string | null | undefined;
}

/** A spot with a position. */
export interface Listing extends Spot {
  lat: number;
  lng: number;
}

/** A listing or a venue with everything that is compared, computed once. What not every comparison needs is lazy. */
export class Prepared<S extends Spot = Spot> {
  readonly record: S;
  /** The name that is compared, if it is not the record's own. */
  readonly otherName: OtherName | undefined;
  readonly words: Word[];
  /** All words without spaces. */
  readonly joined: string;
  readonly trigrams: number[];
  /** The first word that is not a filler. */
  readonly firstWord: string;
  /** The kinds of place of all words, one bit each. */
  readonly kinds: number;
  /** The name in its own script, without spaces; empty if that is Latin. */
  readonly original: string;
  /** Undefined if the name has no Chinese signs. */
  readonly signs: Signs | undefined;
  /** The name contains "@" or the word "at". */
  readonly saysAt: boolean;
  #address: Address | undefined;
  #town: string | undefined;
  #whereabouts: string[] | undefined;
  #originalTrigrams: number[] | undefined;
  #streetTrigrams: number[] | undefined;
  #zip: string | undefined;
  #phones: Phone[] | undefined;
  #website: Website | null | undefined;

  constructor(record: S, { words, trigrams }: Name, otherName?: OtherName) {
    this.record = record;
    this.otherName = otherName;
    const { name } = this;
    this.words = words.map(wordOf);
    this.joined = words.join("");
    this.trigrams = withoutRepetitions(trigrams);
    this.firstWord = this.words.find(({ isFiller }) => !isFiller)?.text ?? "";
    this.kinds = this.words.reduce((kinds, word) => kinds | word.kinds, 0);
    const nameNorm = isInOtherScript(name) ? normalizeName(name) : "";
    this.original = nameNorm.replaceAll(" ", "");
    this.signs = nameNorm !== "" && HAN.test(nameNorm) ? signsOf(nameNorm) : undefined;
    this.saysAt = name.includes("@") || words.includes("at");
  }

  /** As it is written. */
  get name(): string {
    return this.otherName?.name ?? this.record.name;
  }

  get address(): Address {
    this.#address ??= asWrittenIn(this.record, readAddress(this.record.address ?? ""));
    return this.#address;
  }

  get #townNorm(): string {
    this.#town ??= normalizeName(this.record.city ?? "");
    return this.#town;
  }

  get town(): string {
    return this.#townNorm.replaceAll(" ", "");
  }

  /** Words of street, town and state, in Latin letters. */
  get whereabouts(): string[] {
    this.#whereabouts ??= this.#readWhereabouts();
    return this.#whereabouts;
  }

  #readWhereabouts(): string[] {
    const state = this.record.state ? stateWords(this.record.state) : "";
    const found = wordsOf(latinOf(`${this.address.street.join(" ")} ${this.#townNorm} ${state}`.trim()));
    return this.signs ? [...found, ...this.signs.towns.map(inOneWord), inOneWord(this.town)] : found;
  }

  get originalTrigrams(): number[] {
    this.#originalTrigrams ??= trigramsOf(this.original);
    return this.#originalTrigrams;
  }

  get streetTrigrams(): number[] {
    this.#streetTrigrams ??= trigramsOf(this.address.street.join(" "));
    return this.#streetTrigrams;
  }

  get zip(): string {
    this.#zip ??= zipOf(this.record.zip || this.address.postal || "");
    return this.#zip;
  }

  get phones(): Phone[] {
    this.#phones ??= readPhones(this.record.phone ?? "");
    return this.#phones;
  }

  get twitter(): string {
    return this.record.twitter?.toLowerCase().replace(/\W/g, "") ?? "";
  }

  get website(): Website | undefined {
    if (this.#website === undefined) this.#website = readWebsite(this.record.url ?? "") ?? null;
    return this.#website ?? undefined;
  }
}

/** Parses and normalizes a spot for comparison. */
export const prepare = <S extends Spot>(record: S, name = nameOf(record)): Prepared<S> => new Prepared(record, name);

/**
 * What is known of a spot, for as long as its object exists: listings of one place share candidates. The object must not
 * change.
 */
export function knownOf(spot: Spot): Known {
  const remembered: Remembered = spot;
  const known = remembered[KNOWN];
  if (known?.spot === spot) return known; // a changed copy has that of the first
  const made = new Known(spot);
  remembered[KNOWN] = made;
  return made;
}

/** A WeakMap would cost a tenth of all matching, Object.defineProperty a fiftieth. */
const KNOWN = Symbol("known");
type Remembered = Spot & { [KNOWN]?: Known };

export class Known implements Name {
  readonly spot: Spot;
  /** Undefined if its own name is known. */
  readonly otherName: OtherName | undefined;
  /** `normalizeName(name)`, if it is known already. */
  readonly nameNorm: string | undefined;
  #read: Name | undefined;
  #others: Known[] | undefined;
  #prepared: Prepared | undefined;
  #longWords: Set<string> | undefined;

  constructor(spot: Spot, otherName?: OtherName, nameNorm = otherName ? undefined : spot.nameNorm) {
    this.spot = spot;
    this.otherName = otherName;
    this.nameNorm = nameNorm;
  }

  get words(): string[] {
    return this.#name.words;
  }

  get trigrams(): number[] {
    return this.#name.trigrams;
  }

  /** Read when it is first needed: most other names are none that a listing could have. */
  get #name(): Name {
    this.#read ??= nameOf(this);
    return this.#read;
  }

  /** As it is written. */
  get name(): string {
    return this.otherName?.name ?? this.spot.name;
  }

  /** The same spot by each of its other names. */
  get others(): Known[] {
    this.#others ??= this.#readOthers();
    return this.#others;
  }

  #readOthers(): Known[] {
    const { otherNames, otherNamesNorm } = this.spot;
    if (!otherNames) return [];
    const normalized = otherNamesNorm?.split("|") ?? [];
    const nameNorm = (at: number) => (normalized.length === otherNames.length ? normalized[at] : undefined);
    return otherNames.map((each, at) => new Known(this.spot, each, nameNorm(at)));
  }

  get prepared(): Prepared {
    this.#prepared ??= new Prepared(this.spot, this, this.otherName);
    return this.#prepared;
  }

  /** Words of four letters or more in address and town. */
  get longWords(): Set<string> {
    const { address, city } = this.spot;
    this.#longWords ??= new Set(`${address ?? ""} ${city ?? ""}`.toLowerCase().match(/\p{L}{4,}/gu));
    return this.#longWords;
  }
}

/** Letters and digits of a postal code. Undoes what spreadsheets change: 089502 may arrive as "89502.0". */
const zipOf = (zip: string): string =>
  zip === ""
    ? ""
    : foldText(zip)
        .replace(/\.0$/, "")
        .replace(/[^\p{L}\p{N}]/gu, "")
        .replace(/^0+/, "");
