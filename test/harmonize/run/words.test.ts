import { expect, test } from "vitest";
import { DirectoryError } from "../../../src/directory-client/calls/errors.ts";
import { PROBLEMS, type Problem, problemOf } from "../../../src/harmonize/run/problems/problems.ts";
import { REASONS, type Reason } from "../../../src/harmonize/run/problems/reasons.ts";
import { wordsOf } from "../../../src/harmonize/run/problems/words.ts";
import { KnownError } from "../../../src/shared/errors.ts";

test("a directory's refusal is stored as its kind, with message and wait as parameters", () => {
  expect(problemOf(new DirectoryError("unreachable"))).toEqual({ code: "unreachable" });
  expect(problemOf(new DirectoryError("rejected", "No <b>such</b> town."))).toEqual({
    ...{ code: "rejected", said: "No <b>such</b> town." },
  });
  const slow = problemOf(new DirectoryError("rate_limited", undefined, { retryAfter: 40 }));
  expect(slow).toEqual({ code: "rate_limited", wait: 40 });
  expect(wordsOf(slow)).toBe("The venue directory asks us to slow down. Please try again in 40 seconds.");
});

test("a directory's message is stored clipped to 300 characters, without characters that the database rejects", () => {
  const said = `${"x".repeat(10)}\0\ud800${"y".repeat(500)}`;
  const stored = problemOf(new DirectoryError("rejected", said));
  expect(stored).toEqual({ code: "rejected", said: `${"x".repeat(10)}\uFFFD${"y".repeat(288)}` });
});

test("an error is stored as its code and parameters, or as its message if these do not fit", () => {
  const params = { ll: { lat: 1, lng: 2 }, km: 1200, place: "Bristol" };
  expect(problemOf(new KnownError(409, "implausible_position", "Far.", { params }))).toEqual({
    ...{ code: "implausible_position", ...params },
  });
  expect(problemOf(new KnownError(404, "not_found", "There is no such row."))).toEqual({
    ...{ code: "told", said: "There is no such row." },
  });
  expect(problemOf(new KnownError(409, "decided", "It is.", { params: { venue: 7 } }))).toEqual({
    ...{ code: "told", said: "It is." },
  });
});

test.each<[Problem | Reason, string]>([
  [{ code: "no_provider" }, "No provider id is reserved for this Samespot. Ask whoever runs it to set PROVIDER_ID."],
  [
    { code: "too_many_rows", most: 1_000_000 },
    "A file may have at most 1,000,000 rows. Split it and upload the parts separately.",
  ],
  [{ code: "worker_idle", seconds: 14 }, "the worker has not looked for tasks for 14 seconds"],
  [
    { code: "rejected", said: "No such town.", near: "call first, RI" },
    "The directory knows no place “call first, RI”. Give a position, a town nearby, a state or a postal code.",
  ],
  [{ code: "decided" }, "This row is already matched with “another venue”. Undo that decision first."],
])("%j is worded", (told, words) => {
  expect(wordsOf(told)).toBe(words);
});

test("problems and reasons share only the codes add_unknown and told", () => {
  const shared = Object.keys(PROBLEMS).filter((code) => Object.hasOwn(REASONS, code));
  expect(shared).toEqual(["add_unknown", "told"]);
});

test("an unknown code, or one whose parameters do not fit, is shown by its name", () => {
  expect(wordsOf({ code: "lost_in_space" } as unknown as Problem)).toBe("lost in space");
  expect(wordsOf({ code: "toString" } as unknown as Problem)).toBe("toString");
  expect(wordsOf({ code: "too_many_rows" } as unknown as Problem)).toBe("too many rows");
});
