import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { type Envelope, envelope } from "../../../src/contract/envelope.ts";
import { type Answer, apiHost, credentialsOf, DOWNTOWN, expectError, freshVenue, V } from "./host.ts";

const host = await apiHost();
const PATH = "/v2/venues/search";
const good = () => ({ v: V, ...credentialsOf(host.application), ll: DOWNTOWN });

/** Runs the response as a script, and returns the argument of its only call. */
function called(answer: Answer, name: string): Envelope {
  expect(answer.headers["content-type"]).toBe("text/javascript; charset=utf-8");
  expect(answer.text.startsWith(`${name}({"`)).toBe(true);
  expect(answer.text.endsWith("});")).toBe(true);
  const calls: unknown[] = [];
  runInNewContext(answer.text, { [name]: (value: unknown) => calls.push(value) });
  expect(calls).toHaveLength(1);
  // Removes the name by length at both ends, as the Java client does.
  const cut = JSON.parse(answer.text.slice(name.length + 1, -2));
  expect(JSON.parse(JSON.stringify(calls[0]))).toEqual(cut);
  return envelope.parse(cut);
}

describe("the callback parameter", () => {
  test("wraps the answer in a function call", async () => {
    const answer = await host.send("GET", PATH, { ...good(), callback: "c" });
    expect(answer.status).toBe(200);
    expect(called(answer, "c")).toMatchObject({ meta: { code: 200 }, response: { venues: [] } });
    expect(answer.headers["x-content-type-options"]).toBe("nosniff");
  });

  test("wraps the answer to a POST too, as the Java client requests", async () => {
    const fields = { v: V, oauth_token: host.user.token, ...freshVenue(), callback: "c" };
    const answer = await host.send("POST", "/v2/venues/add", fields);
    expect(called(answer, "c")).toMatchObject({ meta: { code: 200 }, response: { venue: { name: fields.name } } });
  });

  test.each([
    ["a wrong parameter", PATH, { ll: "nowhere" }, 400, "param_error"],
    ["no credentials", PATH, { client_id: "", client_secret: "" }, 400, "invalid_auth"],
    ["a wrong token", PATH, { oauth_token: "wrong" }, 401, "invalid_auth"],
    ["no version", PATH, { v: "" }, 410, "param_error"],
    ["an unknown path", "/v2/nothing/here", {}, 404, "endpoint_error"],
    ["an unsupported method", "/v2/checkins/add", {}, 405, "other"],
    ["a missing user", "/v2/venues/add", {}, 400, "invalid_auth"],
  ])("wraps the error for %s with status 200 and the real code inside", async (_name, path, more, code, errorType) => {
    const answer = await host.send("GET", path, { ...good(), ...more, callback: "app.on" });
    expect(answer.status).toBe(200);
    const { meta, response } = JSON.parse(answer.text.slice("app.on(".length, -2));
    expect(meta).toMatchObject({ code, errorType });
    expect(response).toEqual({});
  });

  test("keeps the status of a server error", async () => {
    await host.deps.pool.query("ALTER TABLE directory.venue RENAME TO broken");
    const answer = await host.send("GET", PATH, { ...good(), callback: "c" });
    await host.deps.pool.query("ALTER TABLE directory.broken RENAME TO venue");
    expect(answer.status).toBe(500);
    expect(called(answer, "c").meta).toMatchObject({ code: 500, errorType: "server_error" });
  });

  test("escapes venue texts that would end the script or the line", async () => {
    const description = "one\u2028two\u2029three </script><script>alert(1)</script><!--";
    const fields = { v: V, oauth_token: host.user.token, ...freshVenue({ description }), callback: "c" };
    const answer = await host.send("GET", "/v2/venues/add", fields);
    expect(answer.text).not.toMatch(/[<\u2028\u2029]/);
    expect(called(answer, "c").response.venue).toMatchObject({ description });
  });

  test.each(["c", "_", "$", "jQuery1102_1410", "app.handlers.venues", "C".repeat(100)])(
    "accepts %s",
    async (callback) => {
      const answer = await host.send("GET", PATH, { ...good(), callback });
      expect(answer.text.startsWith(`${callback}({`)).toBe(true);
    },
  );

  test.each(["alert(1)//", "a b", "a-b", "1a", ".a", "a;b", "a\n", "<c", "é", "a[0]", "\u2028a", "C".repeat(101)])(
    "rejects %j",
    async (callback) => {
      const answer = await host.send("GET", PATH, { ...good(), callback });
      expectError(answer, 400, "param_error");
      expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
      expect(answer.body.meta.errorDetail).toContain("callback");
    },
  );

  test("is rejected when given twice, ignored in brackets, and never reflected", async () => {
    expectError(await host.send("GET", PATH, { ...good(), callback: ["a", "b"] }), 400, "param_error");
    expect((await host.send("GET", PATH, { ...good(), "callback[]": "a" })).body.meta.code).toBe(200);
  });

  test("has no effect when empty or in a body", async () => {
    expect((await host.send("GET", PATH, { ...good(), callback: "" })).body.meta.code).toBe(200);
    const fields = { v: V, oauth_token: host.user.token, venueId: "x", callback: "c" };
    expectError(await host.send("POST", "/v2/checkins/add", {}, { body: fields }), 400, "param_error");
  });

  test("does not affect other content types and methods", async () => {
    const icon = await host.send("GET", "/icons/coffee_64.svg", { callback: "c" });
    expect(icon.headers["content-type"]).toContain("image/svg+xml");
    expect((await host.send("PUT", PATH, { ...good(), callback: "c" })).status).toBe(405);
    expectError(await host.send("GET", "/v2/%zz?callback=c"), 400, "param_error");
  });
});
