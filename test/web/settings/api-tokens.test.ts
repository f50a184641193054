import { beforeEach, expect, test } from "vitest";
import { makeToken } from "../../../src/web/api/tokens.ts";
import { expectNoSecrets } from "../../support/canaries.ts";
import { confirmedAgo, newAdmin, newMember } from "../admin/browser.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb();
const { database } = web;

beforeEach(() => database.prisma.apiToken.deleteMany());

const PAGE = "/settings/tokens";

async function made(browser: Awaited<ReturnType<typeof newMember>>["browser"], fields: Record<string, string> = {}) {
  const answer = await browser.submit(await browser.get(PAGE), PAGE, { name: "Monthly import", ...fields });
  return { answer, token: /sspat_[\w-]{43}/.exec(answer.body)?.[0] };
}

test("S97: a token is shown once, stored as a hash only, and not in the log", async () => {
  const { browser, id } = await newMember(web, "Ida");
  await confirmedAgo(web);
  const { answer, token = "" } = await made(browser, { days: "30" });
  expect(answer.status).toBe(200);
  expect(token).not.toBe("");
  const row = await database.prisma.apiToken.findFirstOrThrow({ where: { accountId: id } });
  expect(row).toMatchObject({ name: "Monthly import", scopes: ["read", "decide"], allFiles: true, lastUsedAt: null });
  expect(Math.round((row.expiresAt.getTime() - Date.now()) / 86_400_000)).toBe(30);
  const again = await browser.get(PAGE);
  expect(again.body).toContain("Monthly import");
  expect(again.body).not.toContain(token);
  const { rows } = await database.pool.query("SELECT row_to_json(t)::text AS text FROM app.api_token t");
  expectNoSecrets({ database: JSON.stringify(rows), log: web.logs.text() }, { token: [token, token.slice(6)] });
});

test("S97: a token is made only after a confirmation in the last ten minutes", async () => {
  const { browser, id } = await newMember(web, "Kim");
  await confirmedAgo(web);
  const page = await browser.get(PAGE);
  await confirmedAgo(web, 11);
  const answer = await browser.submit(page, PAGE, { name: "Late" });
  expect(answer.location).toContain("/login?confirm=1");
  expect(await database.prisma.apiToken.count({ where: { accountId: id } })).toBe(0);
  expect((await browser.get(PAGE)).body).not.toContain("Create token");
});

test("S97: one person has at most twenty live tokens, also if the last are made at once", async () => {
  const { browser, id } = await newMember(web, "Lea");
  await confirmedAgo(web);
  const row = (at: number) => ({
    accountId: id,
    name: `T${at}`,
    hash: Buffer.from(`lea ${at}`),
    scopes: ["read" as const],
  });
  const live = Array.from({ length: 18 }, (_, at) => ({ ...row(at), expiresAt: new Date(Date.now() + 1e7) }));
  const over = Array.from({ length: 5 }, (_, at) => ({ ...row(at + 50), expiresAt: new Date(Date.now() - 1000) }));
  await database.prisma.apiToken.createMany({ data: [...live, ...over] });
  const wanted = { name: "At once", scopes: ["read" as const], days: 30, files: undefined };
  const makings = await Promise.allSettled(Array.from({ length: 8 }, () => makeToken(database, id, wanted)));
  expect(makings.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  const { answer, token } = await made(browser);
  expect([answer.status, token]).toEqual([409, undefined]);
});

test("S98: a token is ended by its person only, and all by an admin who disables the account; enabling brings none back", async () => {
  const mia = await newMember(web, "Mia");
  const other = await newMember(web, "Noa");
  await confirmedAgo(web);
  await made(mia.browser);
  await made(mia.browser, { name: "Second" });
  const [first] = await database.prisma.apiToken.findMany({ where: { accountId: mia.id }, orderBy: { id: "asc" } });
  const end = `${PAGE}/${first?.id}/end`;
  const own = await made(other.browser);
  await other.browser.post(end, { _csrf: /name="_csrf" value="([^"]+)"/.exec(own.answer.body)?.[1] ?? "" });
  expect(await database.prisma.apiToken.count({ where: { accountId: mia.id, endedAt: null } })).toBe(2);
  await mia.browser.submit(await mia.browser.get(PAGE), end);
  expect(await database.prisma.apiToken.count({ where: { accountId: mia.id, endedAt: null } })).toBe(1);
  const admin = await newAdmin(web);
  const people = await admin.browser.get("/admin/people");
  await admin.browser.submit(people, `/admin/people/${mia.id}/disable`);
  await admin.browser.submit(await admin.browser.get("/admin/people"), `/admin/people/${mia.id}/enable`);
  expect(await database.prisma.apiToken.count({ where: { accountId: mia.id, endedAt: null } })).toBe(0);
});

test("a form without a name, with a long one, or without a chosen file says what is missing and keeps what was typed", async () => {
  const { browser } = await newMember(web, "Oda");
  await confirmedAgo(web);
  for (const [fields, words] of [
    [{ name: " " }, "Give the token a name"],
    [{ name: "x".repeat(101) }, "at most 100 characters"],
    [{ which: "chosen" }, "Choose at least one file"],
  ] as const) {
    const { answer, token } = await made(browser, { ...fields, days: "365" });
    expect([answer.status, token]).toEqual([400, undefined]);
    expect(answer.body).toContain(words);
    expect(answer.body).toMatch(/value="365" checked/);
  }
});
