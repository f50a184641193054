import { describe, expect, it, vi } from "vitest";
import type { DecidedHow, ListingDecision } from "../../../src/db/generated/enums.ts";
import { acceptance, type Bin, cutsOf, moveCuts } from "../../../src/harmonize/match/thresholds.ts";
import { CONFIDENT_CUT } from "../../../src/matching/decide.ts";
import { testDatabase } from "../../support/database/database.ts";
import { makeAccount, makeCandidate, makeHarmonization } from "../rows.ts";

const directory = "http://localhost:3002";
const { database } = await testDatabase();
const account = await makeAccount(database, "Ada", directory);

interface Made {
  score: number;
  isClear?: boolean;
  decision?: ListingDecision;
  how?: DecidedHow;
  venueId?: string | null;
}

describe("the estimate of a cut", () => {
  it("equals a plain count of the rows", async () => {
    const made: Made[] = Array.from({ length: 400 }, (_, index) => ({
      score: Math.round((1 - (0.62 * ((index * 37) % 400) ** 2) / 400 ** 2) * 1000) / 1000,
      isClear: index % 7 !== 0,
      ...(index % 11 === 0
        ? { decision: "matched" as const, how: index % 2 ? ("person" as const) : ("family" as const) }
        : {}),
    }));
    const h = await make(made);
    const bins = await binsOf(h, [0.777]);
    for (const cut of [0.5, 0.6, 0.777, 0.83, 0.995]) {
      const open = made.filter(({ score, isClear, decision }) => score >= cut && isClear && !decision);
      const judged = made.filter(({ score, isClear, how }) => score >= cut && isClear && how === "person");
      const expected = open.reduce((sum, { score }) => sum + Math.max(1 - score, 0.001), 0);
      const above = bins.filter(({ from }) => from >= cut);
      expect(sum(above, "listings"), `listings from ${cut}`).toBe(open.length);
      expect(sum(above, "judged")).toBe(judged.length);
      expect(sum(above, "expectedWrong")).toBeCloseTo(expected, 3);
      const found = cutsOf(bins).find(({ from }) => from === cut);
      expect(found).toMatchObject({ accepted: open.length, judged: sum(bins, "judged") });
    }
  });

  it("counts a person's corrections, adds and rejections as wrong, and ignores decisions by family or command", async () => {
    const h = await make([
      { score: 0.9, decision: "matched", how: "person" },
      { score: 0.9, decision: "matched", how: "person", venueId: "other" },
      { score: 0.9, decision: "rejected", how: "person", venueId: null },
      { score: 0.9, decision: "added", how: "person", venueId: "new" },
      { score: 0.9, decision: "rejected", how: "family", venueId: null },
      { score: 0.9, decision: "matched", how: "kept", venueId: "other" },
      { score: 0.9 },
    ]);
    const bins = await binsOf(h);
    expect(bins.find(({ from }) => from === 0.9)).toMatchObject({ listings: 1, judged: 4, judgedWrong: 3 });
  });

  it("counts the matches above a cut that it does not accept because they are not clear", async () => {
    const h = await make([
      { score: 0.9 },
      { score: 0.9, isClear: false },
      { score: 0.8, isClear: false },
      { score: 0.9, isClear: false, decision: "matched", how: "person" },
    ]);
    const cuts = cutsOf(await binsOf(h));
    const heldBack = (cut: number) => cuts.find(({ from }) => from === cut)?.heldBack;
    expect([0.7, 0.85, 0.95].map(heldBack)).toEqual([2, 1, 0]);
    expect(cuts.find(({ from }) => from === 0.7)).toMatchObject({ accepted: 1, judged: 0 });
  });

  it("starts from the scores, and follows people's decisions the more there are", () => {
    const bin = (judged: number, judgedWrong: number): Bin[] => [
      { from: 0.98, listings: 1000, expectedWrong: 10, heldBack: 0, judged, judgedWrong, judgedExpected: judged / 100 },
    ];
    const wrong = (judged: number, judgedWrong: number) => cutsOf(bin(judged, judgedWrong))[0]?.wrong;
    expect(wrong(0, 0)).toBeCloseTo(10);
    expect(wrong(20, 0)).toBeCloseTo(5);
    expect(wrong(180, 0)).toBeCloseTo(1);
    expect(wrong(100, 5)).toBeCloseTo((1000 * (20 * 0.01 + 5)) / 120);
  });

  it("follows decisions on low scores also for high ones, up to four times", () => {
    const high = { from: 0.98, listings: 1000, expectedWrong: 10, heldBack: 0, ...NOT_JUDGED };
    const wrongAfter = (judged: number, judgedWrong: number) => {
      const low = {
        from: 0.6,
        listings: 100,
        expectedWrong: 40,
        heldBack: 0,
        judged,
        judgedWrong,
        judgedExpected: judged * 0.4,
      };
      return cutsOf([low, high]).find(({ from }) => from === 0.98);
    };
    expect(wrongAfter(0, 0)).toMatchObject({ judged: 0, wrong: 10 });
    expect(wrongAfter(5, 2)?.wrong).toBeCloseTo(10);
    expect(wrongAfter(5, 0)?.wrong).toBeCloseTo(5);
    expect(wrongAfter(60, 0)).toMatchObject({ judged: 60, wrong: 2.5 });
    expect(wrongAfter(200, 200)?.wrong).toBeLessThan(40);
  });

  it.each([
    { truth: 1 / 7, least: 0.5 },
    { truth: 1 / 3, least: 0.5 },
    { truth: 2.5, least: 0.5 },
  ])(
    "comes nearer to the truth by 92 decisions below the cut, if $truth times as many are wrong as the scores say",
    ({ truth, least }) => {
      const draw = random(7);
      const apart: number[] = [];
      const learned: number[] = [];
      for (let list = 0; list < 20; list += 1) {
        const rows = Array.from({ length: 3000 }, (_, at) => {
          const score = 1 - 0.5 * draw() ** 3;
          return { score, isWrong: draw() < (1 - score) * truth, isJudged: at < 400 && score < 0.95 };
        });
        const judged = new Set(rows.filter(({ isJudged }) => isJudged).slice(0, 92));
        const accepted = rows.filter((row) => row.score >= 0.95 && !judged.has(row));
        const wrong = accepted.filter(({ isWrong }) => isWrong).length;
        const estimate = (of: ReadonlySet<(typeof rows)[number]>) =>
          cutsOf(binned(rows, of)).find(({ from }) => from === 0.95)?.wrong ?? 0;
        apart.push(Math.abs(estimate(new Set()) - wrong));
        learned.push(Math.abs(estimate(judged) - wrong));
      }
      const mean = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0) / numbers.length;
      expect(mean(learned)).toBeLessThan(mean(apart) * least);
    },
  );

  it("stays near the truth if the scores are right", () => {
    const draw = random(3);
    const times = Array.from({ length: 20 }, () => {
      const rows = Array.from({ length: 3000 }, () => {
        const score = 1 - 0.5 * draw() ** 3;
        return { score, isWrong: draw() < 1 - score };
      });
      const judged = new Set(rows.filter(({ score }) => score < 0.95).slice(0, 92));
      const [before, after] = [new Set<(typeof rows)[number]>(), judged].map(
        (of) => cutsOf(binned(rows, of)).find(({ from }) => from === 0.95)?.wrong ?? 0,
      );
      return (after ?? 0) / (before ?? 1);
    });
    expect(Math.min(...times)).toBeGreaterThan(0.4);
    expect(Math.max(...times)).toBeLessThan(2);
  });
});

