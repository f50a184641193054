import { beforeEach, describe, expect, test } from "vitest";
import {
  after,
  answers,
  answersError,
  type Behaviour,
  changes,
  rateLimits,
  usual,
} from "../../support/fake-directory/behaviours.ts";
import type { HttpClient } from "../../support/http-client.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb({ checkinsMs: 500 });
const { prisma } = web.database;
const LIST = "/v2/users/self/checkins";

beforeEach(async () => {
  web.directory.reset();
  web.directory.setCheckins(45);
  await prisma.checkinCopy.deleteMany();
});

/** Each test has its own person, whose first copy has been made. */
async function visitor(checkins = 45): Promise<HttpClient> {
  web.directory.setCheckins(checkins);
  web.directory.signIn("Vi");
  const browser = await web.logIn();
  await caughtUp(browser);
  web.directory.requests.length = 0;
  return browser;
}

/** Visits until the copy is whole. */
async function caughtUp(browser: HttpClient, words = /newest first|No check-ins yet/): Promise<string> {
  for (let visits = 0; visits < 300; visits += 1) {
    const { body } = await browser.get("/checkins");
    if (words.test(body)) return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The page never said ${words}.`);
}

const copied = () => prisma.copiedCheckin.findMany({ orderBy: { at: "desc" } });

/** Holds calls back from the `k`th on, until the returned function is called. */
function holdsFrom(k: number): { behaviour: Behaviour; letGo: () => void } {
  let [calls, isOpen] = [0, false];
  const held: (() => void)[] = [];
  return {
    behaviour: (call) => {
      calls += 1;
      if (isOpen || calls < k) usual(call);
      else held.push(() => usual(call));
    },
    letGo() {
      isOpen = true;
      for (const answer of held.splice(0)) answer();
    },
  };
}

test("a visit brings what is new, with one call", async () => {
  const browser = await visitor();
  const [first] = web.directory.checkins;
  web.directory.checkins.unshift({ ...first, id: "new", createdAt: 1_790_086_400, shout: "Just now" } as typeof first &
    object);
  expect((await browser.get("/checkins")).body).toMatch(/46 check-ins, newest first.*“<bdi>Just now<\/bdi>”/s);
  expect(web.directory.calls(LIST)).toBe(1);
  expect((await browser.get("/checkins?page=2")).body).toContain("41–46 of 46");
  expect(web.directory.calls(LIST), "browsing asks nothing").toBe(1);
});

test("a check-in that the directory has deleted disappears, also an old one", async () => {
  const browser = await visitor();
  web.directory.checkins.splice(0, 1);
  web.directory.checkins.splice(40, 1);
  expect(await caughtUp(browser, /43 check-ins/)).not.toContain("45 check-ins");
  expect((await copied()).map(({ id }) => id)).toEqual(web.directory.checkins.map(({ id }) => id));
});

test("what the directory changes in a recent check-in is changed", async () => {
  const browser = await visitor();
  const [first] = web.directory.checkins;
  if (first) first.shout = "Edited";
  expect((await browser.get("/checkins")).body).toContain("Edited");
});

describe("the first copying of many check-ins", () => {
  test("does not hold the page, shows its progress and goes on by itself", async () => {
    web.directory.signIn("Patience");
    web.directory.setCheckins(1200);
    const { behaviour, letGo } = holdsFrom(3);
    web.directory.behave(LIST, behaviour);
    const browser = await web.logIn();
    const page = await browser.get("/checkins");
    expect(page.status).toBe(200);
    expect(page.body).toContain("Copying your check-ins");
    expect(page.body).toMatch(/<noscript><meta http-equiv="refresh"/);
    expect(page.body).toContain("499 of 1,200 check-ins");
    letGo();
    expect(await caughtUp(browser)).toContain("1,200 check-ins");
    expect((await copied()).map(({ id }) => id)).toEqual(web.directory.checkins.map(({ id }) => id));
    expect(web.directory.calls(LIST)).toBeLessThan(12);
  });

  test("that broke off goes on where it was", async () => {
    web.directory.signIn("Pia");
    web.directory.setCheckins(1200);
    web.directory.behave(LIST, after(3, answersError(500, "server_error")));
    const browser = await web.logIn();
    const page = await caughtUp(browser, /Not all of your check-ins are copied yet/);
    expect(page).toContain("The directory does not answer.");
    web.directory.reset();
    expect(await caughtUp(browser)).toContain("1,200 check-ins");
    expect(web.directory.requests.find(({ path }) => path === LIST)?.params.offset).toBe("498");
  });

  test("is complete although check-ins are deleted and added meanwhile", async () => {
    web.directory.signIn("Mo");
    web.directory.setCheckins(900);
    let calls = 0;
    web.directory.behave(LIST, (call) => {
      calls += 1;
      if (calls === 2) web.directory.checkins.splice(3, 7);
      const [first] = web.directory.checkins;
      if (calls === 4)
        web.directory.checkins.unshift({ ...first, id: "late", createdAt: 1_790_086_400 } as typeof first & object);
      usual(call);
    });
    await caughtUp(await web.logIn());
    expect((await copied()).map(({ id }) => id)).toEqual(web.directory.checkins.map(({ id }) => id));
  });
});

const ODD: [what: string, behaviour: Behaviour, count: number][] = [
  [
    "gives 20 at a time at most",
    (call) => {
      const asked = web.directory.requests.at(-1);
      if (asked) asked.params.limit = "20";
      usual(call);
    },
    45,
  ],
  [
    "ignores the offset",
    (call) => {
      const asked = web.directory.requests.at(-1);
      if (asked) asked.params.offset = "0";
      usual(call);
    },
    45,
  ],
  ["counts more than it gives", changes((body) => body.replace(/"count":\d+/, '"count":4500')), 45],
];
test.each(ODD)("the copy ends at a directory that %s", async (_what, behaviour, count) => {
  web.directory.signIn("Odd");
  web.directory.behave(LIST, behaviour);
  const browser = await web.logIn();
  expect(await caughtUp(browser)).toContain(`${count} check-ins`);
  web.directory.requests.length = 0;
  expect((await browser.get("/checkins")).body).toContain(`${count} check-ins`);
  expect(web.directory.calls(LIST), "and a visit is one call").toBe(1);
});

describe("while the directory is unavailable", () => {
  test.each([
    ["is away", answers(500, {}), "The directory cannot be reached. Newer check-ins may be missing."],
    [
      "asks to slow down",
      rateLimits("30"),
      "slow down. Please try again in 30 seconds. Newer check-ins may be missing.",
    ],
  ])("and %s, the copy is shown with its age", async (_what, behaviour, words) => {
    const browser = await visitor();
    web.directory.behave(LIST, behaviour);
    const { status, body } = await browser.get("/checkins");
    expect([status, body.includes("45 check-ins"), body.includes(words)]).toEqual([200, true, true]);
    expect(body).toMatch(/<strong>Last updated just now\.<\/strong>/);
  });

  test("it is not asked again before the time that it gave", async () => {
    const browser = await visitor();
    web.directory.behave(LIST, rateLimits("30"));
    await browser.get("/checkins");
    web.directory.reset();
    expect((await browser.get("/checkins")).body).toMatch(/Last updated .*slow down/s);
    expect(web.directory.calls(LIST)).toBe(0);
  });
});

test("S12: disconnecting deletes the copy, and a copying that still runs writes nothing more", async () => {
  const browser = await visitor(700);
  const { accountId } = await prisma.checkinCopy.findFirstOrThrow();
  await prisma.checkinCopy.update({ where: { accountId }, data: { completeAt: null, reached: 0, pass: 2 } });
  const { behaviour, letGo } = holdsFrom(2);
  web.directory.behave(LIST, behaviour);
  expect((await browser.get("/checkins")).body).toContain("Copying your check-ins");
  await browser.submit(await browser.get("/settings"), "/settings/disconnect");
  expect(await copied()).toEqual([]);
  letGo();
  for (let tries = 0; web.directory.calls(LIST) < 2 && tries < 100; tries += 1)
    await new Promise((r) => setTimeout(r, 20));
  await browser.get("/checkins");
  expect([await copied(), await prisma.checkinCopy.count()]).toEqual([[], 0]);
});
