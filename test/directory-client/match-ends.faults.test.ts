import { afterAll, beforeEach, describe, expect, test } from "vitest";
import {
  after,
  answers,
  answersError,
  answersHtml,
  type Behaviour,
  changes,
  gzipBomb,
  hangs,
  nests,
  rateLimits,
  truncates,
  usual,
} from "../support/fake-directory/behaviours.ts";
import { listingsOf, MATCH, MULTI, matching, names, SEARCH, told } from "./directory-clients.ts";

const { directory, newClient, ask, calls, user } = await matching();
afterAll(directory.close);
beforeEach(directory.reset);

function withoutFirst(body: string): string {
  const { meta, response } = JSON.parse(body);
  return JSON.stringify({ meta, response: { responses: response.responses.slice(1) } });
}

describe("a venues/match that always fails", () => {
  test.each([
    ["404", answersError(404, "endpoint_error")],
    ["413", answersError(413, "other")],
    ["500", answersError(500, "server_error")],
    ["HTML", answersHtml()],
    ["half a JSON", truncates()],
    ["an answer too few", changes(withoutFirst)],
    ["lists a hundred thousand deep", nests(100_000)],
    ["a gzip bomb", gzipBomb(60)],
  ])("with %s still leaves every listing with an outcome", async (_what, behaviour) => {
    directory.offerMatch();
    directory.behave(MATCH, behaviour);
    const listings = listingsOf(60);
    expect(told(await ask(listings))).toEqual(names(listings));
    expect(directory.calls(MATCH)).toBeLessThanOrEqual(4);
    expect(directory.calls(SEARCH)).toBe(60);
  });
});

/** In the form of our own directory. */
const NOT_ENABLED = {
  meta: { code: 403, errorType: "not_authorized", errorDetail: "Ask the operator." },
  response: { application: { access: "reading" } },
};

describe("matching begins no further call", () => {
  const everywhere = (behaviour: Behaviour) => directory.behave("/v2/*", behaviour);

  test.each([
    ["with 503", answersError(503, "server_error"), "unreachable"],
    ["with silence", hangs(), "unreachable"],
    ["with a page", answersHtml(), "invalid_answer"],
  ])("when the directory answers %s", async (_what, behaviour, kind) => {
    directory.offerMatch();
    everywhere(behaviour);
    expect(new Set(told(await ask(listingsOf(500))))).toEqual(new Set([kind]));
    expect(calls().reduce((sum, each) => sum + each)).toBeLessThanOrEqual(10);
  });

  test.each([
    ["429", rateLimits("7"), "rate_limited", 7],
    ["the hourly limit", answersError(403, "rate_limit_exceeded", { "retry-after": "9" }), "rate_limited", 9],
    ["a refused token", answersError(401, "invalid_auth"), "refused_token", undefined],
    ["an application that is not enabled", answers(403, NOT_ENABLED), "not_enabled", undefined],
    ["a search that is not allowed", answersError(403, "not_authorized"), "not_enabled", undefined],
  ])("after %s", async (_what, behaviour, kind, retryAfter) => {
    everywhere(after(30, behaviour));
    const outcomes = await ask(listingsOf(100), { auth: user });
    const kinds = told(outcomes);
    expect(kinds.length).toBe(100);
    expect(new Set(kinds)).toEqual(new Set(["Harbor Books", "Corner Coffee", kind]));
    expect(outcomes.at(-1)).toMatchObject({ error: { kind, retryAfter } });
    expect(calls().reduce((sum, each) => sum + each)).toBeLessThan(30 + 16);
  });

  test("after venues/match reports that the application is not enabled", async () => {
    directory.offerMatch();
    directory.behave(MATCH, answers(403, NOT_ENABLED));
    const outcomes = await ask(listingsOf(50));
    expect(new Set(told(outcomes))).toEqual(new Set(["not_enabled"]));
    expect(outcomes[0]).toMatchObject({ error: { message: "Ask the operator." } });
    expect(calls().slice(1)).toEqual([0, 0]);
  });

  test("through multi when only multi is refused, and asks for each listing separately", async () => {
    directory.offerMulti();
    directory.behave(MULTI, answersError(403, "not_authorized"));
    expect(told(await ask(listingsOf(10)))).toEqual(names(listingsOf(10)));
  });

  test("after a limit inside multi, or an answer with no calls left", async () => {
    directory.offerMulti();
    const limited = { meta: { code: 403, errorType: "rate_limit_exceeded" }, response: {} };
    const responses = Array(5).fill(limited);
    directory.behave(MULTI, answers(200, { meta: { code: 200 }, response: { responses } }));
    expect(new Set(told(await ask(listingsOf(50))))).toEqual(new Set(["rate_limited"]));
    expect(directory.calls(MULTI)).toBeLessThanOrEqual(2);

    directory.reset();
    directory.behave(SEARCH, (call) => {
      const left = 20 - directory.calls(SEARCH);
      call.response.setHeader("x-ratelimit-remaining", String(Math.max(0, left)));
      call.response.setHeader("retry-after", "40");
      usual(call);
    });
    const outcomes = await ask(listingsOf(50));
    expect(outcomes.at(-1)).toMatchObject({ error: { kind: "rate_limited", retryAfter: 40 } });
    expect(directory.calls(SEARCH)).toBeLessThan(20 + 16);
  });

  test("after an abort, and ends the calls in progress", async () => {
    everywhere(hangs());
    const ending = new AbortController();
    const asked = ask(listingsOf(50), { client: newClient(600_000), signal: ending.signal });
    setTimeout(() => ending.abort(new Error("enough")), 50);
    await expect(asked).rejects.toThrow("enough");
    expect(calls().reduce((sum, each) => sum + each)).toBeLessThanOrEqual(4);
  });
});
