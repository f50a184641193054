import { expect, test } from "vitest";
import { makeCandidate, makeHarmonization } from "../../../harmonize/rows.ts";
import { formFields } from "../../../support/http-client.ts";
import { newMember } from "../../admin/browser.ts";
import { startWeb } from "../../web-app.ts";

const ROWS = 120;
/** Of Ann and Cy, so that Bob decides most. */
const EACH = 25;
const web = await startWeb();
const { prisma } = web.database;
const [ann, bob, cy] = [await newMember(web, "Ann"), await newMember(web, "Bob"), await newMember(web, "Cy")];
type Person = typeof ann;

/** Doubtful rows of several towns and scores, owned by Ann. Bob and Cy review them. */
async function make() {
  const rows = Array.from({ length: ROWS }, (_, at) => ({
    name: `Row ${at + 1}`,
    candidates: [makeCandidate("v1", 0.4 + ((at * 7) % 40) / 100)],
    more: { query: { name: `Row ${at + 1}`, city: `Town ${at % 17}` } },
  }));
  const made = await makeHarmonization(web.database, ann.id, rows, { directory: web.config.api.url });
  for (const { id } of [bob, cy])
    await prisma.listPerson.create({ data: { listId: made.listId, accountId: id, role: "reviewer" } });
  return { id: made.id, listId: made.listId };
}

/** Reviews until nothing is left or the person may no longer. Calls `before` with how many they have decided. */
async function review({ browser }: Person, id: string, sort: string, before: (done: number) => Promise<boolean>) {
  const shown: number[] = [];
  const { _csrf = "" } = formFields(await browser.get("/settings"), "/logout");
  let next = await browser.get(`/harmonizations/${id}/review?sort=${sort}`);
  for (let done = 0; await before(done); ) {
    const number = Number(/review\/(\d+)\?/.exec(next.location)?.[1]);
    if (!number) return shown;
    shown.push(number);
    const card = await browser.follow(next);
    if (card.status !== 200) return shown;
    const asked = card.body.includes('data-lock=""')
      ? undefined
      : formFields(card, `/harmonizations/${id}/listings/${number}`);
    if (!asked) return shown;
    next = await browser.post(`/harmonizations/${id}/listings/${number}`, {
      ...asked,
      _csrf,
      decision: number % 3 ? "rejected" : "matched",
      venueId: "v1",
    });
    if (next.status !== 303) return shown;
    done += 1;
  }
  return shown;
}

test(`F161: three people review ${ROWS} rows at once, of whom one is disabled and one hands over: no row twice, none lost, questions and notes right`, {
  timeout: 900_000,
}, async () => {
  const { id, listId } = await make();
  const { _csrf = "" } = formFields(await ann.browser.get("/settings"), "/logout");
  const note = (number: number, fields: { text: string; ask?: string }) =>
    ann.browser.post(`/harmonizations/${id}/listings/${number}/note`, { _csrf, ...fields });
  const people = (fields: Record<string, string>) =>
    ann.browser.post(`/harmonizations/${id}/people`, { _csrf, ...fields });
  await note(ROWS, { text: "A note" });
  await note(ROWS - 1, { text: "Is it?", ask: bob.id });
  const begun = performance.now();
  const shown = await Promise.all([
    review(ann, id, "score", async (done) => {
      if (done < EACH) return true;
      await people({ person: bob.id, role: "owner" });
      await people({ person: ann.id, role: "none" });
      return false;
    }),
    review(bob, id, "town", async () => true),
    review(cy, id, "reason", async (done) => {
      if (done === EACH) await prisma.account.update({ where: { id: cy.id }, data: { disabledAt: new Date() } });
      return done <= EACH;
    }),
  ]);
  // What Ann and Cy had open and left is free again in two minutes.
  await prisma.listing.updateMany({
    where: { harmonizationId: id, decision: null },
    data: { lockedUntil: new Date(0) },
  });
  const rest = await review(bob, id, "town", async () => true);
  const seconds = (performance.now() - begun) / 1000;
  const steps = await prisma.decisionStep.findMany({
    where: { harmonizationId: id },
    select: { number: true, accountId: true },
  });
  const byPerson = [ann, bob, cy].map((each) => steps.filter(({ accountId }) => accountId === each.id).length);
  console.log(
    JSON.stringify({
      rows: ROWS,
      decided: steps.length,
      byPerson,
      atTheEnd: rest.length,
      seconds: Math.round(seconds),
    }),
  );
  expect(new Set(steps.map(({ number }) => number)).size, "each row").toBe(ROWS);
  expect(steps, "once").toHaveLength(ROWS);
  expect(await prisma.listing.count({ where: { harmonizationId: id, decision: null } })).toBe(0);
  const decidedByShown = shown.map(
    (numbers, at) =>
      numbers.filter((number) =>
        steps.some((step) => step.number === number && step.accountId === [ann, bob, cy][at]?.id),
      ).length,
  );
  expect(decidedByShown[0]).toBe(EACH);
  expect(decidedByShown[2]).toBe(EACH);
  expect((await ann.browser.get(`/harmonizations/${id}`)).status).toBe(404);
  expect(await prisma.listPerson.findMany({ where: { listId, role: "owner" } })).toMatchObject([{ accountId: bob.id }]);
  expect(await prisma.note.count({ where: { harmonizationId: id } })).toBe(2);
  expect((await bob.browser.get(`/harmonizations/${id}/review?show=asked`)).status, "a decision has answered").toBe(
    200,
  );
});
