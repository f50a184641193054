import { expect, test } from "vitest";
import { makeHarmonization } from "../../harmonize/rows.ts";
import { formFields } from "../../support/http-client.ts";
import { startWeb } from "../web-app.ts";
import { newAdmin, newMember } from "./browser.ts";

const web = await startWeb();
const { prisma, pool } = web.database;
const [ann, bob, admin] = [await newMember(web, "Ann"), await newMember(web, "Bob"), await newAdmin(web)];

const make = (name: string, more: object = {}) =>
  makeHarmonization(web.database, ann.id, [{ name: "Secret Row" }], { name, directory: web.config.api.url, ...more });
const comeBack = () => pool.query("UPDATE app.connection SET broken_at = NULL");
const owners = async (listId: string) =>
  (await prisma.listPerson.findMany({ where: { listId, role: "owner" } })).map(({ accountId }) => accountId).toSorted();

async function handOver(listId: string, who: string) {
  const { _csrf = "" } = formFields(await admin.browser.get("/settings"), "/logout");
  return admin.browser.follow(await admin.browser.post(`/admin/lists/${listId}/owner`, { _csrf, who }));
}

test("W122: an admin sees name, owners and state of a list, and none of its rows", async () => {
  const { id } = await make("Shops of Bern.csv", { state: "matching", pausedFor: "connection" });
  const { body } = await admin.browser.get("/admin/lists?query=BERN");
  for (const words of ["Shops of Bern.csv", "Ann", "Paused", "Waiting for Ann to connect again."])
    expect(body).toContain(words);
  expect(body).not.toContain("Secret Row");
  expect(body).not.toContain(id);
  expect((await admin.browser.get(`/harmonizations/${id}`)).status).toBe(404);
  expect((await admin.browser.get("/admin/people")).body).toContain("1 file waits for this connection");
  expect((await admin.browser.get("/admin/lists?query=nothing-like-it")).body).toContain("No list name or owner name");
  await prisma.harmonization.update({ where: { id }, data: { state: "deleting" } });
});

test("W122: an admin hands over a list whose owners are all gone, and no other", async () => {
  const { listId } = await make("left.csv");
  await prisma.listPerson.create({ data: { listId, accountId: bob.id, role: "reviewer" } });
  const gone = [
    () => prisma.account.update({ where: { id: ann.id }, data: { disabledAt: new Date() } }),
    () => pool.query("UPDATE app.connection SET broken_at = now() WHERE account_id = $1", [ann.id]),
  ];
  for (const go of gone) {
    expect((await handOver(listId, "Bob")).body).toContain("this list still has an active owner");
    expect(await owners(listId)).toEqual([ann.id]);
    await go();
    expect((await handOver(listId, "Nobody of this name")).body).toContain("Nobody with this username or name");
    expect((await handOver(listId, "Bob")).body).toContain("Bob now owns the list.");
    expect(await owners(listId)).toEqual([ann.id, bob.id].toSorted());
    await prisma.listPerson.update({
      where: { listId_accountId: { listId, accountId: bob.id } },
      data: { role: "reviewer" },
    });
    await prisma.account.update({ where: { id: ann.id }, data: { disabledAt: null } });
    await comeBack();
  }
});

test("an owner adds people by name, changes what they may do, and hands the list over", async () => {
  const { id, listId } = await make("handed.csv");
  const { browser } = ann;
  const path = `/harmonizations/${id}/people`;
  const { _csrf = "" } = formFields(await browser.get("/settings"), "/logout");
  const say = async (fields: Record<string, string>) =>
    (await browser.follow(await browser.post(path, { _csrf, ...fields }))).body;
  expect(await say({ who: "bob", role: "reviewer" })).toMatch(/What Ann may do.*What Bob may do/s);
  expect((await bob.browser.get("/harmonizations")).body).toMatch(
    /Shared with me.*handed\.csv.*Shared by Ann: you review/s,
  );
  expect(await say({ name: "Shops" })).toContain("The list is now called Shops.");
  expect(await say({ person: ann.id, role: "viewer" })).toContain("A list needs an owner.");
  expect(await say({ who: "nobody", role: "viewer" })).toContain("Nobody with this username or name");
  expect(await say({ person: bob.id, role: "owner" })).toContain("The people on this list were changed.");
  expect(await say({ person: ann.id, role: "none" })).toContain("You are no longer on this list.");
  expect(await owners(listId)).toEqual([bob.id]);
  expect((await browser.get(`/harmonizations/${id}`)).status).toBe(404);
  expect((await bob.browser.get("/harmonizations")).body).toMatch(/Your files.*handed\.csv/s);
});
