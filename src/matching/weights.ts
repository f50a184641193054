import type { ComparisonName } from "./compare.ts";

/** What a comparison adds to the log-odds: straight lines between points, and what is added where it is missing. */
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
// Written 2026-11-22 by bench/train-matching.ts from geoer_fsq_edi_fullcity, geoer_fsq_sin, geoer_yelp_edi_fullcity, geoer_yelp_sin_fullcity, fodors_zagats, overture_3k_dev.
export const WEIGHTS: Record<"placed" | "unplaced", Weights> = {
  placed: {
    bias: -7.06,
    curves: {
      trigrams: { at: [0, 0.3, 0.5, 0.7, 1], adds: [0, 0.12, 2.15, 3.68, 4.91] },
      contained: { at: [0, 0.5, 0.8, 1], adds: [0, 0.5, 1.02, 1.34] },
      shared: { at: [0, 0.5, 0.8, 1], adds: [0, 1.25, 2.25, 2.68] },
      firstWord: { at: [0, 0.5, 0.8, 1], adds: [0, 1.07, 1.21, 1.21] },
      acronym: { at: [0, 1], adds: [0, 1.33] },
      telling: { at: [0, 0.5, 1, 1.5, 3], adds: [0, 0.08, 0.59, 1.05, 1.28] },
      sameKind: { at: [0, 1], adds: [0, 0.5] },
      otherKind: { at: [0, 1], adds: [0, -1.54] },
      extraTrade: { at: [0, 1], adds: [0, -0.55] },
      extraDepartment: { at: [0, 1], adds: [0, -0.56] },
      extraBelonging: { at: [0, 1], adds: [0, -4] },
      extraStop: { at: [0, 1], adds: [0, -1.5] },
      extraKind: { at: [0, 1], adds: [0, -0.73] },
      onlyOneAt: { at: [0, 1], adds: [0, -1.34] },
      otherNumber: { at: [0, 1], adds: [0, -1.6] },
      otherDesignation: { at: [0, 1], adds: [0, -12] },
      distance: { at: [0, 1, 2, 2.8, 3.4, 4, 5], adds: [0, 0, -0.23, -2.24, -3.32, -4.91, -7.89] },
      otherHouseNumber: { at: [0, 1], adds: [0, -0.72] },
      street: { at: [0, 0.4, 0.7, 1], adds: [0, 0, 0.4, 0.77], missing: 0.61 },
      sameAddress: { at: [0, 0.5, 1], adds: [0, 0.52, 0.52] },
      otherZip: { at: [0, 1], adds: [0, -0.08] },
      otherUnit: { at: [0, 1], adds: [0, -0.56] },
      samePhone: { at: [0, 1], adds: [0, 3] },
      otherPhone: { at: [0, 1], adds: [0, -1.2] },
      otherWebsite: { at: [0, 1], adds: [0, -0.78] },
      otherPage: { at: [0, 1], adds: [0, -1.68] },
      otherTown: { at: [0, 0.5, 1], adds: [0, -1.01, -1.7] },
      rival: { at: [-4, -2, -1, 0, 0.4, 2], adds: [0, -0.41, -0.75, -0.95, -0.95, -1.26] },
      sameTwitter: { at: [0, 1], adds: [0, 2] },
    },
  },
  unplaced: {
    bias: -6.11,
    curves: {
      trigrams: { at: [0, 0.3, 0.5, 0.7, 1], adds: [0, 0.29, 0.29, 0.29, 0.46] },
      original: { at: [0, 0.4, 0.7, 1], adds: [0, 0.62, 0.85, 0.99] },
      contained: { at: [0, 0.5, 0.8, 1], adds: [0, 0.46, 1.42, 3.61] },
      shared: { at: [0, 0.5, 0.8, 1], adds: [0, 0, 0, 1.4] },
      firstWord: { at: [0, 0.5, 0.8, 1], adds: [0, 0.46, 1.12, 1.12] },
      telling: { at: [0, 0.5, 1, 1.5, 3], adds: [0, 0.65, 0.97, 1.29, 1.3] },
      otherKind: { at: [0, 1], adds: [0, -1.57] },
      extraTrade: { at: [0, 1], adds: [0, -0.35] },
      extraDepartment: { at: [0, 1], adds: [0, -2.08] },
      extraBelonging: { at: [0, 1], adds: [0, -1.88] },
      extraStop: { at: [0, 1], adds: [0, -0.8] },
      onlyOneAt: { at: [0, 1], adds: [0, -0.01] },
      otherNumber: { at: [0, 1], adds: [0, -0.37] },
      sibling: { at: [0, 1], adds: [0, -0.37] },
      otherDesignation: { at: [0, 1], adds: [0, -12] },
      otherHouseNumber: { at: [0, 1], adds: [0, -1.17] },
      street: { at: [0, 0.4, 0.7, 1], adds: [0, 0, 0.46, 1.18], missing: 0.76 },
      sameAddress: { at: [0, 0.5, 1], adds: [0, 0.7, 1.04] },
      otherZip: { at: [0, 1], adds: [0, -0.31] },
      otherUnit: { at: [0, 1], adds: [0, -0.46] },
      samePhone: { at: [0, 1], adds: [0, 1.47] },
      otherPhone: { at: [0, 1], adds: [0, -0.55] },
      otherWebsite: { at: [0, 1], adds: [0, -0.46] },
      otherPage: { at: [0, 1], adds: [0, -1.52] },
      otherTown: { at: [0, 0.5, 1], adds: [0, -0.54, -1.38] },
    },
  },
};
