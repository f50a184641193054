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
// Written 2026-11-23 by bench/train-matching.ts from geoer_fsq_edi_fullcity, geoer_fsq_sin, geoer_yelp_edi_fullcity, geoer_yelp_sin_fullcity, fodors_zagats, overture_3k_dev.
export const WEIGHTS: Record<"placed" | "unplaced", Weights> = {
  placed: {
    bias: -5.83,
    curves: {
      trigrams: { at: [0, 0.3, 0.5, 0.7, 1], adds: [0, 0.06, 1.83, 3.49, 4.53] },
      sound: { at: [0, 0.6, 0.8, 1], adds: [0, 0, 5.5, 6] },
      contained: { at: [0, 0.5, 0.8, 1], adds: [0, 0.16, 0.35, 0.69] },
      shared: { at: [0, 0.5, 0.8, 1], adds: [0, 1.4, 2.43, 2.43] },
      firstWord: { at: [0, 0.5, 0.8, 1], adds: [0, 1.03, 1.07, 1.19] },
      acronym: { at: [0, 1], adds: [0, 1.41] },
      telling: { at: [0, 0.5, 1, 1.5, 3], adds: [0, 0.05, 0.59, 1.11, 1.35] },
      sameKind: { at: [0, 1], adds: [0, 0.61] },
      otherKind: { at: [0, 1], adds: [0, -1.43] },
      extraTrade: { at: [0, 1], adds: [0, -0.72] },
      extraDepartment: { at: [0, 1], adds: [0, -0.51] },
      extraBelonging: { at: [0, 1], adds: [0, -4] },
      extraStop: { at: [0, 1], adds: [0, -1.5] },
      extraKind: { at: [0, 1], adds: [0, -0.69] },
      onlyOneAt: { at: [0, 1], adds: [0, -1.3] },
      otherNumber: { at: [0, 1], adds: [0, -1.34] },
      sibling: { at: [0, 1], adds: [0, -0.22] },
      otherWord: { at: [0, 1], adds: [0, -4] },
      kindWord: { at: [0, 1], adds: [0, -0.68] },
      likeWord: { at: [0, 1], adds: [0, -2.5] },
      extraWord: { at: [0, 1], adds: [0, -0.59] },
      extraBeside: { at: [0, 1], adds: [0, -0.96] },
      extraWithin: { at: [0, 1], adds: [0, -0.29] },
      tradeAlone: { at: [0, 1], adds: [0, -0.33] },
      placeAlone: { at: [0, 1], adds: [0, -0.58] },
      otherDesignation: { at: [0, 1], adds: [0, -12] },
      distance: { at: [0, 1, 2, 2.8, 3.4, 4, 5], adds: [0, 0, -0.19, -2.2, -3.31, -4.92, -7.89] },
      otherHouseNumber: { at: [0, 1], adds: [0, -0.73] },
      otherHouseFar: { at: [0, 0.8, 1.6, 3], adds: [0, 0, -0.9, -1.5] },
      street: { at: [0, 0.4, 0.7, 1], adds: [0, 0, 0.48, 0.76], missing: 0.6 },
      sameAddress: { at: [0, 0.5, 1], adds: [0, 0.43, 0.43] },
      otherZip: { at: [0, 1], adds: [0, -0.05] },
      otherUnit: { at: [0, 1], adds: [0, -0.59] },
      samePhone: { at: [0, 1], adds: [0, 3] },
      otherPhone: { at: [0, 1], adds: [0, -1.2] },
      phoneAtHouse: { at: [0, 1], adds: [0, 6] },
      otherHere: { at: [0, 1], adds: [0, -0.4] },
      otherWebsite: { at: [0, 1], adds: [0, -0.74] },
      otherPage: { at: [0, 1], adds: [0, -1.74] },
      otherTown: { at: [0, 0.5, 1], adds: [0, -0.98, -1.63] },
      rival: { at: [-4, -2, -1, 0, 0.4, 2], adds: [0, -0.34, -0.64, -0.91, -0.91, -1.2] },
      sameTwitter: { at: [0, 1], adds: [0, 2] },
      otherSigns: { at: [0, 1], adds: [0, -4] },
      extraNumber: { at: [0, 1], adds: [0, -1] },
    },
  },
  unplaced: {
    bias: -5.09,
    curves: {
      trigrams: { at: [0, 0.3, 0.5, 0.7, 1], adds: [0, 0.23, 0.23, 0.23, 0.39] },
      original: { at: [0, 0.4, 0.7, 1], adds: [0, 0.63, 0.8, 0.94] },
      contained: { at: [0, 0.5, 0.8, 1], adds: [0, 0.45, 1.17, 2.82] },
      shared: { at: [0, 0.5, 0.8, 1], adds: [0, 0, 0, 1.21] },
      firstWord: { at: [0, 0.5, 0.8, 1], adds: [0, 0.33, 1.05, 1.2] },
      telling: { at: [0, 0.5, 1, 1.5, 3], adds: [0, 0.63, 0.96, 1.34, 1.34] },
      otherKind: { at: [0, 1], adds: [0, -1.45] },
      extraTrade: { at: [0, 1], adds: [0, -0.34] },
      extraDepartment: { at: [0, 1], adds: [0, -2.03] },
      extraBelonging: { at: [0, 1], adds: [0, -1.79] },
      extraStop: { at: [0, 1], adds: [0, -0.78] },
      onlyOneAt: { at: [0, 1], adds: [0, -0.03] },
      otherNumber: { at: [0, 1], adds: [0, -0.08] },
      sibling: { at: [0, 1], adds: [0, -0.2] },
      otherWord: { at: [0, 1], adds: [0, -1.53] },
      kindWord: { at: [0, 1], adds: [0, -0.41] },
      extraWord: { at: [0, 1], adds: [0, -0.19] },
      extraBeside: { at: [0, 1], adds: [0, -0.48] },
      extraNumber: { at: [0, 1], adds: [0, -0.52] },
      tradeAlone: { at: [0, 1], adds: [0, -0.35] },
      otherDesignation: { at: [0, 1], adds: [0, -0.56] },
      otherHouseNumber: { at: [0, 1], adds: [0, -1.18] },
      street: { at: [0, 0.4, 0.7, 1], adds: [0, 0, 0.45, 1.23], missing: 0.73 },
      sameAddress: { at: [0, 0.5, 1], adds: [0, 0.62, 1] },
      otherZip: { at: [0, 1], adds: [0, -0.3] },
      otherUnit: { at: [0, 1], adds: [0, -0.55] },
      samePhone: { at: [0, 1], adds: [0, 1.43] },
      otherPhone: { at: [0, 1], adds: [0, -0.54] },
      otherHere: { at: [0, 1], adds: [0, -1.01] },
      otherWebsite: { at: [0, 1], adds: [0, -0.46] },
      otherPage: { at: [0, 1], adds: [0, -1.55] },
      otherTown: { at: [0, 0.5, 1], adds: [0, -0.56, -1.41] },
    },
  },
};
