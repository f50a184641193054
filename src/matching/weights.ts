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
    bias: -5.84,
    curves: {
      trigrams: { at: [0, 0.3, 0.5, 0.7, 1], adds: [0, 0.03, 2, 3.69, 4.83] },
      sound: { at: [0, 0.6, 0.8, 1], adds: [0, 0, 5.5, 6] },
      contained: { at: [0, 0.5, 0.8, 1], adds: [0, 0.02, 0.2, 0.49] },
      shared: { at: [0, 0.5, 0.8, 1], adds: [0, 1.35, 2.36, 2.36] },
      firstWord: { at: [0, 0.5, 0.8, 1], adds: [0, 1, 1.14, 1.15] },
      acronym: { at: [0, 1], adds: [0, 1.39] },
      telling: { at: [0, 0.5, 1, 1.5, 3], adds: [0, 0.01, 0.66, 1.16, 1.32] },
      sameKind: { at: [0, 1], adds: [0, 0.58] },
      otherKind: { at: [0, 1], adds: [0, -1.47] },
      extraTrade: { at: [0, 1], adds: [0, -0.72] },
      extraDepartment: { at: [0, 1], adds: [0, -0.48] },
      extraBelonging: { at: [0, 1], adds: [0, -4] },
      extraStop: { at: [0, 1], adds: [0, -1.5] },
      extraKind: { at: [0, 1], adds: [0, -0.71] },
      onlyOneAt: { at: [0, 1], adds: [0, -1.33] },
      sibling: { at: [0, 1], adds: [0, -0.31] },
      otherWord: { at: [0, 1], adds: [0, -2] },
      kindWord: { at: [0, 1], adds: [0, -0.6] },
      likeWord: { at: [0, 1], adds: [0, -0.6] },
      extraWord: { at: [0, 1], adds: [0, -0.5] },
      extraBeside: { at: [0, 1], adds: [0, -0.89] },
      extraWithin: { at: [0, 1], adds: [0, -0.3] },
      tradeAlone: { at: [0, 1], adds: [0, -0.25] },
      placeAlone: { at: [0, 1], adds: [0, -0.35] },
      otherDesignation: { at: [0, 1], adds: [0, -12] },
      distance: { at: [0, 1, 2, 2.8, 3.4, 4, 5], adds: [0, 0, -0.19, -2.2, -3.3, -4.87, -7.86] },
      otherHouseNumber: { at: [0, 1], adds: [0, -0.69] },
      street: { at: [0, 0.4, 0.7, 1], adds: [0, 0, 0.48, 0.75], missing: 0.6 },
      sameAddress: { at: [0, 0.5, 1], adds: [0, 0.44, 0.44] },
      otherZip: { at: [0, 1], adds: [0, -0.06] },
      otherUnit: { at: [0, 1], adds: [0, -0.51] },
      samePhone: { at: [0, 1], adds: [0, 3] },
      otherPhone: { at: [0, 1], adds: [0, -1.2] },
      phoneAtHouse: { at: [0, 1], adds: [0, 3.5] },
      otherHere: { at: [0, 1], adds: [0, -0.26] },
      otherWebsite: { at: [0, 1], adds: [0, -0.75] },
      otherPage: { at: [0, 1], adds: [0, -1.76] },
      otherTown: { at: [0, 0.5, 1], adds: [0, -0.98, -1.61] },
      rival: { at: [-4, -2, -1, 0, 0.4, 2], adds: [0, -0.33, -0.64, -0.89, -0.9, -1.19] },
      sameTwitter: { at: [0, 1], adds: [0, 2] },
      otherSigns: { at: [0, 1], adds: [0, -4] },
      otherHouseFar: { at: [0, 0.8, 1.6, 3], adds: [0, 0, -0.9, -1.5] },
    },
  },
  unplaced: {
    bias: -4.72,
    curves: {
      trigrams: { at: [0, 0.3, 0.5, 0.7, 1], adds: [0, 0.24, 0.24, 0.24, 0.34] },
      original: { at: [0, 0.4, 0.7, 1], adds: [0, 0.63, 0.78, 0.89] },
      contained: { at: [0, 0.5, 0.8, 1], adds: [0, 0.37, 1.08, 2.65] },
      shared: { at: [0, 0.5, 0.8, 1], adds: [0, 0, 0, 1.16] },
      firstWord: { at: [0, 0.5, 0.8, 1], adds: [0, 0.36, 1.1, 1.14] },
      telling: { at: [0, 0.5, 1, 1.5, 3], adds: [0, 0.58, 0.9, 1.31, 1.31] },
      otherKind: { at: [0, 1], adds: [0, -1.47] },
      extraTrade: { at: [0, 1], adds: [0, -0.35] },
      extraDepartment: { at: [0, 1], adds: [0, -2.03] },
      extraBelonging: { at: [0, 1], adds: [0, -1.77] },
      extraStop: { at: [0, 1], adds: [0, -0.77] },
      onlyOneAt: { at: [0, 1], adds: [0, -0.04] },
      sibling: { at: [0, 1], adds: [0, -0.21] },
      otherWord: { at: [0, 1], adds: [0, -1.71] },
      kindWord: { at: [0, 1], adds: [0, -0.47] },
      extraWord: { at: [0, 1], adds: [0, -0.29] },
      extraBeside: { at: [0, 1], adds: [0, -0.54] },
      extraNumber: { at: [0, 1], adds: [0, -0.64] },
      tradeAlone: { at: [0, 1], adds: [0, -0.42] },
      otherDesignation: { at: [0, 1], adds: [0, -0.59] },
      otherHouseNumber: { at: [0, 1], adds: [0, -1.21] },
      street: { at: [0, 0.4, 0.7, 1], adds: [0, 0, 0.44, 1.25], missing: 0.71 },
      sameAddress: { at: [0, 0.5, 1], adds: [0, 0.73, 0.99] },
      otherZip: { at: [0, 1], adds: [0, -0.26] },
      otherUnit: { at: [0, 1], adds: [0, -0.56] },
      samePhone: { at: [0, 1], adds: [0, 1.44] },
      otherPhone: { at: [0, 1], adds: [0, -0.53] },
      otherHere: { at: [0, 1], adds: [0, -1.19] },
      otherWebsite: { at: [0, 1], adds: [0, -0.48] },
      otherPage: { at: [0, 1], adds: [0, -1.55] },
      otherTown: { at: [0, 0.5, 1], adds: [0, -0.56, -1.36] },
    },
  },
};
