import type { ComparisonName } from "./compare.ts";

/** What a comparison adds to the log-odds: `adds` at the values `at`, linear in between. `missing`: 0 by default. */
export interface Curve {
  at: number[];
  adds: number[];
  missing?: number;
}

export interface Weights {
  bias: number;
  curves: Partial<Record<ComparisonName, Curve>>;
}

// ─── written
// Written 2026-11-23 by bench/train-matching.ts from geoer_fsq_edi_fullcity, geoer_fsq_sin, geoer_yelp_edi_fullcity, geoer_yelp_sin_fullcity, fodors_zagats, overture_3k_dev, by published labels.
export const WEIGHTS: Record<"placed" | "unplaced", Weights> = {
  placed: {
    bias: -6,
    curves: {
      trigrams: { at: [0, 0.3, 0.5, 0.7, 1], adds: [0, 0.03, 2.03, 3.72, 4.87] },
      sound: { at: [0, 0.6, 0.8, 1], adds: [0, 0, 5.5, 6] },
      contained: { at: [0, 0.5, 0.8, 1], adds: [0, 0.08, 0.24, 0.59] },
      shared: { at: [0, 0.5, 0.8, 1], adds: [0, 1.33, 2.35, 2.35] },
      firstWord: { at: [0, 0.5, 0.8, 1], adds: [0, 1.05, 1.18, 1.18] },
      acronym: { at: [0, 1], adds: [0, 1.38] },
      telling: { at: [0, 0.5, 1, 1.5, 3], adds: [0, 0.07, 0.62, 1.14, 1.36] },
      sameKind: { at: [0, 1], adds: [0, 0.57] },
      otherKind: { at: [0, 1], adds: [0, -1.46] },
      extraTrade: { at: [0, 1], adds: [0, -0.73] },
      extraDepartment: { at: [0, 1], adds: [0, -0.5] },
      extraBelonging: { at: [0, 1], adds: [0, -4] },
      extraStop: { at: [0, 1], adds: [0, -1.5] },
      extraKind: { at: [0, 1], adds: [0, -0.71] },
      onlyOneAt: { at: [0, 1], adds: [0, -1.32] },
      sibling: { at: [0, 1], adds: [0, -0.28] },
      otherWord: { at: [0, 1], adds: [0, -4] },
      kindWord: { at: [0, 1], adds: [0, -0.53] },
      likeWord: { at: [0, 1], adds: [0, -0.48] },
      extraWord: { at: [0, 1], adds: [0, -0.47] },
      extraBeside: { at: [0, 1], adds: [0, -0.85] },
      extraWithin: { at: [0, 1], adds: [0, -0.27] },
      tradeAlone: { at: [0, 1], adds: [0, -0.21] },
      placeAlone: { at: [0, 1], adds: [0, -0.3] },
      otherDesignation: { at: [0, 1], adds: [0, -12] },
      distance: { at: [0, 1, 2, 2.8, 3.4, 4, 5], adds: [0, 0, -0.19, -2.19, -3.3, -4.91, -7.88] },
      otherHouseNumber: { at: [0, 1], adds: [0, -0.71] },
      street: { at: [0, 0.4, 0.7, 1], adds: [0, 0, 0.47, 0.76], missing: 0.61 },
      sameAddress: { at: [0, 0.5, 1], adds: [0, 0.42, 0.42] },
      otherZip: { at: [0, 1], adds: [0, -0.04] },
      otherUnit: { at: [0, 1], adds: [0, -0.6] },
      samePhone: { at: [0, 1], adds: [0, 3] },
      otherPhone: { at: [0, 1], adds: [0, -1.2] },
      phoneAtHouse: { at: [0, 1], adds: [0, 6] },
      otherHere: { at: [0, 1], adds: [0, -0.2] },
      otherWebsite: { at: [0, 1], adds: [0, -0.75] },
      otherPage: { at: [0, 1], adds: [0, -1.76] },
      otherTown: { at: [0, 0.5, 1], adds: [0, -0.99, -1.64] },
      rival: { at: [-4, -2, -1, 0, 0.4, 2], adds: [0, -0.35, -0.68, -0.93, -0.94, -1.21] },
      sameTwitter: { at: [0, 1], adds: [0, 2] },
      otherSigns: { at: [0, 1], adds: [0, -4] },
      otherHouseFar: { at: [0, 0.8, 1.6, 3], adds: [0, 0, -0.9, -1.5] },
      extraNumber: { at: [0, 1], adds: [0, -1] },
      possiblePart: { at: [0, 1], adds: [0, -2.9] },
    },
  },
  unplaced: {
    bias: -4.87,
    curves: {
      trigrams: { at: [0, 0.3, 0.5, 0.7, 1], adds: [0, 0.23, 0.23, 0.23, 0.4] },
      original: { at: [0, 0.4, 0.7, 1], adds: [0, 0.66, 0.83, 0.95] },
      contained: { at: [0, 0.5, 0.8, 1], adds: [0, 0.35, 0.91, 2.68] },
      shared: { at: [0, 0.5, 0.8, 1], adds: [0, 0, 0, 1.23] },
      firstWord: { at: [0, 0.5, 0.8, 1], adds: [0, 0.34, 1.07, 1.16] },
      telling: { at: [0, 0.5, 1, 1.5, 3], adds: [0, 0.57, 0.87, 1.28, 1.28] },
      otherKind: { at: [0, 1], adds: [0, -1.36] },
      extraTrade: { at: [0, 1], adds: [0, -0.4] },
      extraDepartment: { at: [0, 1], adds: [0, -2.07] },
      extraBelonging: { at: [0, 1], adds: [0, -1.79] },
      extraStop: { at: [0, 1], adds: [0, -0.79] },
      onlyOneAt: { at: [0, 1], adds: [0, -0.02] },
      sibling: { at: [0, 1], adds: [0, -0.16] },
      otherWord: { at: [0, 1], adds: [0, -1.57] },
      kindWord: { at: [0, 1], adds: [0, -0.35] },
      extraWord: { at: [0, 1], adds: [0, -0.15] },
      extraBeside: { at: [0, 1], adds: [0, -0.44] },
      extraNumber: { at: [0, 1], adds: [0, -0.52] },
      tradeAlone: { at: [0, 1], adds: [0, -0.29] },
      otherDesignation: { at: [0, 1], adds: [0, -0.54] },
      otherHouseNumber: { at: [0, 1], adds: [0, -1.18] },
      street: { at: [0, 0.4, 0.7, 1], adds: [0, 0, 0.45, 1.23], missing: 0.74 },
      sameAddress: { at: [0, 0.5, 1], adds: [0, 0.61, 0.99] },
      otherZip: { at: [0, 1], adds: [0, -0.3] },
      otherUnit: { at: [0, 1], adds: [0, -0.57] },
      samePhone: { at: [0, 1], adds: [0, 1.43] },
      otherPhone: { at: [0, 1], adds: [0, -0.52] },
      otherHere: { at: [0, 1], adds: [0, -1.08] },
      otherWebsite: { at: [0, 1], adds: [0, -0.49] },
      otherPage: { at: [0, 1], adds: [0, -1.54] },
      otherTown: { at: [0, 0.5, 1], adds: [0, -0.55, -1.4] },
    },
  },
};
