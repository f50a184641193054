import type { Pool } from "pg";
import { hasWord } from "../../matching/common-words.ts";
import { ESTIMATE_ERROR } from "../../matching/compare.ts";
import { CONFIDENT_CUT, MATCH_CUT } from "../../matching/decide.ts";
import { distanceBetween } from "../../matching/distance.ts";
import type { Evidence } from "../../matching/evidence.ts";
import { isEnding, isSaidBy, mayHaveOthersInside, mayNamePart } from "../../matching/extra-words.ts";
import { type Match, matchListing } from "../../matching/match.ts";
import { normalizeName } from "../../matching/normalize/normalize.ts";
import { knownOf, type Prepared, type Spot } from "../../matching/prepare.ts";
import { compareSigns } from "../../matching/text/chinese-name.ts";
import type { Word } from "../../matching/text/word.ts";
import { allCategories, withCategories } from "../categories/tree.ts";
import { candidatesOfEach } from "../venues/candidates.ts";
import { findVenues } from "../venues/find.ts";
import type { VenueRow } from "../venues/rows.ts";
import { candidatesAmongNeighbours } from "../venues/search/neighbours.ts";

/** Two venues that seem to be one place; `a` is the lesser id. */
export interface Pair {
  a: string;
  b: string;
  /** 0 to 1: the lower one of `a` as a listing matched to `b`, and of `b` matched to `a`. */
  score: number;
  /** Of `a` matched to `b`. */
  evidence: Evidence[];
}

/** Compares the venues with all others around them, and returns each pair once. */
export async function findPairs(pool: Pool, ids: readonly string[]): Promise<Pair[]> {
  const own = await likesOf(pool, ids);
  const others = new Set([...own.values()].flatMap((likes) => [...likes.keys()]).filter((id) => !own.has(id)));
  const likes = new Map([...own, ...(await likesOf(pool, [...others]))]);
  const pairs: Pair[] = [];
  for (const [one, found] of own)
    for (const [other, { score }] of found) {
      const back = likes.get(other)?.get(one);
      if (!back || (own.has(other) && one > other)) continue;
      const [a, b] = one < other ? [one, other] : [other, one];
      const evidence = likes.get(a)?.get(b)?.evidence ?? [];
      pairs.push({ a, b, score: Math.min(score, back.score), evidence });
    }
  return pairs;
}

type Like = Pick<Match<VenueRow>, "score" | "evidence">;

/** Venues of one statement. */
const SLICE = 50;
/** Venues of which no two are likely to be neighbours. */
const FEW = 20;

/** Returns, for each of the venues that is there and open, the others that it seems to be. */
async function likesOf(pool: Pool, ids: readonly string[]): Promise<Map<string, Map<string, Like>>> {
  const found = await findVenues(pool, ids);
  const open = ids.flatMap((id) => {
    const venue = found.get(id);
    return venue?.id === id && !venue.isClosed ? venue : []; // an id that was merged leads to another
  });
  const venues = withCategories(open);
  const near = venues.length < FEW ? [] : await candidatesAmongNeighbours(pool, venues);
  const rest = venues.flatMap((_, at) => (near[at] ? [] : at));
  for (let from = 0; from < rest.length; from += SLICE) {
    const slice = rest.slice(from, from + SLICE);
    const asked = await candidatesOfEach(
      pool,
      slice.map((at) => venues[at] as VenueRow),
    );
    for (const [index, at] of slice.entries()) near[at] = asked[index];
  }
  return new Map(venues.map((venue, at) => [venue.id, likesAmong(venue, withCategories(near[at] ?? []))]));
}

function likesAmong(venue: VenueRow, candidates: readonly VenueRow[]): Map<string, Like> {
  const others = candidates.filter(({ id }) => id !== venue.id);
  const likely = matchListing(venue, others, LEAST_ONE_NAME).filter((match) => seemOne(venue, match, others));
  return new Map(likely.map(({ venue: { id }, score, evidence }) => [id, { score, evidence }]));
}

