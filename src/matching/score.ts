import type { Comparisons } from "./compare.ts";

/** What moved the score: `weight` in log-odds, above 0 for the match, below 0 against it. `text` says it to people. */
export interface Evidence {
  comparison: string;
  weight: number;
  text: string;
}

/** The chance, 0 to 1, that two records with these comparisons are one spot. */
export function scoreOf(comparisons: Comparisons): number {
  return logistic(COMPARISONS.reduce((sum, name) => sum + WEIGHTS[name] * comparisons[name], BIAS));
}

/** What moved the score most, weightiest first. Comparisons of one thing, such as the names, are told as one. */
export function evidenceOf(comparisons: Comparisons): Evidence[] {
  return Object.entries(SUBJECTS)
    .map(([comparison, { parts, say }]) => {
      const weight = parts.reduce((sum, part) => sum + WEIGHTS[part] * comparisons[part], 0);
      return { comparison, weight: round(weight), text: say(comparisons) };
    })
    .filter(({ weight }) => Math.abs(weight) >= 0.1)
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
}

/**
 * Log-odds. Fitted 2026-11-21 by logistic regression with the signs held, on listings of OpenStreetMap against the venues
 * of Foursquare and Yelp in Edinburgh and Singapore (the Geo-ER sets), with the candidates that the directory would find.
 * Fitted on one city and measured on the other, cut 0.5: F1 .943 and .943 in Edinburgh, .871 and .900 in Singapore (whose
 * labels allow about .92); right venue first in .990, .991, .979 and .981; mean calibration error .013 to .032. Those sets
 * hold no telephones and handles and hardly a postal code: the four weights for them are set by hand.
 */
const WEIGHTS: Record<keyof Comparisons, number> = {
  nameLikeness: 1.88,
  nameContained: 2.31,
  nameCovered: 5.54,
  sameName: 0.38,
  partOfOther: -0.6,
  onlyOneAt: -1.8,
  otherNumber: -1.58,
  distance: -1.7,
  far: -1.73,
  houseNumberAgrees: 0.33,
  houseNumberDiffers: -0.9,
  streetLikeness: 0.13,
  streetDiffers: -0.93,
  sameZip: 0.2,
  samePhone: 3,
  otherPhone: -1.2,
  sameTwitter: 2,
};
const BIAS = -3.85;

const COMPARISONS = Object.keys(WEIGHTS) as (keyof Comparisons)[];

const percent = (value: number) => `${Math.round(100 * value)} %`;

/** The comparisons by what they are about, and the words for each. */
const SUBJECTS: Record<string, { parts: (keyof Comparisons)[]; say: (comparisons: Comparisons) => string }> = {
  name: {
    parts: ["nameLikeness", "nameContained", "nameCovered", "sameName"],
    say: ({ sameName, nameLikeness }) => (sameName ? "same name" : `names ${percent(nameLikeness)} alike`),
  },
  distance: {
    parts: ["distance", "far"],
    say: ({ distance }) => `${Math.round(25 * Math.expm1(distance))} m apart`,
  },
  partOfOther: { parts: ["partOfOther"], say: () => "one name may be a part of the other place" },
  onlyOneAt: { parts: ["onlyOneAt"], say: () => "one is at a place, the other is the place" },
  otherNumber: { parts: ["otherNumber"], say: () => "other number in the name" },
  houseNumber: {
    parts: ["houseNumberAgrees", "houseNumberDiffers"],
    say: ({ houseNumberAgrees }) => (houseNumberAgrees ? "same house number" : "other house number"),
  },
  street: {
    parts: ["streetLikeness", "streetDiffers"],
    say: ({ streetLikeness }) => (streetLikeness > 0.8 ? "same street" : "other street"),
  },
  zip: { parts: ["sameZip"], say: () => "same postal code" },
  phone: {
    parts: ["samePhone", "otherPhone"],
    say: ({ samePhone }) => (samePhone ? "same phone" : "other phone"),
  },
  twitter: { parts: ["sameTwitter"], say: () => "same Twitter name" },
};

const logistic = (logit: number) => 1 / (1 + Math.exp(-logit));
const round = (value: number) => Math.round(value * 100) / 100;