const NOT_JUDGED = { judged: 0, judgedWrong: 0, judgedExpected: 0 };

/** Rows in bins, those `judged` as people would find them. */
function binned<Row extends { score: number; isWrong: boolean }>(rows: Row[], judged: ReadonlySet<Row>): Bin[] {
  return Array.from({ length: 50 }, (_, at): Bin => {
    const from = (50 + at) / 100;
    const own = rows.filter(({ score }) => score >= from && score < from + 0.01);
    const [seen, open] = [own.filter((row) => judged.has(row)), own.filter((row) => !judged.has(row))];
    const expected = (of: Row[]) => of.reduce((total, { score }) => total + Math.max(1 - score, 0.001), 0);
    const judgedWrong = seen.filter(({ isWrong }) => isWrong).length;
    return {
      ...{ from, listings: open.length, expectedWrong: expected(open), heldBack: 0 },
      ...{ judged: seen.length, judgedWrong, judgedExpected: expected(seen) },
    };
  });
}

/** A generator of numbers from 0 to 1, always the same for a seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

describe("the cuts", () => {
  it("accept at first what the directory is confident of", async () => {
    expect((await make([])).acceptFrom).toBe(CONFIDENT_CUT);
  });

  it("can be moved while nothing runs, but not while a worker relies on them", async () => {
    const [ready, adding] = [await make([]), await make([], "adding")];
    expect(await moveCuts(database, ready.id, { acceptFrom: 0.9, reviewFrom: 0.3 })).toBe(true);
    expect(await moveCuts(database, adding.id, { acceptFrom: 0.9, reviewFrom: 0.3 })).toBe(false);
    const rows = await database.prisma.harmonization.findMany({ where: { id: { in: [ready.id, adding.id] } } });
    expect(rows.map(({ id, acceptFrom }) => [id === ready.id, acceptFrom]).sort()).toEqual([
      [false, 0.77],
      [true, 0.9],
    ]);
  });
});

/** On a busy machine the first answer may come without them. */
const binsOf = (h: Awaited<ReturnType<typeof make>>, more: number[] = []) =>
  vi.waitUntil(async () => (await acceptance(database, h, more)).value, { timeout: 60_000 });

function make(listings: Made[], state: "ready" | "adding" = "ready") {
  const rows = listings.map(({ score, isClear = true, decision, how, venueId = "best" }) => ({
    name: "Shop",
    candidates: [makeCandidate("best", score)],
    more: { isClear, ...(decision && how ? { decision, decidedHow: how, venueId } : {}) },
  }));
  return makeHarmonization(database, account, rows, { directory, state });
}

const sum = (bins: Bin[], name: keyof Bin) => bins.reduce((total, bin) => total + bin[name], 0);