/** Lowest score of a pair, in both directions, and of one with the same address and a name that places gain and lose. */
const LEAST_SCORE = CONFIDENT_CUT;
const LEAST_ONE_NAME = MATCH_CUT;

/** Metres between two records of one place whose positions differ, without and with its address or telephone number on both. */
const APART = { usually: 150, found: 500 };

/** Metres between two records of one branch of a chain, and of one stop or one part of another place. */
const SAME_BRANCH = 40;
const SAME_PART = 12;

/** A name that so many other venues around have is a chain's. */
const CHAIN = 2;

/** Categories of places that are often within or beside another of the same name, such as a supermarket's pharmacy. */
const PARTS = idsOf("Pharmacy", "Gas Station", "Car Wash", "Parking", "Photo Lab", "Optical Store", "Post Office");

/** Categories of stops, of which there is often one for each direction. */
const STOPS = idsOf("Bus Station", "Train Station", "Ferry & Boat Terminal");

/** Weight of the evidence for an extra word, which at one address often names a part. A town's name weighs less. */
const EXTRA_WORD = -0.4;

/** Names of things of which a building may have several. */
const MACHINE =
  /\b(atm|cash ?(machine|point)|geldautomat|bancomat|cajero|(ev|electric vehicle) charg\w*|locker|kiosk|bus stop)\b/i;

/**
 * Whether a match of a venue with another of the directory may be one place twice. Beyond the score of the match, excludes what is
 * alike though it is not the same: branches of a chain, units of a building, a department within a shop, stops of both directions.
 *
 * @param around the other venues near it
 */
function seemOne(venue: VenueRow, match: Match<VenueRow>, around: readonly VenueRow[]): boolean {
  const { venue: other, score } = match;
  if (score < LEAST_ONE_NAME || isPartOf(venue, other)) return false;
  const weights = new Map(match.evidence.map(({ comparison, weight }) => [comparison, weight]));
  const weightOf = (comparison: string) => weights.get(comparison) ?? 0;
  if (["houseNumber", "unit", "otherDesignation"].some((comparison) => weightOf(comparison) < 0)) return false;
  const phone = weightOf("phone");
  const isAtHouse = isSameAddress(venue, other);
  const isFound = match.isAtAddress || phone > 0 || isAtHouse;
  const difference =
    isFound || areWithin(SAME_BRANCH, venue, other) ? differenceOf(venue, other, phone >= 0) : undefined;
  if (difference !== "little") {
    if (score < LEAST_SCORE || match.mayBePart || difference === "a part") return false;
    const mayBeOther = weightOf("difference") <= EXTRA_WORD && (phone < 0 || match.needsReview);
    if (phone <= 0 && (weightOf("kind") < 0 || mayBeOther)) return false;
  }
  if (score < LEAST_SCORE && !isAtHouse) return false;
  const metres = distanceBetween(venue, other);
  const error = match.isAtAddress && (venue.isByAddress || other.isByAddress) ? ESTIMATE_ERROR : 0;
  if (metres - error > (isFound ? APART.found : APART.usually)) return false;
  if (isStop(venue) && isStop(other) && !areWithin(SAME_PART, venue, other)) return false;
  return isFound || areWithin(SAME_BRANCH, venue, other) || !isChain(venue, other, around);
}

/** Whether few metres say that two are one: not those of a position that was taken from the address. */
const areWithin = (metres: number, one: VenueRow, other: VenueRow): boolean =>
  !one.isByAddress && !other.isByAddress && distanceBetween(one, other) <= metres;

const isSameAddress = (one: VenueRow, other: VenueRow): boolean =>
  Boolean(one.address && other.address) && normalizeName(`${one.address}`) === normalizeName(`${other.address}`);

/** Whether one is of a kind that is found within others, and the other is not, or they are two machines. */
function isPartOf(one: VenueRow, other: VenueRow): boolean {
  if (MACHINE.test(one.name) !== MACHINE.test(other.name)) return true;
  if (MACHINE.test(one.name)) return !areWithin(SAME_PART, one, other);
  if (!one.categoryId || !other.categoryId || one.categoryId === other.categoryId) return false;
  const [part, whole] = PARTS.has(one.categoryId) ? [one, other] : [other, one];
  return PARTS.has(part.categoryId ?? "") && !isMisfiled(part, whole);
}

