import { describe, expect, test } from "vitest";
import { apiHost } from "./api-host.ts";

const host = await apiHost();
const search = (fields: Record<string, string>) => host.userless("/v2/venues/search", fields);

describe("ll", () => {
  const BAD = [
    "1",
    "1,2,3",
    "91,0",
    "-91,0",
    "0,181",
    "0,-181",
    "NaN,0",
    "0,NaN",
    "Infinity,0",
    "-Infinity,0",
    "1e400,0",
    "1e1,2",
    "0x1,1",
    " 1,2",
    "1,2 ",
    "1;2",
    "1 2",
    "١,٢",
    "１,２",
    ",",
    "1,",
    ",1",
    "a,b",
    "1,2,",
    "--1,2",
    "+-1,2",
    "1.,2",
    ".5,2",
    "1,.5",
    "1..5,2",
    "1,2;3",
    "(1,2)",
    "1°,2°",
    "1N,2E",
    "null",
    "undefined",
    "[1,2]",
    "1,2\n",
    "1\u0000,2",
    "1,\t2",
    "9".repeat(400),
    `${"1".repeat(10_000)},2`,
  ];

  test.each(BAD.map((ll) => [ll.length > 40 ? `${ll.slice(0, 20)}… (${ll.length} characters)` : ll, ll]))(
    "%j is refused",
    async (_shown, ll) => {
      const answer = await search({ ll });
      expect(answer.body.meta).toMatchObject({ code: 400, errorType: "param_error" });
      expect(answer.body.meta.errorDetail).toMatch(/^ll (must be|is out of range)/);
    },
  );

  test("is needed", async () => {
    expect((await search({})).body.meta).toMatchObject({ code: 400, errorType: "param_error" });
  });
});
