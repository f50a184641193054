import { addressWords } from "../../../matching/normalize/address.ts";
import { normalizeName } from "../../../matching/normalize/normalize.ts";
import { unifyWord } from "../../../matching/normalize/street-words.ts";
import { trigramSimilarity, words } from "../../../matching/text/similarity.ts";
import { editDistance } from "../../places/geocode.ts";
import type { VenueRow } from "../rows.ts";
import type { Term } from "./readings.ts";
import { mistakes } from "./spelling.ts";
import { isFiller, squash, type TermWord } from "./words.ts";

/** Weight of a word found in another field, relative to 1 for the name. */
const CATEGORY = 0.95;
const ADDRESS = 0.9;
const PLACE = 0.85;
/** Weight of a town that the term names beside other words: "hotels newport". */
const TOWN = 0.97;

export interface Quality {
  /** How well the venue fits the term, 0 to 1. */
  quality: number;
  /** Share of the name that the term covers, 0 to 1. */
  covered: number;
  /** Whether the term names the venue's town, outside the venue's name. */
  isInTown: boolean;
}

/** By the name that fits best. */
export function textQuality(term: Term, venue: VenueRow): Quality {
  const own = qualityByName(term, venue, venue.nameNorm);
  return (venue.otherNames ?? [])
    .map(({ name }) => qualityByName(term, venue, normalizeName(name)))
    .reduce((best, each) => (each.quality > best.quality ? each : best), own);
}

/** Longer words count more. A name that equals or begins with the term, ignoring spaces, has full quality. */
function qualityByName(term: Term, venue: VenueRow, nameNorm: string): Quality {
  const name = words(nameNorm);
  const street = addressWords(`${venue.address ?? ""} ${venue.crossStreet ?? ""}`);
  const place = words(normalizeName(`${venue.city ?? ""} ${venue.state ?? ""} ${venue.zip ?? ""}`));
  const ofKind = new Set(term.kinds.filter(({ ids }) => ids.has(venue.categoryId ?? "")).flatMap((kind) => kind.words));
  const town = words(normalizeName(venue.city ?? ""));
  const named = new Map(term.words.map((word) => [word, best(word, name)]));
  const inName = new Set([...named].flatMap(([{ text }, { quality }]) => (quality > 0.9 ? [text] : [])));
  const isInTown =
    town.length > 0 &&
    town.every((word) => term.words.some(({ text }) => text === word)) &&
    !town.every((word) => inName.has(word)) &&
    term.words.length > town.length;
  let sum = 0;
  let total = 0;
  for (const [word, { quality }] of named) {
    const weight = isFiller(word.text) ? 0.5 : Math.max(2, word.text.length);
    const ofTown = isInTown && town.includes(word.text) ? TOWN : 0;
    const ofItsKind = ofKind.has(word.text) ? CATEGORY : 0;
    sum += weight * Math.max(quality, ofItsKind, ADDRESS * among(word, street), ofTown, PLACE * among(word, place));
    total += weight;
  }
  const whole = startQuality(squash(term.text), name);
  const met = new Set([...named.values()].map(({ counterpart }) => counterpart));
  const letters = name.filter((word) => met.has(word)).join("").length;
  const covered = whole.covered || letters / Math.max(1, name.join("").length);
  return { quality: Math.max(whole.quality, total ? sum / total : 0), covered, isInTown };
}

/** Full quality requires a complete word at the end. */
function startQuality(term: string, name: string[]): Pick<Quality, "quality" | "covered"> {
  const own = name.filter((word) => word !== "and" && word !== "the");
  const all = own.join("");
  if (term.length < 2 || !all.startsWith(term)) return { quality: 0, covered: 0 };
  const covered = term.length / all.length;
  let joined = "";
  for (const word of own) {
    joined += word;
    if (joined === term) return { quality: 1, covered };
  }
  return { quality: 0.8 + 0.15 * covered, covered };
}

/** Prefers the same word, then another form, then a longer word that begins with it, then a similar one. */
function best({ text, same, isPrefix }: TermWord, name: string[]): { quality: number; counterpart: string } {
  if (name.includes(text)) return { quality: 1, counterpart: text };
  const form = same.find((other) => name.includes(other));
  if (form) return { quality: 0.97, counterpart: form };
  const longer = isPrefix ? shortest(name.filter((word) => word.startsWith(text))) : undefined;
  if (longer) return { quality: 0.75 + (0.2 * text.length) / longer.length, counterpart: longer };
  let found = { quality: 0, counterpart: "" };
  for (const counterpart of name) {
    const quality = likeness(text, counterpart);
    if (quality > found.quality) found = { quality, counterpart };
  }
  return found;
}

const shortest = (list: string[]): string | undefined => list.toSorted((a, b) => a.length - b.length)[0];

/** Returns 0 to 0.95. */
function likeness(word: string, candidate: string): number {
  const allowed = mistakes(word);
  if (allowed === 0) return 0;
  const similar = trigramSimilarity(word, candidate);
  const off =
    Math.abs(word.length - candidate.length) <= allowed ? editDistance(word, candidate) : Number.POSITIVE_INFINITY;
  const right = off <= allowed ? 1 - off / Math.max(word.length, candidate.length) : 0;
  const alike = Math.max(similar >= 0.4 ? similar : 0, right);
  return alike && 0.35 + 0.6 * alike;
}

function among({ text, same, likely, isPrefix }: TermWord, field: string[]): number {
  const forms = [text, ...same];
  if (forms.some((form) => field.includes(form) || field.includes(unifyWord(form)))) return 1;
  if (likely.some((form) => field.includes(form) || field.includes(unifyWord(form)))) return 0.9;
  return isPrefix && field.some((word) => word.startsWith(text)) ? 0.9 : 0;
}
