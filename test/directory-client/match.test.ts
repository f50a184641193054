import { afterAll, beforeEach, describe, expect, test } from "vitest";
import {
  answers,
  answersError,
  answersHtml,
  type Behaviour,
  changes,
  cutsAfter,
  hangs,
  stallsAfter,
  usual,
} from "../support/fake-directory/behaviours.ts";
import { listingsOf, MATCH, MULTI, matching, names, SEARCH, told } from "./directory-clients.ts";

const { directory, newClient, ask, calls } = await matching();
afterAll(directory.close);
beforeEach(directory.reset);

/** Fails every call with this name. */
const stumblesOver = (name: string, behaviour: Behaviour): Behaviour => {
  const isAsked = () => JSON.stringify(directory.requests.at(-1)?.params ?? {}).includes(name);
  return (call) => (isAsked() ? behaviour : usual)(call);
};

const firstCall = (behaviour: Behaviour): Behaviour => {
  let isFirst = true;
  return (call) => {
    (isFirst ? behaviour : usual)(call);
    isFirst = false;
  };
};

describe("listings are matched", () => {
  test("thousands at a time where the directory has venues/match by lines", async () => {
    directory.offerLines();
    const listings = listingsOf(3001);
    expect(told(await ask(listings))).toEqual(names(listings));
    expect(calls()).toEqual([2, 0, 0]);
    const [, request] = directory.requests;
    expect([request?.method, request?.params.limit, request?.params.minScore]).toEqual(["POST", "5", "0.05"]);
    expect(JSON.parse(request?.body.split("\n")[1] ?? "")).toEqual({ name: "Corner Coffee", ll: "41.001,-71.4" });
  });

  test("five hundred at a time where the directory has venues/match", async () => {
    directory.offerMatch();
    const listings = listingsOf(501);
    const outcomes = await ask(listings);
    expect(told(outcomes)).toEqual(names(listings));
    expect(calls()).toEqual([2, 0, 0]);
    const [, request] = directory.requests;
    expect([request?.method, request?.params.limit, request?.params.minScore]).toEqual(["POST", "5", "0.05"]);
    expect(request?.headers["content-type"]).toContain("application/x-www-form-urlencoded");
    expect(JSON.parse(request?.params.listings ?? "")[1]).toEqual({ name: "Corner Coffee", ll: "41.001,-71.4" });
  });

  test("five at a time where the directory has multi, with every character a name can have", async () => {
    directory.offerMulti();
    const listings = [...listingsOf(11), { name: "A, B/C & D=E+F %2c", near: "Corner,/venues" }];
    expect(told(await ask(listings))).toEqual([...names(listings.slice(0, -1)), "none"]);
    expect(calls()).toEqual([0, 3, 0]);
    const last = directory.requests.map(({ params }) => params.requests ?? "").find((each) => each.includes("D%3DE"));
    const [path = ""] = last?.split(/,(?=\/)/).slice(-1) ?? [];
    expect(new URL(path, "http://x").searchParams.get("name")).toBe("A, B/C & D=E+F %2c");
  });

  test("one at a time where the directory has neither venues/match nor multi, and multi is not tried again", async () => {
    const client = newClient();
    const listings = listingsOf(12);
    expect(told(await ask(listings, { client }))).toEqual(names(listings));
    const [, asked = 0] = calls();
    expect(asked).toBeLessThanOrEqual(2); // those that were begun at once
    expect(told(await ask(listings, { client }))).toEqual(names(listings));
    expect(calls()).toEqual([0, asked, 24]);
  });

  test("at the directory only, whatever its metadata says", async () => {
    const issuer = directory.authUrl;
    directory.behave("/.well-known/*", answers(200, { issuer, venue_match_endpoint: `${directory.authUrl}/match` }));
    await ask(listingsOf(2));
    expect(directory.requests.filter(({ host, path }) => host === "auth" && !path.startsWith("/.well"))).toEqual([]);
  });

  test("without any call when there are none", async () => {
    expect(await ask([])).toEqual([]);
    expect(calls()).toEqual([0, 0, 0]);
  });

  test("in calls that fit into a one-megabyte form", async () => {
    directory.offerMatch();
    const listings = listingsOf(500, { address: "ß\u{1f354}é".repeat(120) });
    expect(told(await ask(listings))).toEqual(names(listings));
    const sizes = directory.requests.map(({ body }) => body.length);
    expect(Math.max(...sizes)).toBeLessThan(2 ** 20);
    expect(directory.calls(MATCH)).toBeGreaterThan(1);
  });

  test("in smaller calls where only few are allowed", async () => {
    directory.offerMatch();
    const client = newClient();
    const few: Behaviour = (call) => {
      call.response.setHeader("x-ratelimit-limit", "200");
      usual(call);
    };
    directory.behave(MATCH, few);
    await ask(listingsOf(10), { client });
    await ask(listingsOf(30), { client });
    expect(calls()).toEqual([4, 0, 0]);
  });
});

