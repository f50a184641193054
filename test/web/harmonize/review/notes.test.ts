import { expect, test } from "vitest";
import { makeHarmonization } from "../../../harmonize/rows.ts";
import { formFields } from "../../../support/http-client.ts";
import { newMember } from "../../admin/browser.ts";
import { startWeb } from "../../web-app.ts";

const web = await startWeb();
const { prisma } = web.database;
const [ann, bob] = [await newMember(web, "Ann"), await newMember(web, "Bob")];
const [cy, stranger] = [await newMember(web, "Cy"), await newMember(web, "Dee")];

async function make() {
  const rows = Array.from({ length: 3 }, (_, at) => ({ name: `Row ${at + 1}` }));
  const made = await makeHarmonization(web.database, ann.id, rows, { directory: web.config.api.url });
  const people = [
    { accountId: bob.id, role: "reviewer" as const },
    { accountId: cy.id, role: "viewer" as const },
  ];
  await prisma.listPerson.createMany({ data: people.map((each) => ({ listId: made.listId, ...each })) });
  return made.id;
}

type Person = typeof ann;

async function write({ browser }: Person, id: string, number: number, fields: { text: string; ask?: string }) {
  const { _csrf = "" } = formFields(await browser.get("/settings"), "/logout");
  const path = `/harmonizations/${id}/listings/${number}/note`;
  return browser.follow(await browser.post(path, { _csrf, ...fields }));
}
const decide = async ({ browser }: Person, id: string, number: number) => {
  await prisma.listing.updateMany({ where: { harmonizationId: id }, data: { lockedBy: null, lockedUntil: null } });
  const { _csrf = "" } = formFields(await browser.get("/settings"), "/logout");
  return browser.post(`/harmonizations/${id}/listings/${number}`, { _csrf, decision: "rejected" });
};
/** The rows that somebody is asked about, and how many questions and answers their page of files tells. */
async function askedOf({ browser, id: who }: Person, id: string) {
  const { body } = await browser.get(`/harmonizations/${id}?asked=${who}`);
  const rows = [...body.matchAll(/review\/(\d)">Row/g)].map(([, number]) => Number(number));
  const files = (await browser.get("/harmonizations")).body;
  const told = new RegExp(`${id}/review\\?show=asked[^>]*>([^<]*)`).exec(files)?.[1] ?? "";
  const [questions, answers] = ["question", "answer"].map((what) => new RegExp(`(\\d+) ${what}`).exec(told)?.[1]);
  return [rows, Number(questions ?? 0), Number(answers ?? 0)];
}

test("W124: a question is in the queue of who is asked, and of nobody else, until a note of theirs or a decision answers it", async () => {
  const id = await make();
  expect((await write(ann, id, 1, { text: "Is this the harbour?", ask: bob.id })).body).toContain(
    "Your question is sent.",
  );
  await write(ann, id, 3, { text: "And this?", ask: bob.id });
  await write(ann, id, 3, { text: "Really?", ask: bob.id });
  await write(ann, id, 2, { text: "No question" });
  expect([await askedOf(bob, id), await askedOf(ann, id), await askedOf(cy, id)]).toEqual([
    [[1, 3], 2, 0],
    [[], 0, 0],
    [[], 0, 0],
  ]);
  await write(ann, id, 1, { text: "Never mind the pier." });
  expect(await askedOf(bob, id)).toEqual([[1, 3], 2, 0]);
  await write(bob, id, 1, { text: "Yes, and I ask back", ask: ann.id });
  expect([await askedOf(bob, id), await askedOf(ann, id)]).toEqual([
    [[3], 1, 0],
    [[1], 1, 1],
  ]);
  await decide(bob, id, 3);
  await decide(ann, id, 1);
  expect([await askedOf(bob, id), await askedOf(ann, id)]).toEqual([
    [[], 0, 0],
    [[], 0, 0],
  ]);
  await write(ann, id, 1, { text: "After the decision", ask: bob.id });
  expect(await askedOf(bob, id)).toEqual([[1], 1, 0]);
});

test("W150: what waits for somebody is a queue: questions until they answer or decide, answers to their own until they write or somebody decides", async () => {
  const id = await make();
  const queueOf = async ({ browser }: Person) => {
    const seen: string[] = [];
    await prisma.listing.updateMany({ where: { harmonizationId: id }, data: { lockedBy: null, lockedUntil: null } });
    for (let after = "0"; ; ) {
      const { location } = await browser.get(`/harmonizations/${id}/review?show=asked&after=${after}`);
      const number = /review\/(\d)\?show=asked$/.exec(location)?.[1];
      if (number === undefined || seen.includes(number)) return seen.join(" ");
      seen.push(number);
      after = number;
    }
  };
  const all = async () => [await queueOf(ann), await queueOf(bob), await queueOf(cy)];
  await decide(ann, id, 3);
  for (const number of [3, 1, 2]) await write(ann, id, number, { text: "Here?", ask: bob.id });
  expect(await all()).toEqual(["", "1 2 3", ""]);
  const card = (await bob.browser.follow(await bob.browser.get(`/harmonizations/${id}/review?show=asked`))).body;
  expect(card).toContain("of 3 waiting for you");
  expect((await ann.browser.get(`/harmonizations/${id}`)).body).toContain("3 questions for Bob");
  expect((await bob.browser.get(`/harmonizations/${id}`)).body).toMatch(/review\?show=asked">3 questions for you/);
  await write(bob, id, 3, { text: "It is." });
  await write(bob, id, 1, { text: "No." });
  await decide(bob, id, 2);
  expect(await all(), "answered and decided").toEqual(["1 3", "", ""]);
  expect((await ann.browser.get(`/harmonizations/${id}`)).body).toContain("Bob is reviewing, at line 3");
  await write(ann, id, 3, { text: "Thanks." });
  await decide(ann, id, 1);
  expect(await all()).toEqual(["", "", ""]);
});

test("W124: only who may decide is asked; a note is text, of who wrote it, on the card, in the results and in the download", async () => {
  const id = await make();
  for (const ask of [cy.id, stranger.id, "00000000-0000-4000-8000-000000000000"])
    expect((await write(ann, id, 1, { text: "You?", ask })).body).toContain(
      "Ask somebody who reviews or owns this list.",
    );
  expect((await write(cy, id, 1, { text: "From a viewer" })).status).toBe(404);
  expect((await write(ann, id, 9, { text: "No such row" })).status).toBe(404);
  expect((await write(ann, id, 1, { text: "  " })).body).toContain("Write something first.");
  const download = async () => (await cy.browser.get(`/harmonizations/${id}/export?format=csv`)).body;
  expect((await download()).split("\n")[0]).not.toContain("note");
  await write(bob, id, 1, { text: '<b>"odd"</b>,\r\n=1+1' });
  const card = (await cy.browser.get(`/harmonizations/${id}/review/1`)).body;
  expect(card).toContain("&lt;b&gt;");
  expect(card).not.toContain('<b>"odd');
  expect(card).not.toContain("Save note");
  expect((await cy.browser.get(`/harmonizations/${id}`)).body).toContain("Bob: &lt;b&gt;");
  const csv = await download();
  expect(csv.split("\n")[0]).toContain(",note");
  expect(csv).toContain('"Bob: <b>""odd""</b>,\n\'=1+1"');
  expect(await prisma.note.count({ where: { harmonizationId: id } })).toBe(1);
});
