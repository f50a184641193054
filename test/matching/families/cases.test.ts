import { expect, test } from "vitest";
import { decideMatches } from "../../../src/matching/decide.ts";
import { matchListing } from "../../../src/matching/match.ts";
import { at } from "../places.ts";
import { CASES, type Case } from "./cases.ts";

const decided = ({ one, other, metres }: Case) =>
  decideMatches(matchListing(at(one.name, 0, one), [at(other.name, metres, other)]));

const isRight = (each: Case) => decided(each).matches.length > 0 === each.isSame;
const named = (cases: Case[]) => cases.map(({ one, other }) => `${one.name} | ${other.name}`);

test("no two places are a confident match, in twelve scripts", () => {
  expect(named(CASES.filter((each) => !each.isSame && decided(each).confident))).toEqual([]);
});

test("nine of ten cases in twelve scripts are decided as a person would", () => {
  const wrong = CASES.filter((each) => !isRight(each));
  expect(wrong.length, named(wrong).join("; ")).toBeLessThanOrEqual(0.1 * CASES.length);
});
