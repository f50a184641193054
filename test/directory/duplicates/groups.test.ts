import { describe, expect, test } from "vitest";
import { familyInWords, familyOf, formGroups } from "../../../src/directory/duplicates/groups.ts";

const pair = (a: string, b: string, score = 0.9) => ({ a, b, score });

describe("groups of duplicates", () => {
  test("keep the best venue, and hold all that form a pair with it", () => {
    expect(formGroups(["best", "b", "c"], [pair("b", "best"), pair("b", "c"), pair("best", "c")])).toEqual([
      { stays: "best", others: ["b", "c"] },
    ]);
  });

  test("are not chained by pairs with different venues", () => {
    const chain = [pair("a", "b", 0.99), pair("b", "c", 0.95), pair("c", "d", 0.9), pair("d", "e", 0.98)];
    expect(formGroups(["a", "b", "c", "d", "e"], chain)).toEqual([
      { stays: "b", others: ["a", "c"] },
      { stays: "d", others: ["e"] },
    ]);
  });

  test("leave out pairs with venues that are gone", () => {
    expect(formGroups(["a", "b"], [pair("a", "gone"), pair("b", "gone")])).toEqual([]);
  });

  test("do not grow without end", () => {
    const ids = Array.from({ length: 60 }, (_, at) => `atm${at}`);
    const all = ids.flatMap((a, at) => ids.slice(at + 1).map((b) => pair(a, b)));
    const groups = formGroups(ids, all);
    expect(groups.map(({ others }) => others.length)).toEqual([19, 19, 19]);
  });
});

describe("families of duplicates", () => {
  const like = (texts: [string, number, string][], isOtherCategory = false) => ({
    evidence: texts.map(([comparison, weight, text]) => ({ comparison, weight, text })),
    isOtherCategory,
  });
  const same = like([
    ["name", 4, "same name"],
    ["phone", 9, "same phone"],
    ["address", 0.4, "same address"],
  ]);

  test("say what all pairs of a group have in common", () => {
    const spelt = like([
      ["name", 2, "names similar except “cofee”"],
      ["address", 0.4, "same address"],
    ]);
    expect(familyInWords(familyOf([same]))).toBe("Same name, same phone, same address");
    expect(familyInWords(familyOf([same, spelt]))).toBe("Similar name, same address");
  });

  test("say what any pair of a group has apart", () => {
    const other = like(
      [
        ["name", 4, "same name"],
        ["phone", -1.2, "different phone"],
      ],
      true,
    );
    expect(familyInWords(familyOf([same, other]))).toBe("Same name, different phones, different categories");
  });
});
