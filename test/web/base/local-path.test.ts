import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { localPath } from "../../../src/web/base/local-path.ts";

const OURS = [
  "/",
  "/venues",
  "/venues?query=caf%C3%A9+bar&ll=41.8,-71.4",
  "/checkins?page=2",
  "/venues/4b0588f1-x_y",
  "/logins",
];
test.each(OURS)("%s is allowed as the page after the log-in", (next) => {
  expect(localPath(next)).toBe(next);
});

const ELSEWHERE = [
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/ /evil.example",
  "/%09/evil.example",
  "/%5cevil.example",
  "/%2f%2fevil.example",
  "/..//evil.example",
  "/./\\evil.example",
  "/venues/..//evil.example",
  "/.//evil.example",
  "/@evil.example",
  "/venues//evil.example",
  "https://evil.example",
  "https:evil.example",
  "javascript:alert(1)",
  "/javascript:alert(1)",
  "venues",
  "",
  "?next=/",
  "/venues#//evil.example",
  "/venues\r\nset-cookie: a=b",
  "/venues?a=\r\nlocation: //evil.example",
  "/ve\u0000nues",
  "/\u2044\u2044evil.example",
  "/\u3002evil.example",
  `/${"a".repeat(20_000)}`,
  "/login",
  "/login?next=/venues",
  "/login/callback?code=a&state=b",
  "/logout",
];
describe("A18: any other path leads to the home page:", () => {
  test.each(ELSEWHERE)("%j", (next) => expect(localPath(next)).toBe("/"));
  test.each([[undefined], [null], [["/venues", "/venues"]], [{}]])("%j", (next) => expect(localPath(next)).toBe("/"));
});

test("A18: no random path leads a browser to another host", () => {
  const hostile = fc.array(
    fc.constantFrom("/", "\\", ".", "..", "%2f", "%5c", ":", "@", "?", "#", "\t", "evil.example"),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        hostile.map((parts) => `/${parts.join("")}`),
        fc.string({ unit: "binary" }),
      ),
      (next) => {
        const to = localPath(next);
        expect(new URL(to, "https://ours.example").origin).toBe("https://ours.example");
        expect(to).toMatch(/^\/(?!\/)[\x21-\x7e]*$/);
      },
    ),
    { numRuns: 2000 },
  );
});
