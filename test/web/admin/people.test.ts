import { beforeEach, expect, test } from "vitest";
import { formFields } from "../../support/http-client.ts";
import { startWeb } from "../web-app.ts";
import { confirmedAgo, newAdmin, newMember } from "./browser.ts";

const NAMED = "0123456789abcdef01234567";
const web = await startWeb({ env: { ADMINS: NAMED } });
const { prisma } = web.database;
const PAGE = "/admin/people";

beforeEach(() => prisma.account.deleteMany());

const account = (firstName: string, more = {}) =>
  prisma.account.create({
    data: { directory: web.config.api.url, externalId: firstName.toLowerCase(), firstName, ...more },
  });

test("people are found only by a part of their name or handle, in any case", async () => {
  const { browser } = await newAdmin(web);
  await account("Zoë", { lastName: "Quinn", handle: "zq" });
  await account("Under_score");
  await account("Elsewhere", { directory: "https://other.example" });
  const found = async (query: string) => {
    const { body } = await browser.get(`${PAGE}?query=${encodeURIComponent(query)}`);
    return [...body.matchAll(/<th scope="row"><bdi>([^<]*)/g)].map(([, name]) => name);
  };
  expect(await found("QUINN")).toEqual(["Zoë Quinn"]);
  expect(await found("zq")).toEqual(["Zoë Quinn"]);
  expect(await found("_")).toEqual(["Under_score"]);
  expect([await found("%"), await found("elsewhere")]).toEqual([[], []]);
  expect(await found("")).toHaveLength(3);
});

test("a page has fifty people, and an action returns to the same page", async () => {
  const { browser } = await newAdmin(web);
  for (let count = 0; count < 60; count += 1)
    await account(`Person ${count}`, { lastLoginAt: new Date(Date.now() - (count + 1) * 60_000) });
  const second = await browser.get(`${PAGE}?page=2`);
  expect(second.body).toContain("51–61 of 61");
  expect((await browser.get(PAGE)).body).toContain("1–50, and more");
  const beyond = await browser.get(`${PAGE}?page=3`);
  expect([beyond.status, beyond.body.includes("No more people")]).toEqual([200, true]);
  const { id } = await prisma.account.findFirstOrThrow({ where: { firstName: "Person 55" } });
  const action = `${PAGE}/${id}/disable?page=2`;
  const reply = await browser.submit(second, action);
  expect(reply.headers.get("location")).toBe(`${PAGE}?page=2`);
  const headers = { cookie: [...browser.cookies].map((pair) => pair.join("=")).join("; ") };
  await fetch(web.url + PAGE, { method: "HEAD", headers }); // shows it to nobody
  const after = await browser.follow(reply);
  expect(after.body).toContain("The account is disabled");
  expect((await browser.get(`${PAGE}?page=2`)).body).not.toContain("The account is disabled");
});

test("W08: no admin changes their own account, and accounts in ADMINS cannot be disabled or lose the role", async () => {
  const { browser, id } = await newAdmin(web);
  await account("Named", { externalId: NAMED });
  const named = await prisma.account.findFirstOrThrow({ where: { externalId: NAMED } });
  const { _csrf = "" } = formFields(await browser.get("/settings"), "/logout");
  for (const action of ["take-admin", "disable", "end-sessions"])
    expect((await browser.post(`${PAGE}/${id}/${action}`, { _csrf })).status).toBe(409);
  for (const action of ["take-admin", "disable"]) {
    const reply = await browser.post(`${PAGE}/${named.id}/${action}`, { _csrf });
    expect([reply.status, reply.body]).toEqual([409, expect.stringContaining("remove it there")]);
    expect(reply.body).toContain("Admin (from ADMINS)");
    expect(reply.body).not.toContain(`${named.id}/${action}`);
  }
  expect(await prisma.account.findUniqueOrThrow({ where: { id: named.id } })).toMatchObject({ disabledAt: null });
  expect(await prisma.account.findUniqueOrThrow({ where: { id } })).toMatchObject({ role: "admin", disabledAt: null });
});

test("the people page shows how many sessions a person has, and ends them", async () => {
  const { browser: admin } = await newAdmin(web);
  const { browser, id } = await newMember(web, "Mia");
  await web.logIn(web.newBrowser());
  await confirmedAgo(web);
  const row = async () => /Mia.*?<td class="num"[^>]*>(\d+)/s.exec((await admin.get(PAGE)).body)?.[1];
  expect(await row()).toBe("2");
  await admin.submit(await admin.get(PAGE), `${PAGE}/${id}/end-sessions`);
  expect(await row()).toBe("0");
  expect((await browser.get("/settings")).status).toBe(303);
});
