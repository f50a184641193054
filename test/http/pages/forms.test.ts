import { describe, expect, test } from "vitest";
import { sendForm, sessionApp, URL } from "../sessions/session-app.ts";

const { browser } = await sessionApp();

describe("forms", () => {
  test("require the token of their own session", async () => {
    const [ada, bob] = [browser(), browser()];
    const token = (await ada.send({ url: "/form" })).body;
    const foreign = (await bob.send({ url: "/form" })).body;
    expect((await sendForm(ada, token)).statusCode).toBe(200);
    expect((await sendForm(ada, foreign)).statusCode).toBe(403);
    expect((await sendForm(ada, "")).statusCode).toBe(403);
    expect((await sendForm(browser(), token)).statusCode).toBe(403);
  });

  test("loaded before signing in are rejected afterwards", async () => {
    const ada = browser();
    const before = (await ada.send({ url: "/form" })).body;
    await ada.post("/in");
    expect((await sendForm(ada, before)).statusCode).toBe(403);
  });

  test.each([
    ["a token in the query", { url: "/noop?_csrf=TOKEN", payload: "" }],
    ["a token given twice", { payload: "_csrf=TOKEN&_csrf=TOKEN" }],
    ["a token in a header", { payload: "", headers: { "x-csrf-token": "TOKEN" } }],
    ["another origin", { headers: { origin: "http://evil.example" } }],
    ["the null origin", { headers: { origin: "null" } }],
    ["another site by Sec-Fetch-Site", { headers: { "sec-fetch-site": "cross-site" } }],
    ["a neighbouring port by Sec-Fetch-Site", { headers: { "sec-fetch-site": "same-site" } }],
    ["text/plain", { headers: { "content-type": "text/plain" } }],
  ])("are rejected with %s", async (_kind, wrong) => {
    const ada = browser();
    const token = (await ada.send({ url: "/form" })).body;
    const right = { url: "/noop", payload: "_csrf=TOKEN", headers: {} };
    const { url, payload, headers } = JSON.parse(JSON.stringify({ ...right, ...wrong }).replaceAll("TOKEN", token));
    const answer = await ada.send({
      method: "POST",
      url,
      payload,
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    });
    expect([403, 415]).toContain(answer.statusCode);
    expect((await sendForm(ada, token, { origin: URL, "sec-fetch-site": "same-origin" })).statusCode).toBe(200);
  });
});
