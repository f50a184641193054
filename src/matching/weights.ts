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
    bias: -5.82,
    curves: {
      trigrams: { at: [0, 0.3, 0.5, 0.7, 1], adds: [0, 0.05, 1.86, 3.52, 4.67] },
      sound: { at: [0, 0.6, 0.8, 1], adds: [0, 0, 5.5, 6] },
      contained: { at: [0, 0.5, 0.8, 1], adds: [0, 0.09, 0.24, 0.6] },
      shared: { at: [0, 0.5, 0.8, 1], adds: [0, 1.35, 2.36, 2.36] },
      firstWord: { at: [0, 0.5, 0.8, 1], adds: [0, 1.03, 1.16, 1.18] },
      acronym: { at: [0, 1], adds: [0, 1.37] },
      telling: { at: [0, 0.5, 1, 1.5, 3], adds: [0, 0.07, 0.6, 1.12, 1.36] },
      sameKind: { at: [0, 1], adds: [0, 0.61] },
      otherKind: { at: [0, 1], adds: [0, -1.45] },
      extraTrade: { at: [0, 1], adds: [0, -0.73] },
      extraDepartment: { at: [0, 1], adds: [0, -0.5] },
      extraBelonging: { at: [0, 1], adds: [0, -4] },
      extraStop: { at: [0, 1], adds: [0, -1.5] },
      extraKind: { at: [0, 1], adds: [0, -0.68] },
      onlyOneAt: { at: [0, 1], adds: [0, -1.31] },
      otherNumber: { at: [0, 1], adds: [0, -1.28] },
      sibling: { at: [0, 1], adds: [0, -0.2] },
      otherWord: { at: [0, 1], adds: [0, -4] },
      kindWord: { at: [0, 1], adds: [0, -0.57] },
      likeWord: { at: [0, 1], adds: [0, -2.5] },
      extraWord: { at: [0, 1], adds: [0, -0.49] },
      extraBeside: { at: [0, 1], adds: [0, -0.88] },
      extraWithin: { at: [0, 1], adds: [0, -0.24] },
      tradeAlone: { at: [0, 1], adds: [0, -0.2] },
      placeAlone: { at: [0, 1], adds: [0, -0.3] },
      otherDesignation: { at: [0, 1], adds: [0, -12] },
      distance: { at: [0, 1, 2, 2.8, 3.4, 4, 5], adds: [0, 0, -0.18, -2.19, -3.31, -4.91, -7.88] },
      otherHouseNumber: { at: [0, 1], adds: [0, -0.71] },
      street: { at: [0, 0.4, 0.7, 1], adds: [0, 0, 0.48, 0.75], missing: 0.61 },
      sameAddress: { at: [0, 0.5, 1], adds: [0, 0.42, 0.42] },
      otherZip: { at: [0, 1], adds: [0, -0.05] },
      otherUnit: { at: [0, 1], adds: [0, -0.61] },
      samePhone: { at: [0, 1], adds: [0, 3] },
      otherPhone: { at: [0, 1], adds: [0, -1.2] },
      phoneAtHouse: { at: [0, 1], adds: [0, 6] },
      otherHere: { at: [0, 1], adds: [0, -0.23] },
      otherWebsite: { at: [0, 1], adds: [0, -0.75] },
      otherPage: { at: [0, 1], adds: [0, -1.74] },
      otherTown: { at: [0, 0.5, 1], adds: [0, -0.99, -1.63] },
      rival: { at: [-4, -2, -1, 0, 0.4, 2], adds: [0, -0.35, -0.66, -0.92, -0.92, -1.21] },
      sameTwitter: { at: [0, 1], adds: [0, 2] },
      otherSigns: { at: [0, 1], adds: [0, -4] },
      otherHouseFar: { at: [0, 0.8, 1.6, 3], adds: [0, 0, -0.9, -1.5] },
      extraNumber: { at: [0, 1], adds: [0, -1] },
      possiblePart: { at: [0, 1], adds: [0, -2.9] },
    },
  },
  unplaced: {
    bias: -4.88,
    curves: {
      trigrams: { at: [0, 0.3, 0.5, 0.7, 1], adds: [0, 0.23, 0.23, 0.23, 0.4] },
      original: { at: [0, 0.4, 0.7, 1], adds: [0, 0.66, 0.83, 0.95] },
      contained: { at: [0, 0.5, 0.8, 1], adds: [0, 0.35, 0.91, 2.68] },
      shared: { at: [0, 0.5, 0.8, 1], adds: [0, 0, 0, 1.22] },
      firstWord: { at: [0, 0.5, 0.8, 1], adds: [0, 0.34, 1.07, 1.17] },
      telling: { at: [0, 0.5, 1, 1.5, 3], adds: [0, 0.57, 0.87, 1.28, 1.28] },
      otherKind: { at: [0, 1], adds: [0, -1.36] },
      extraTrade: { at: [0, 1], adds: [0, -0.4] },
      extraDepartment: { at: [0, 1], adds: [0, -2.07] },
      extraBelonging: { at: [0, 1], adds: [0, -1.79] },
      extraStop: { at: [0, 1], adds: [0, -0.8] },
      onlyOneAt: { at: [0, 1], adds: [0, -0.02] },
      otherNumber: { at: [0, 1], adds: [0, -0.04] },
      sibling: { at: [0, 1], adds: [0, -0.15] },
      otherWord: { at: [0, 1], adds: [0, -1.57] },
      kindWord: { at: [0, 1], adds: [0, -0.35] },
      extraWord: { at: [0, 1], adds: [0, -0.15] },
      extraBeside: { at: [0, 1], adds: [0, -0.44] },
      extraNumber: { at: [0, 1], adds: [0, -0.52] },
      tradeAlone: { at: [0, 1], adds: [0, -0.29] },
      otherDesignation: { at: [0, 1], adds: [0, -0.53] },
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
