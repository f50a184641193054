import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { answers, answersError, hangs, usual } from "../../support/fake-directory/behaviours.ts";
import type { HttpClient } from "../../support/http-client.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb({ instances: 2, deadlineMs: 800 });
const ADD = "/v2/checkins/add";
let browser: HttpClient;
let venue = "";

beforeEach(async () => {
  web.directory.reset();
  web.directory.setCheckins(0);
  web.directory.offerCheckins();
  browser = await web.logIn();
  [venue = ""] = /\/venues\/[0-9a-f]{24}/.exec((await browser.get("/venues?query=coffee&ll=41.8,-71.4")).body) ?? [];
});

const checkIn = async (fields: Record<string, string> = {}) =>
  browser.submit(await browser.get(venue), `${venue}/checkins`, fields);

test("a member checks in at a venue, with a comment, and finds it in the history", async () => {
  const reply = await checkIn({ shout: "Good “tea” & <cake>" });
  expect([reply.status, reply.location]).toEqual([303, web.url + venue]);
  expect((await browser.get(venue)).body).toContain("<strong>Checked in.</strong>");
  expect(web.directory.checkins.map(({ shout }) => shout)).toEqual(["Good “tea” & <cake>"]);
  expect((await browser.get("/checkins")).body).toContain("Good “tea” &amp; &lt;cake&gt;");
});

test("W25: a check-in form that is sent twice, one after the other or at once at two processes, checks in once", async () => {
  const page = await browser.get(venue);
  web.directory.behave(ADD, (call) => setTimeout(() => usual(call), 300));
  const send = () => browser.submit(page, `${venue}/checkins`, { shout: "once" });
  const replies = await Promise.all([send(), send(), send()]);
  expect(replies.map(({ status }) => status)).toEqual([303, 303, 303]);
  expect((await send()).status).toBe(303);
  expect(web.directory.calls(ADD)).toBe(1);
  expect((await checkIn()).status, "another form checks in again").toBe(303);
  expect(web.directory.checkins).toHaveLength(2);
});

test("W25: a check-in without a known result is not repeated", async () => {
  const page = await browser.get(venue);
  web.directory.behave(ADD, (call) => {
    call.usual();
    hangs()(call);
  });
  const send = () => browser.submit(page, `${venue}/checkins`, { shout: "perhaps" });
  const reply = await send();
  expect([reply.status, reply.body.includes("You may or may not be checked in.")]).toEqual([503, true]);
  expect(reply.body).toContain('value="perhaps"');
  web.directory.behave(ADD, usual);
  const asked = vi.spyOn(web.own.pool, "query");
  const again = send();
  await expect
    .poll(() => asked.mock.calls.some(([statement]) => JSON.stringify(statement).includes("isAdded")))
    .toBe(true);
  vi.useFakeTimers({ now: Date.now() + 10_000, toFake: ["Date"] }); // it waits no longer for the first to be answered
  onTestFinished(() => void vi.useRealTimers());
  expect((await again).body).toContain("You may or may not be checked in.");
  expect(web.directory.calls(ADD)).toBe(1);
});

test("a check-in that the directory refuses can be sent again", async () => {
  const page = await browser.get(venue);
  web.directory.behave(ADD, answersError(403, "rate_limit_exceeded", { "retry-after": "30" }));
  const refused = await browser.submit(page, `${venue}/checkins`, { shout: "kept" });
  expect(refused.status).toBe(503);
  expect(refused.body).toMatch(/slow down.*value="kept"/s);
  web.directory.behave(ADD, usual);
  expect((await browser.submit(refused, `${venue}/checkins`)).status).toBe(303);
  expect(web.directory.checkins.map(({ shout }) => shout)).toEqual(["kept"]);
});

test.each([
  ["knows no such endpoint", answersError(404, "endpoint_error"), "takes no check-ins from applications"],
  ["does not take the method, in HTML", answers(405, "<p>No", { "content-type": "text/html" }), "takes no check-ins"],
])("the form of a check-in says that a directory takes none, if it %s", async (_what, behaviour, words) => {
  web.directory.behave(ADD, behaviour);
  const reply = await checkIn({ shout: "kept" });
  expect(reply.status).toBe(502);
  expect(reply.body).toContain(words);
  expect(reply.body).toContain('value="kept"');
});

test("a comment that is too long is kept, with what is wrong", async () => {
  const reply = await checkIn({ shout: "x".repeat(201) });
  expect(reply.status).toBe(400);
  expect(reply.body).toMatch(/shout may have at most 200 characters.*value="x{201}"/s);
  expect(web.directory.calls(ADD)).toBe(0);
});

test("W01: a check-in form of another session checks nobody in, and keeps the comment", async () => {
  const reply = await browser.post(`${venue}/checkins`, { shout: "forged", key: "k", _csrf: "x" });
  expect(reply.status).toBe(403);
  expect(reply.body).toContain('value="forged"');
  expect(web.directory.calls(ADD)).toBe(0);
});
