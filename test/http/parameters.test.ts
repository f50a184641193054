import { describe, expect, test } from "vitest";
import { addVenueParameters, formatLl, ll, version } from "../../src/contract/parameters.ts";
import { parseFields, parseParameters } from "../../src/http/parameters.ts";

const parse = (query: string) => parseParameters(addVenueParameters, parseFields(query));
const REQUIRED = "name=Cafe&ll=41.8,-71.4&primaryCategoryId=x";

describe("API parameters", () => {
  test("are ignored when unknown, even if repeated or bracketed", () => {
    expect(parse(`${REQUIRED}&m=swarm&m=x&name[]=y&locale=fr`)).toEqual({
      name: "Cafe",
      ll: { lat: 41.8, lng: -71.4 },
      primaryCategoryId: "x",
    });
  });

  test("are rejected when known and given twice", () => {
    expect(() => parse(`${REQUIRED}&name=Other`)).toThrow("name was given more than once");
  });

  test("are rejected with every mistake named", () => {
    expect(() => parse("ll=1&url=javascript:alert(1)")).toThrow(
      /ll must be.*name is required|name is required.*ll must be/,
    );
  });

  test("count as missing when empty", () => {
    expect(() => parse("name=&ll=1,2&primaryCategoryId=x")).toThrow("name is required");
    expect(parse(`${REQUIRED}&phone=`)).not.toHaveProperty("phone");
  });

  test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "may be called %s without any effect",
    (name) => {
      const fields = parseFields(`${REQUIRED}&${name}=evil`);
      expect(parseParameters(addVenueParameters, fields)).toMatchObject({ name: "Cafe" });
      expect(({} as Record<string, unknown>).evil).toBeUndefined();
    },
  );

  test("limit a description to 300 code points", () => {
    expect(parse(`${REQUIRED}&description=${encodeURIComponent("🍕".repeat(300))}`).description).toHaveLength(600);
    expect(() => parse(`${REQUIRED}&description=${"x".repeat(301)}`)).toThrow("at most 300");
  });

  test("count a line break of any kind once, and store it as LF in a description", () => {
    const description = encodeURIComponent(`${"x".repeat(149)}\r\n${"y".repeat(148)}\rz`);
    expect(parse(`${REQUIRED}&description=${description}`).description).toBe(
      `${"x".repeat(149)}\n${"y".repeat(148)}\nz`,
    );
  });

  test.each(["name", "address", "crossStreet", "city", "state", "zip", "phone"])(
    "reduce white space of any kind to one space in %s",
    (name) => {
      const [typed, kept] = name === "phone" ? ["\n401 \r\n\t5550100", "401 5550100"] : [" a \r\n\tb\n", "a b"];
      const fields = { name: "Cafe", ll: "1,2", primaryCategoryId: "x", [name]: typed };
      expect(parseParameters(addVenueParameters, fields)).toHaveProperty(name, kept);
    },
  );

  test.each(["a\u0000b", "a\u001bb", "\ud800", "a\u202eb", "a\ufffdb"])("are rejected with the text %j", (name) => {
    expect(() => parseParameters(addVenueParameters, { name, ll: "1,2", primaryCategoryId: "x" })).toThrow(
      "cannot be stored",
    );
  });
});

const BAD_LL = [
  ..."1|1,|,1|1,2,3|91,0|-90.1,0|0,181|0,-180.5|NaN,1|1,NaN|Infinity,0|1e400,0|1e1,1|0x1,1|1;2|1 2|١,٢|１,２".split(
    "|",
  ),
  ..."1,2abc|a,b|1..2,3|.5,1|5.,1|--1,2|+-1,2|1,,2|[1,2]|(1,2)|1,2\u0000|1_0,2|1'0,2|null,null|undefined,1|true,1".split(
    "|",
  ),
  ...[
    "",
    " ",
    "1, 2, 3",
    "1 ,2",
    "1,2,",
    `${"1".repeat(10_000)},1`,
    `1.${"1".repeat(30)},2`,
    "1\n,2",
    "999999999999,1",
  ],
];

test.each(BAD_LL)("the parameter ll %j is rejected", (text) => {
  expect(ll.safeParse(text).success).toBe(false);
});

test.each(["91,0", "-90.1,0", "0,181", "0,-180.5"])(
  "the parameter ll %s is rejected with the allowed range",
  (text) => {
    expect(ll.safeParse(text).error?.issues[0]?.message).toBe(
      "ll is out of range: latitude goes from -90 to 90, longitude from -180 to 180",
    );
  },
);

test.each([
  ["90,180", { lat: 90, lng: 180 }],
  ["-90,-180", { lat: -90, lng: -180 }],
  ["-0,0", { lat: 0, lng: 0 }],
  ["41.824, -71.413", { lat: 41.824, lng: -71.413 }],
])("the parameter ll %j is accepted", (text, point) => {
  expect(ll.parse(text)).toEqual(point);
});

test.each(["2024", "20241301", "20230229", "٢٠٢٤٠١٠١", "-2024010", "20240101 ", "2024-01-01"])(
  "the parameter v %j is rejected",
  (v) => {
    expect(version.safeParse(v).success).toBe(false);
  },
);

test.each(["20120928", "20240229", "20991231"])("the parameter v %j is accepted", (v) => {
  expect(version.safeParse(v).success).toBe(true);
});

test.each([
  [{ lat: 0.0000001, lng: 10 }, "0.0000001,10"],
  [{ lat: -0.00000000001, lng: -180 }, "-0,-180"],
  [{ lat: 41.824, lng: -71.413 }, "41.824,-71.413"],
])("the position %j is written as %s and can be read again", (place, text) => {
  expect(formatLl(place)).toBe(text);
  expect(ll.safeParse(text).success).toBe(true);
});
