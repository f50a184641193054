import type { LatLng } from "../../contract/parameters.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Columns, Field } from "./rows.ts";

/** `positions` of a harmonization: what a look at them found, and what its owner says. Null before the first look. */
export interface Positions extends Judgement {
  /** They are taken as they stand, or put right by `repair` while the file is read. */
  answer?: "right" | "repair";
}

/** A row as the file has it, and where the repair would put it. */
export interface Example {
  line: number;
  name: string;
  place?: string;
  is: LatLng;
  wouldBe?: LatLng;
}

/** What a sample of a file's positions says about all of them. */
export interface Judgement {
  /**
   * `elsewhere`: the rows lie far from the places that the directory has under their names, and no slip explains it.
   * `unknown`: nothing to compare them with.
   */
  verdict: "fine" | "wrong" | "elsewhere" | "unknown";
  /** What shows it: the places that rows name, venues of the directory, or the positions alone. */
  by?: "places" | "venues" | "positions";
  /** What happened to them; `one point`: all rows have the same position. */
  slip?: Slip | "shifted" | "one point";
  /** Rows that could be compared, and those of them that are wrong. */
  rows: number;
  wrong: number;
  /** Median distance in metres of wrong rows from where they belong. */
  away?: number;
  /** The same once they are put right. */
  awayPut?: number;
  /** Some of the wrong rows, from the whole of the sample. */
  examples?: Example[];
  /** Missing where they cannot be put right. */
  repair?: Repair;
  /** The directory did not answer all that was asked: another look may say more. */
  isCutShort?: true;
}

/** What may have happened to a position on its way into the file. */
export type Slip =
  | ("swapped" | "lng sign" | "lat sign" | "both signs")
  | ("swapped, lng sign" | "swapped, lat sign" | "swapped, both signs");

/** How the positions of a file are put right while its rows are read. */
export type Repair =
  | { kind: "shift"; offset: Offset }
  | {
      kind: "slips";
      /** The first that brings a row near to one of `around` counts. */
      slips: Slip[];
      /** Every row has the first slip, unless it lies well as it is. */
      isWhole: boolean;
      /** Points where rows of the file are known to belong, each for AREA around it. */
      around: LatLng[];
    };

/** Degrees by which the file has something too far north and east. */
export interface Offset {
  north: number;
  east: number;
}

/** Whether the owner has to be asked. Until they answer, nothing is added as new. */
export const isOpen = (positions: Positions | null): boolean =>
  positions?.verdict === "wrong" && positions.answer === undefined;

/** Refuses what has to wait for the owner's answer. */
export const unanswered = () =>
  new KnownError(
    409,
    "positions_unanswered",
    "The positions of this file look wrong. Say that they are right, or begin again with them put right. Nothing is added until then.",
    { title: "Nothing was added" },
  );

/** How positions are put right while rows are read; undefined where they are taken as they stand. */
export const repairOf = (positions: Positions | null): Repair | undefined =>
  positions?.answer === "repair" ? positions.repair : undefined;

/** Columns that positions are judged by. Once they change, positions are judged anew. */
const TELLING: Field[] = ["lat", "lng", "ll", "city", "state", "zip", "country"];

export const areJudgedAlike = (one: Columns, other: Columns): boolean =>
  TELLING.every((field) => one[field] === other[field]);
