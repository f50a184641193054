import { expect, test } from "vitest";
import { areOneSign, splitTown } from "../../../src/matching/normalize/chinese.ts";
import { normalizeName } from "../../../src/matching/normalize/normalize.ts";
import { compareSigns, signsOf, withoutBranch } from "../../../src/matching/text/chinese-name.ts";
import { nameOf } from "../../../src/matching/text/name.ts";

const compared = (one: string, other: string) =>
  compareSigns(signsOf(normalizeName(one)), signsOf(normalizeName(other)));

test.each(["华華", "丰豐", "面麵", "云雲", "台臺", "胜勝", "恒恆", "馆館", "広廣"])(
  "W195: %s is one sign in two scripts",
  ([one = "", other = ""]) => {
    expect(areOneSign(one, other)).toBe(true);
    expect(areOneSign(other, one)).toBe(true);
  },
);

test.each(["欣新", "丰风", "源缘", "力麗", "信鑫"])(
  "W195: %s are two signs that sound alike",
  ([one = "", other = ""]) => {
    expect(areOneSign(one, other)).toBe(false);
  },
);

test.each([
  ["北京市朝阳区腾飞科技有限公司", "腾飞科技", ["北京", "朝阳"]],
  ["腾飞（上海）贸易有限公司", "腾飞贸易", ["上海"]],
  ["内蒙古自治区和平饭店", "和平饭店", ["内蒙古"]],
  ["中国工商银行股份有限公司", "工商银行", ["中国"]],
  ["北京银行", "北京银行", []],
  ["安康保险", "安康保险", []],
  ["汇丰超市", "汇丰超市", []],
  ["南京路百货", "南京路百货", []],
  ["腾飞科技有限公司北京分公司", "腾飞科技北京分公司", []],
])("W195: %s without town and legal form is %s", (name, plain, towns) => {
  expect(signsOf(normalizeName(name))).toMatchObject({ plain, towns });
});

test.each([
  ["金山火锅（望京店）", "金山火锅"],
  ["金山火锅望京店", "金山火锅"],
  ["同心烤鸭店解放路店", "同心烤鸭店"],
  ["中国工商银行望京支行", "中国工商银行"],
  ["东方大药房大学城店", "东方大药房"],
  ["金山咖啡蛋糕店", "金山咖啡蛋糕店"],
  ["金山水果店", "金山水果店"],
])("W195: of %s, the name without the branch is %s", (name, plain) => {
  expect(withoutBranch(name)).toBe(plain);
});

test.each([
  ["same", "北京腾飞科技有限公司", "騰飛科技股份有限公司"],
  ["same", "金山火锅（望京店）", "金山火锅"],
  ["alike", "宏泰大药房", "鸿泰大药房"],
  ["other", "华信科技有限公司", "华星科技有限公司"],
  ["same", "欢喜冒菜中山路店", "欢喜冒菜"],
  ["other", "金山火锅（望京店）", "金山火锅（西湖店）"],
  ["other", "欢喜冒菜（望京店）", "欢喜冒菜中山路店"],
  [undefined, "金山", "金山修脚店"],
  [undefined, "北京和平饭店", "上海和平饭店"],
  [undefined, "金山科技", "金山"],
])("W195: %s: %s and %s", (result, one, other) => {
  expect(compared(one, other)).toBe(result);
  expect(compared(other, one)).toBe(result);
});

test("a trade is compared as one word, and so is a town", () => {
  expect(nameOf({ name: "北京市华信信息技术有限公司" }).words).toEqual(["beijing", "hua", "xin", "xinxi", "jishu"]);
});

test("W195: a street and a supermarket are no towns", () => {
  expect(splitTown("汇丰超市生鲜")).toBeUndefined();
  expect(splitTown("南京东路百货")).toBeUndefined();
  expect(splitTown("南京百货")).toEqual({ town: "南京", rest: "百货" });
});
