import { describe, expect, test } from "vitest";
import { type Answer, addedVenues, apiHost, expectError, freshVenue, V, venueOf } from "../api/host.ts";
import { multipart, type Part, TYPE } from "./multipart-body.ts";

const host = await apiHost();
const PATH = "/v2/venues/add";
const credentials = (): Part[] => [
  ["v", V],
  ["oauth_token", host.user.token],
];
const post = (parts: Part[], path = PATH, query = {}): Promise<Answer> =>
  host.send("POST", path, query, { headers: { "content-type": TYPE }, payload: multipart(parts) });

describe("a POST as multipart/form-data", () => {
  test("adds a venue, as sent by the PHP client", async () => {
    const { name, ll, primaryCategoryId = "" } = freshVenue();
    const more: Part[] = [
      ["name", `${name} Ünïcødé 星`],
      ["ll", ll],
      ["primaryCategoryId", primaryCategoryId],
    ];
    const answer = await post([...credentials(), ...more]);
    expect(answer.status).toBe(200);
    expect(venueOf(answer).name).toBe(`${name} Ünïcødé 星`);
  });

  test("can be combined with query parameters", async () => {
    const answer = await post([["venueId", "x"]], "/v2/checkins/add", { v: V, oauth_token: host.user.token });
    expect(answer.body.meta.errorDetail).toContain("no venue with this id");
  });

  test("is rejected with a parameter given twice, or in the query as well", async () => {
    const twice = await post([...credentials(), ["venueId", "x"], ["venueId", "y"]], "/v2/checkins/add");
    expectError(twice, 400, "param_error");
    expect(twice.body.meta.errorDetail).toContain("venueId was given more than once");
    const both = await post([...credentials(), ["venueId", "x"]], "/v2/checkins/add", { venueId: "x" });
    expect(both.body.meta.errorDetail).toContain("venueId was given more than once");
  });

  test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "C11: is harmless with a field named %s",
    async (name) => {
      const answer = await post([...credentials(), [name, "polluted"], ["venueId", "x"]], "/v2/checkins/add");
      expectError(answer, 400, "param_error");
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
      expect((await host.asUser("/v2/users/self")).status).toBe(200);
    },
  );

  test("C09: is rejected with invalid UTF-8", async () => {
    const [before = "", after = ""] = multipart([...credentials(), ["venueId", "?"], ["shout", "@"]]).split("@");
    const payload = Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xc0, 0xaf]), Buffer.from(after)]);
    const answer = await host.send("POST", "/v2/checkins/add", {}, { headers: { "content-type": TYPE }, payload });
    expectError(answer, 400, "param_error");
    expect(answer.body.meta.errorDetail).toContain("shout contains characters");
  });

  test("is rejected with a JSON part unless it is a text", async () => {
    for (const value of ['{"a":1}', "[1]", "1", "{"]) {
      const part: Part = ["venueId", value, "\r\nContent-Type: application/json"];
      const answer = await post([...credentials(), part], "/v2/checkins/add");
      expectError(answer, 400, "param_error");
      expect(answer.body.meta.errorDetail).toContain("body");
    }
    const text: Part = ["venueId", '"x"', "\r\nContent-Type: application/json"];
    const answer = await post([...credentials(), text], "/v2/checkins/add");
    expect(answer.body.meta.errorDetail).toContain("no venue with this id");
  });

  test("without a part takes its parameters from the query", async () => {
    const fields = { v: V, oauth_token: host.user.token, venueId: "x" };
    for (const type of [TYPE, "multipart/form-data"]) {
      const answer = await host.send("POST", "/v2/checkins/add", fields, { headers: { "content-type": type } });
      expect(answer.body.meta.errorDetail).toContain("no venue with this id");
    }
  });

  test.each<[string, Part]>([
    ["a file name", ["photo", "GIF89a", '; filename="me.gif"\r\nContent-Type: image/gif']],
    ["the type of a file", ["name", "x", "\r\nContent-Type: application/octet-stream"]],
  ])("with %s is rejected and adds nothing", async (_name, part) => {
    const before = await addedVenues(host);
    const fields = Object.entries(freshVenue()) as Part[];
    const answer = await post([...credentials(), part, ...fields.filter(([name]) => name !== part[0])]);
    expectError(answer, 400, "other");
    expect(answer.body.meta.errorDetail).toContain("no files");
    expect(await addedVenues(host)).toBe(before);
  });

  test("may have up to 100 fields", async () => {
    const fill = (count: number): Part[] => Array.from({ length: count }, (_, index) => [`x${index}`, "x"]);
    const some = [...credentials(), ["venueId", "x"]] as Part[];
    const full = await post([...some, ...fill(97)], "/v2/checkins/add");
    expect(full.body.meta.errorDetail).toContain("no venue with this id");
    expectError(await post([...some, ...fill(98)], "/v2/checkins/add"), 413, "other");
  });

  test("is rejected above 64 KB, in one field or in many", async () => {
    expectError(await post([...credentials(), ["shout", "x".repeat(70_000)]]), 413, "other");
    const many: Part[] = Array.from({ length: 50 }, (_, index) => [`x${index}`, "x".repeat(1500)]);
    expectError(await post([...credentials(), ...many]), 413, "other");
  });
});