/** Whether a wrong category is likelier than a part: nothing but the category is its own, and the other has no such parts. */
function isMisfiled(part: VenueRow, whole: VenueRow): boolean {
  const isOther = part.nameNorm !== whole.nameNorm || !isSameAddress(part, whole) || PARTS.has(whole.categoryId ?? "");
  if (isOther || (part.phone && part.phone !== whole.phone)) return false;
  return !mayHaveOthersInside(whole, knownOf(whole).prepared);
}

const isStop = ({ categoryId }: VenueRow): boolean => STOPS.has(categoryId ?? "");

function isChain(venue: VenueRow, other: VenueRow, around: readonly VenueRow[]): boolean {
  const names = new Set([venue.nameNorm, other.nameNorm]);
  const isElsewhere = (each: VenueRow) =>
    names.has(each.nameNorm) && [venue, other].every((one) => distanceBetween(one, each) > APART.usually);
  return around.filter(isElsewhere).length >= CHAIN;
}

function idsOf(...names: string[]): Set<string> {
  return new Set(allCategories.flatMap(({ name, id }) => (names.includes(name) ? id : [])));
}

/**
 * How two names of one spot differ: at most by what one place gains and loses ("The New X", "X Group", "X of Ashbyton, RI", "X & Sons",
 * a last word cut short), by a word for a part of it ("X Annex", "X Foundation"), or otherwise.
 */
type Difference = "little" | "a part" | "other words";

/** @param maySayTrade whether a trade that both have as their category may be left out of a name */
export function differenceOf(a: Spot, b: Spot, maySayTrade: boolean): Difference {
  const one = knownOf(a).prepared;
  const other = knownOf(b).prepared;
  const signs = one.signs && other.signs ? compareSigns(one.signs, other.signs) : undefined;
  if (signs === "alike" || signs === "other") return "other words";
  const ours = lacked(one, other);
  const theirs = lacked(other, one);
  if (isCutShort(ours, theirs) || isCutShort(theirs, ours)) return "little";
  const isWhere = ({ text }: Word) => one.whereabouts.includes(text) || other.whereabouts.includes(text);
  const isTelling = (word: Word) => word.kinds === 0 && !isWhere(word);
  const isOneTrade = maySayTrade && a.category === b.category && ours.length * theirs.length === 0;
  const isLittle = (full: Prepared) => (word: Word) =>
    isOpening(word, full) || isEnding(word) || isWhere(word) || (isOneTrade && isSaidBy(a.category, word));
  const more = [...ours.filter((word) => !isLittle(one)(word)), ...theirs.filter((word) => !isLittle(other)(word))];
  const common = one.words.filter((word) => !word.isFiller && hasWord(other, word.text));
  if (more.length === 0 && (common.length > 1 || common.some(isTelling) || ours.length + theirs.length === 0))
    return "little";
  return ours.length * theirs.length === 0 && more.some(mayNamePart) ? "a part" : "other words";
}

const lacked = ({ words }: Prepared, other: Prepared): Word[] =>
  words.filter((word) => !word.isFiller && !hasWord(other, word.text));

/** "New X", "The Original X". */
const isOpening = (word: Word, { words }: Prepared): boolean =>
  OPENINGS.has(word.text) && words.find(({ isFiller }) => !isFiller) === word;

const OPENINGS = new Set(["new", "original"]);

/** "Foot Fitn." and "Foot Fitness", but not "Park" and "Parking", which are kinds of place. */
function isCutShort([short, ...few]: Word[], [long, ...others]: Word[]): boolean {
  if (!short || !long || few.length + others.length > 0 || short.text.length < LEAST_CUT) return false;
  return long.text.startsWith(short.text) && (short.kinds === 0 || long.kinds === short.kinds);
}

const LEAST_CUT = 4;
