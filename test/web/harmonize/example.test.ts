import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EXAMPLE } from "../../../src/harmonize/file/example.ts";
import { EXAMPLE_OF_GUESTS } from "../../../src/harmonize/run/harmonizations.ts";
import { makeCandidate, makeHarmonization } from "../../harmonize/rows.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { startRuns } from "./runs.ts";

const { web, fay, owner } = await startRuns();
const { prisma } = web.database;
await prisma.account.update({ where: { id: owner }, data: { role: "admin" } });
const guest = createHttpClient(web.url);
const { accountId: _, name } = EXAMPLE_OF_GUESTS;
const hash = createHash("sha256").update(readFileSync(EXAMPLE)).digest();
const listings = ["One", "Two", "Three"].map((each) => ({
  name: each,
  candidates: [makeCandidate(each, 0.6)],
  more: { isClear: true },
}));
const make = (account: string | null, more = {}) =>
  makeHarmonization(web.database, account, listings, { directory: web.directory.baseUrl, hash, ...more });

const { id } = await make(null, { name });
const at = (path = "") => `/harmonizations/${id}${path}`;
const LOOKS = ["", "?cut=80", "?show=review", "/review/2", "/export?format=csv"];

test("W92: a guest looks at results, slider, card and download of the example, and nothing is locked or changed by it", async () => {
  expect((await guest.get("/example")).location).toBe(web.url + at());
  const before = await prisma.listing.findMany({ where: { harmonizationId: id }, orderBy: { number: "asc" } });
  for (const path of LOOKS) {
    const { status, body } = await guest.get(at(path));
    expect([path, status, body.includes('method="post"'), body.includes("_csrf")]).toEqual([path, 200, false, false]);
  }
  expect((await guest.get(at("?cut=80"))).body).toContain('type="range"');
  expect((await guest.get(at("/review?after=1"))).location).toBe(web.url + at("/review/2"));
  expect((await guest.get(at("/review?after=3"))).location).toBe(web.url + at("/review/1"));
  expect(await prisma.listing.findMany({ where: { harmonizationId: id }, orderBy: { number: "asc" } })).toEqual(before);
});

test("W92: everything else asks a guest to log in or is refused: forms, other pages of the example, and other files", async () => {
  const other = await make(owner, { hash: null });
  const pages = [at("/add"), at("/bridge"), at("/conflicts"), at("/listings/1/add"), at("/events"), "/harmonizations"];
  for (const path of [...pages, ...LOOKS.map((each) => `/harmonizations/${other.id}${each}`)])
    expect([path, (await guest.get(path)).location.startsWith(`${web.url}/login?next=`)]).toEqual([path, true]);
  for (const path of ["/listings/1", "/listings", "/cuts", "/delete", "/share", "/undo", "/listings/1/lock"])
    expect([path, (await guest.post(at(path), { decision: "rejected" })).status]).toEqual([path, 403]);
  expect(await prisma.listing.count({ where: { harmonizationId: id, decision: null, lockedBy: null } })).toBe(3);
});

test("W92: no list has the example of the guests, and a member goes on with one of their own, made once", async () => {
  expect((await fay.get("/harmonizations")).body).not.toContain(id);
  expect((await fay.get(at())).location).toBe(`${web.url}/example`);
  expect((await fay.get(at("/add"))).status).toBe(404);
  const own = async () => (await fay.get("/example")).location;
  expect(await own()).toBe(`${web.url}/harmonizations`);
  const _csrf = /name="_csrf" value="([^"]+)"/.exec((await fay.get("/harmonizations")).body)?.[1] ?? "";
  const ask = async () => (await fay.post("/harmonizations", { _csrf, example: "1" })).location;
  const one = await ask();
  expect([await ask(), await own()]).toEqual([one, one]);
  expect(one).not.toContain(id);
  expect(await prisma.harmonization.count({ where: { accountId: owner, hash } })).toBe(1);
});

test("W92: an example of guests that a process left as a draft is started", async () => {
  await prisma.harmonization.update({ where: { id }, data: { state: "draft" } });
  expect((await guest.get("/example")).location).toBe(web.url + at());
  const { state } = await prisma.harmonization.findUniqueOrThrow({ where: { id } });
  expect(state).not.toBe("draft");
});
