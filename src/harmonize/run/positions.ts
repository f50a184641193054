import { isDeepStrictEqual } from "node:util";
import type { LatLng } from "../../contract/parameters.ts";
import { type Columns, type Field, PLACED_BY } from "../../files/columns.ts";
import { t } from "../../language/translate.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Problem } from "./problems/problems.ts";
import type { Slip } from "./problems/slips.ts";
import { wordsOf } from "./problems/words.ts";

/** `positions` of a harmonization: the findings and the owner's answer. Null before the first check. */
export interface Positions extends Judgement {
  answer?: "right" | "repair";
}

export interface Example {
  line: number;
  name: string;
  place?: string;
  is: LatLng;
  wouldBe?: LatLng;
}

export interface Judgement {
  /** `elsewhere`: far from the places the rows name, with no slip to explain it. `unknown`: nothing to compare with. */
  verdict: "fine" | "wrong" | "elsewhere" | "unknown";
  by?: "places" | "venues" | "positions";
  /** `one point`: all rows have the same position. */
  slip?: Slip | "shifted" | "one point";
  rows: number;
  wrong: number;
  /** Median distance in metres of wrong rows from where they belong. */
  away?: number;
  /** The same after the repair. */
  awayPut?: number;
  /** What the repair would change of all rows that a draft was looked at by; `rows` above is a sample. */
  all?: { rows: number; changed: number };
  examples?: Example[];
  repair?: Repair;
  /** The directory did not respond to every call; another check may find more. */
  isCutShort?: true;
}

export type Repair =
  | { kind: "shift"; offset: Offset }
  | {
      kind: "slips";
      /** The first that moves a row near a point of `around` applies. */
      slips: Slip[];
      /** Every row has the first slip, unless it is right as written. */
      isWhole: boolean;
      /** Points where rows are known to belong, each with AREA around it. */
      around: LatLng[];
    };

/** Degrees that the file is off by. */
export interface Offset {
  north: number;
  east: number;
}

/** Returns whether the owner must answer first. Until then no venues are added. */
export const isOpen = (positions: Positions | null): boolean =>
  positions?.verdict === "wrong" && positions.answer === undefined;

export const unanswered = () =>
  new KnownError(409, UNANSWERED.code, wordsOf(UNANSWERED), { title: t("Nothing was added") });

export const UNANSWERED: Problem = { code: "positions_unanswered" };

export const repairOf = (positions: Positions | null): Repair | undefined =>
  positions?.answer === "repair" ? positions.repair : undefined;

/** If one of these changes, positions are judged again. */
const TELLING: Field[] = [...PLACED_BY, "wholeAddress", "city", "state", "zip", "country"];

export const areJudgedAlike = (one: Columns, other: Columns): boolean =>
  TELLING.every((field) => isDeepStrictEqual(one[field], other[field]));
