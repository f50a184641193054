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
// Written 2026-11-27 by bench/train-matching.ts from geoer_fsq_edi_fullcity, geoer_fsq_sin, geoer_yelp_edi_fullcity, geoer_yelp_sin_fullcity, fodors_zagats, overture_3k_dev, by published labels.
export const WEIGHTS: Record<"placed" | "unplaced", Weights> = {
  placed: {
    bias: -5.94,
    curves: {
      trigrams: { at: [0, 0.3, 0.5, 0.7, 1], adds: [0, 0.03, 2.01, 3.71, 4.85] },
      sound: { at: [0, 0.6, 0.8, 1], adds: [0, 0, 5.5, 6] },
      contained: { at: [0, 0.5, 0.8, 1], adds: [0, 0.09, 0.29, 0.57] },
      shared: { at: [0, 0.5, 0.8, 1], adds: [0, 1.37, 2.36, 2.36] },
      firstWord: { at: [0, 0.5, 0.8, 1], adds: [0, 1, 1.14, 1.15] },
      acronym: { at: [0, 1], adds: [0, 1.4] },
      telling: { at: [0, 0.5, 1, 1.5, 3], adds: [0, 0.01, 0.66, 1.16, 1.33] },
      sameKind: { at: [0, 1], adds: [0, 0.58] },
      otherKind: { at: [0, 1], adds: [0, -1.47] },
      extraTrade: { at: [0, 1], adds: [0, -0.71] },
      extraDepartment: { at: [0, 1], adds: [0, -0.47] },
      extraBelonging: { at: [0, 1], adds: [0, -4] },
      extraStop: { at: [0, 1], adds: [0, -1.5] },
      extraKind: { at: [0, 1], adds: [0, -0.7] },
      onlyOneAt: { at: [0, 1], adds: [0, -1.32] },
      sibling: { at: [0, 1], adds: [0, -0.41] },
      otherWord: { at: [0, 1], adds: [0, -2] },
      kindWord: { at: [0, 1], adds: [0, -0.61] },
      likeWord: { at: [0, 1], adds: [0, -0.61] },
      extraWord: { at: [0, 1], adds: [0, -0.52] },
      extraBeside: { at: [0, 1], adds: [0, -0.91] },
      extraWithin: { at: [0, 1], adds: [0, -0.3] },
      tradeAlone: { at: [0, 1], adds: [0, -0.27] },
      placeAlone: { at: [0, 1], adds: [0, -0.33] },
      otherDesignation: { at: [0, 1], adds: [0, -12] },
      distance: { at: [0, 1, 2, 2.8, 3.4, 4, 5], adds: [0, 0, -0.19, -2.19, -3.3, -4.86, -7.85] },
      otherHouseNumber: { at: [0, 1], adds: [0, -0.68] },
      street: { at: [0, 0.4, 0.7, 1], adds: [0, 0, 0.63, 0.75], missing: 0.6 },
      sameAddress: { at: [0, 0.5, 1], adds: [0, 0.45, 0.45] },
      otherZip: { at: [0, 1], adds: [0, -0.05] },
      otherUnit: { at: [0, 1], adds: [0, -0.52] },
      samePhone: { at: [0, 1], adds: [0, 3] },
      otherPhone: { at: [0, 1], adds: [0, -1.2] },
      phoneAtHouse: { at: [0, 1], adds: [0, 3.5] },
      otherHere: { at: [0, 1], adds: [0, -0.26] },
      otherWebsite: { at: [0, 1], adds: [0, -0.74] },
      otherPage: { at: [0, 1], adds: [0, -1.76] },
      otherTown: { at: [0, 0.5, 1], adds: [0, -0.99, -1.63] },
      rival: { at: [-4, -2, -1, 0, 0.4, 2], adds: [0, -0.32, -0.63, -0.89, -0.89, -1.19] },
      sameTwitter: { at: [0, 1], adds: [0, 2] },
      otherSigns: { at: [0, 1], adds: [0, -4] },
      otherHouseFar: { at: [0, 0.8, 1.6, 3], adds: [0, 0, -0.9, -1.5] },
    },
  },
  unplaced: {
    bias: -4.71,
    curves: {
      trigrams: { at: [0, 0.3, 0.5, 0.7, 1], adds: [0, 0.24, 0.24, 0.24, 0.32] },
      original: { at: [0, 0.4, 0.7, 1], adds: [0, 0.64, 0.77, 0.89] },
      contained: { at: [0, 0.5, 0.8, 1], adds: [0, 0.37, 1.04, 2.59] },
      shared: { at: [0, 0.5, 0.8, 1], adds: [0, 0, 0, 1.2] },
      firstWord: { at: [0, 0.5, 0.8, 1], adds: [0, 0.37, 1.11, 1.14] },
      telling: { at: [0, 0.5, 1, 1.5, 3], adds: [0, 0.57, 0.91, 1.33, 1.33] },
      otherKind: { at: [0, 1], adds: [0, -1.47] },
      extraTrade: { at: [0, 1], adds: [0, -0.36] },
      extraDepartment: { at: [0, 1], adds: [0, -2.03] },
      extraBelonging: { at: [0, 1], adds: [0, -1.74] },
      extraStop: { at: [0, 1], adds: [0, -0.78] },
      onlyOneAt: { at: [0, 1], adds: [0, -0.05] },
      sibling: { at: [0, 1], adds: [0, -0.18] },
      otherWord: { at: [0, 1], adds: [0, -1.74] },
      kindWord: { at: [0, 1], adds: [0, -0.48] },
      extraWord: { at: [0, 1], adds: [0, -0.26] },
      extraBeside: { at: [0, 1], adds: [0, -0.58] },
      extraNumber: { at: [0, 1], adds: [0, -0.62] },
      tradeAlone: { at: [0, 1], adds: [0, -0.4] },
      otherDesignation: { at: [0, 1], adds: [0, -0.59] },
      otherHouseNumber: { at: [0, 1], adds: [0, -1.18] },
      street: { at: [0, 0.4, 0.7, 1], adds: [0, 0, 0.63, 1.3], missing: 0.7 },
      sameAddress: { at: [0, 0.5, 1], adds: [0, 0.73, 0.99] },
      otherZip: { at: [0, 1], adds: [0, -0.26] },
      otherUnit: { at: [0, 1], adds: [0, -0.56] },
      samePhone: { at: [0, 1], adds: [0, 1.42] },
      otherPhone: { at: [0, 1], adds: [0, -0.53] },
      otherHere: { at: [0, 1], adds: [0, -1.22] },
      otherWebsite: { at: [0, 1], adds: [0, -0.5] },
      otherPage: { at: [0, 1], adds: [0, -1.55] },
      otherTown: { at: [0, 0.5, 1], adds: [0, -0.58, -1.39] },
    },
  },
};
