import { KnownError } from "../../shared/errors.ts";
import type { Problem } from "../run/problems.ts";
import type { Columns, Field } from "../run/rows.ts";
import { wordsOf } from "../run/words.ts";
import type { Judgement } from "./judge.ts";
import type { Repair } from "./repairs.ts";

/** `positions` of a harmonization: what a look at them found, and what its owner says. Null before the first look. */
export interface Positions extends Judgement {
  /** They are taken as they stand, or put right by `repair` while the file is read. */
  answer?: "right" | "repair";
}

/** Whether the owner has to be asked. Until they answer, nothing is added as new. */
export const isOpen = (positions: Positions | null): boolean =>
  positions?.verdict === "wrong" && positions.answer === undefined;

/** Refuses what has to wait for the owner's answer. */
export const unanswered = () =>
  new KnownError(409, UNANSWERED.code, wordsOf(UNANSWERED), { title: "Nothing was added" });

export const UNANSWERED: Problem = { code: "positions_unanswered" };

/** How positions are put right while rows are read; undefined where they are taken as they stand. */
export const repairOf = (positions: Positions | null): Repair | undefined =>
  positions?.answer === "repair" ? positions.repair : undefined;

/** Columns that positions are judged by. Once they change, positions are judged anew. */
const TELLING: Field[] = ["lat", "lng", "ll", "city", "state", "zip", "country"];

export const areJudgedAlike = (one: Columns, other: Columns): boolean =>
  TELLING.every((field) => one[field] === other[field]);
