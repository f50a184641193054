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
    bias: -6.95,
    curves: {
      trigrams: { at: [0, 0.3, 0.5, 0.7, 1], adds: [0, 0.11, 2.07, 3.6, 4.81] },
      contained: { at: [0, 0.5, 0.8, 1], adds: [0, 0.52, 0.99, 1.33] },
      shared: { at: [0, 0.5, 0.8, 1], adds: [0, 1.25, 2.28, 2.71] },
      firstWord: { at: [0, 0.5, 0.8, 1], adds: [0, 1.07, 1.21, 1.21] },
      acronym: { at: [0, 1], adds: [0, 1.35] },
      telling: { at: [0, 0.5, 1, 1.5, 3], adds: [0, 0.07, 0.6, 1.03, 1.3] },
      sameKind: { at: [0, 1], adds: [0, 0.51] },
      otherKind: { at: [0, 1], adds: [0, -1.54] },
      extraTrade: { at: [0, 1], adds: [0, -0.57] },
      extraDepartment: { at: [0, 1], adds: [0, -1.03] },
      extraBelonging: { at: [0, 1], adds: [0, -4] },
      extraStop: { at: [0, 1], adds: [0, -1.5] },
      extraKind: { at: [0, 1], adds: [0, -0.65] },
      onlyOneAt: { at: [0, 1], adds: [0, -1.34] },
      otherNumber: { at: [0, 1], adds: [0, -1.62] },
      distance: { at: [0, 1, 2, 2.8, 3.4, 4, 5], adds: [0, 0, -0.25, -2.25, -3.34, -4.93, -7.91] },
      otherHouseNumber: { at: [0, 1], adds: [0, -0.72] },
      street: { at: [0, 0.4, 0.7, 1], adds: [0, 0, 0.39, 0.77], missing: 0.6 },
      sameAddress: { at: [0, 0.5, 1], adds: [0, 0.52, 0.52] },
      otherZip: { at: [0, 1], adds: [0, -0.07] },
      otherUnit: { at: [0, 1], adds: [0, -0.54] },
      samePhone: { at: [0, 1], adds: [0, 3] },
      otherPhone: { at: [0, 1], adds: [0, -1.2] },
      otherWebsite: { at: [0, 1], adds: [0, -0.8] },
      otherPage: { at: [0, 1], adds: [0, -1.69] },
      otherTown: { at: [0, 0.5, 1], adds: [0, -1.04, -1.73] },
      rival: { at: [-4, -2, -1, 0, 0.4, 2], adds: [0, -0.42, -0.73, -0.94, -0.94, -1.22] },
      sameTwitter: { at: [0, 1], adds: [0, 2] },
    },
  },
  unplaced: {
    bias: -6.21,
    curves: {
      trigrams: { at: [0, 0.3, 0.5, 0.7, 1], adds: [0, 0.32, 0.32, 0.32, 0.44] },
      original: { at: [0, 0.4, 0.7, 1], adds: [0, 0.66, 0.93, 1.06] },
      contained: { at: [0, 0.5, 0.8, 1], adds: [0, 0.5, 1.43, 3.64] },
      shared: { at: [0, 0.5, 0.8, 1], adds: [0, 0, 0, 1.52] },
      firstWord: { at: [0, 0.5, 0.8, 1], adds: [0, 0.47, 1.14, 1.14] },
      telling: { at: [0, 0.5, 1, 1.5, 3], adds: [0, 0.65, 0.96, 1.21, 1.27] },
      otherKind: { at: [0, 1], adds: [0, -1.55] },
      extraTrade: { at: [0, 1], adds: [0, -0.23] },
      extraDepartment: { at: [0, 1], adds: [0, -2.07] },
      extraBelonging: { at: [0, 1], adds: [0, -1.83] },
      extraStop: { at: [0, 1], adds: [0, -0.8] },
      extraKind: { at: [0, 1], adds: [0, -0.29] },
      onlyOneAt: { at: [0, 1], adds: [0, -0.03] },
      otherNumber: { at: [0, 1], adds: [0, -0.51] },
      otherHouseNumber: { at: [0, 1], adds: [0, -1.14] },
      street: { at: [0, 0.4, 0.7, 1], adds: [0, 0, 0.47, 1.14], missing: 0.7 },
      sameAddress: { at: [0, 0.5, 1], adds: [0, 0.72, 1.06] },
      otherZip: { at: [0, 1], adds: [0, -0.33] },
      otherUnit: { at: [0, 1], adds: [0, -0.25] },
      samePhone: { at: [0, 1], adds: [0, 1.48] },
      otherPhone: { at: [0, 1], adds: [0, -0.49] },
      otherWebsite: { at: [0, 1], adds: [0, -0.46] },
      otherPage: { at: [0, 1], adds: [0, -1.51] },
      otherTown: { at: [0, 0.5, 1], adds: [0, -0.54, -1.36] },
    },
  },
};
