import { expect, test } from "vitest";
import { atMost } from "../../../src/shared/at-most.ts";
import { localPath } from "../../../src/web/base/local-path.ts";
import { roundsOf } from "../../support/rounds.ts";
import { startWeb } from "../../web/web-app.ts";
import { OPEN_REDIRECTS } from "../open-redirects.ts";

const web = await startWeb();

test("A18: no value of `next` is a way elsewhere", () => {
  expect(new Set(OPEN_REDIRECTS).size).toBeGreaterThan(559);
  expect(OPEN_REDIRECTS.map(localPath).filter((path) => !isOurs(path))).toEqual([]);
});

/** Some of each kind: the list has five hosts behind each beginning. */
const TRIED = OPEN_REDIRECTS.filter((_, at) => at % roundsOf(1, 7) === 0);

test("A18: a log-in with any value of `next` ends on a page of the app without an error", async () => {
  const member = await web.logIn();
  const ends = await atMost(4, TRIED, async (next) => {
    const browser = web.newBrowser();
    const query = new URLSearchParams({ next });
    const start = await browser.get(`/login?${query}`);
    if (start.status === 431) return undefined; // longer than the head of a request may be
    expect(start.status, JSON.stringify(next)).toBe(303);
    const { headers } = await fetch(start.location, { redirect: "manual" });
    const callback = headers.get("location") ?? "";
    const ends = [await browser.get(callback), await member.get(`/login/popup?${query}`)];
    const links = [ends[0]?.headers.get("location"), /href="([^"]*)" data-logged-in/.exec(ends[1]?.body ?? "")?.[1]];
    return links.every((link) => isOurs(link ?? ""))
      ? undefined
      : { next, links, status: ends.map(({ status }) => status) };
  });
  expect(ends.filter((end) => end !== undefined)).toEqual([]);
});

// One leading slash, then plain ASCII without a backslash, reads the same in all browsers.
function isOurs(link: string): boolean {
  const isPlain = /^\/(?![/\\])[!-[\]-~]*$/.test(link);
  return isPlain && new URL(link, web.url).origin === web.url && !/^\/log(in|out)\b/.test(link);
}
