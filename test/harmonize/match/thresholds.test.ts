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
      expect(found).toMatchObject({ accepted: open.length, judged: judged.length });
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
      { from: 0.98, listings: 1000, expectedWrong: 10, heldBack: 0, judged, judgedWrong },
    ];
    const wrong = (judged: number, judgedWrong: number) => cutsOf(bin(judged, judgedWrong))[0]?.wrong;
    expect(wrong(0, 0)).toBeCloseTo(10);
    expect(wrong(20, 0)).toBeCloseTo(5);
    expect(wrong(180, 0)).toBeCloseTo(1);
    expect(wrong(100, 5)).toBeCloseTo((1000 * (20 * 0.01 + 5)) / 120);
  });

  it("is not changed for high scores by decisions on low ones", () => {
    const high = { from: 0.98, listings: 1000, expectedWrong: 10, heldBack: 0, judged: 0, judgedWrong: 0 };
    const low = { from: 0.6, listings: 100, expectedWrong: 40, heldBack: 0, judged: 60, judgedWrong: 0 };
    const cuts = cutsOf([low, high]);
    expect(cuts.find(({ from }) => from === 0.98)?.wrong).toBeCloseTo(10);
    expect(cuts.find(({ from }) => from === 0.6)?.wrong).toBeCloseTo(10 + 10);
  });
});

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