describe("a listing with an error fails alone", () => {
  test.each(["venues/match", "multi"])("where %s reports the error", async (way) => {
    if (way === "multi") directory.offerMulti();
    else directory.offerMatch();
    const says = (body: string) => {
      const { meta, response } = JSON.parse(body);
      const error = { meta: { code: 400, errorType: "param_error", errorDetail: "ll is wrong" }, response: {} };
      const broken = [{}, null, { meta: { code: 200 }, response: { venues: [{ id: 1 }] } }];
      return JSON.stringify({ meta, response: { responses: [response.responses[0], error, ...broken] } });
    };
    directory.behave(way === "multi" ? MULTI : MATCH, changes(says));
    const outcomes = await ask(listingsOf(5));
    const bad = ["invalid_answer", "invalid_answer", "invalid_answer"];
    expect(told(outcomes)).toEqual(["Harbor Books", "rejected", ...bad]);
    expect(outcomes[1]).toMatchObject({ error: { message: "ll is wrong" } });
  });

  test.each([
    ["500", answersError(500, "server_error")],
    ["silence", hangs()],
    ["HTML", answersHtml()],
  ])("where the directory answers its call with %s", async (_what, behaviour) => {
    directory.offerMatch();
    directory.offerMulti();
    const listings = listingsOf(500);
    listings[77] = { name: "Poison", ll: { lat: 41, lng: -71.4 } };
    for (const path of [MATCH, MULTI, SEARCH]) directory.behave(path, stumblesOver("Poison", behaviour));
    const expected = names(listings);
    expected[77] = expect.toBeOneOf(["unreachable", "invalid_answer"]) as unknown as string;
    expect(told(await ask(listings))).toEqual(expected);
    expect(calls().reduce((sum, each) => sum + each)).toBeLessThan(1 + 20 + 5 + 5 + 1);
  });

  test.each([
    ["breaks off in the middle", cutsAfter(40_000)],
    ["sends half a line as its last", changes((body) => body.slice(0, 40_000))],
    ["stops in the middle", stallsAfter(40_000)],
    ["sends one endless line", changes((body) => body.slice(0, 40_000) + "x".repeat(200_000))],
  ])("and keeps its answers where a directory that answers by lines %s", async (_what, behaviour) => {
    directory.offerLines();
    directory.behave(MATCH, firstCall(behaviour));
    const listings = listingsOf(300);
    expect(told(await ask(listings))).toEqual(names(listings));
    const [, first, second] = directory.requests;
    expect(first?.headers["content-type"]).toBe("application/x-ndjson");
    expect(JSON.parse(second?.params.listings ?? "").length).toBeLessThan(250);
  });

  test.each([
    ["refuses them", answersError(400, "param_error")],
    ["answers with another document", answers(200, { meta: { code: 200 }, response: {} })],
    ["answers with HTML", answersHtml()],
    ["fails", answersError(500, "server_error")],
  ])("by forms where a directory that offers lines %s", async (_what, behaviour) => {
    directory.offerLines();
    directory.behave(MATCH, firstCall(behaviour));
    const listings = listingsOf(300);
    expect(told(await ask(listings))).toEqual(names(listings));
    expect(calls()).toEqual([2, 0, 0]);
  });

  test("and listings the directory had no time for are sent again", async () => {
    directory.offerMatch();
    const late = { meta: { code: 503, errorType: "server_error" }, response: {} };
    const half = (body: string) => {
      const { meta, response } = JSON.parse(body);
      const responses = response.responses.map((each: unknown, at: number) => (at < 50 ? each : late));
      return JSON.stringify({ meta, response: { responses } });
    };
    directory.behave(MATCH, changes(half));
    const listings = listingsOf(100);
    expect(told(await ask(listings))).toEqual(names(listings));
    expect(calls()).toEqual([3, 0, 0]);
  });
});
