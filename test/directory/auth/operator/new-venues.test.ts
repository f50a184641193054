import { expect, test } from "vitest";
import { formFields } from "../../../support/http-client.ts";
import { addHeld, addVenue, operatorHost } from "./host.ts";

const host = await operatorHost();
const { prisma } = host.deps;
const PAGE = "/operator/proposals";

const held = (name: string) => addHeld(host, name);
const closedAt = async (id: string) =>
  (await prisma.venue.findUnique({ where: { id }, select: { closedAt: true } }))?.closedAt;

test("an operator sees a held venue beside those that may be the same, held ones too, and merges it into one", async () => {
  const open = await addVenue(host, "Quill Bakery");
  const [one, other] = [await held("Quill <b>Bakery"), await held("The Quill Bakery")];
  const browser = await host.newOperator();
  const page = await browser.get(PAGE);
  const text = page.body.replace(/\s+/g, " ");
  expect(text).toContain("<td><bdi>Quill &lt;b&gt;Bakery</bdi></td>");
  expect(text).toContain("Also waiting for approval");
  expect(text).toContain(`name="merge" value="${one.proposal} ${open}"`);
  expect(text).not.toContain(`${one.proposal} ${other.id}`);
  const merge = { merge: `${one.proposal} ${open}`, answer: "It is there." };
  const merged = await browser.follow(await browser.submit(page, PAGE, merge));
  expect(merged.body).toContain("1 new venue merged.");
  expect(await prisma.movedVenue.findUnique({ where: { id: one.id } })).toMatchObject({ venueId: open });
  const rejected = await browser.follow(
    await browser.submit(merged, PAGE, { decline: other.proposal, answer: "Spam" }),
  );
  expect(rejected.body).toContain("1 proposal declined.");
  expect(await prisma.venue.count({ where: { id: other.id } })).toBe(0);
});

test("an operator approves several held venues at once, or merges each into the likeliest", async () => {
  const browser = await host.newOperator();
  const decideAll = async (decision: string, proposals: string[]) => {
    const fields = new URLSearchParams(formFields(await browser.get(PAGE), PAGE));
    fields.delete("proposal");
    for (const each of proposals) fields.append("proposal", each);
    fields.set("decision", decision);
    const type = { "content-type": "application/x-www-form-urlencoded" };
    return (await browser.follow(await browser.post(PAGE, fields.toString(), type))).body;
  };
  const [one, other] = [await held("Tern Optics"), await held("Heron Hardware")];
  expect(await decideAll("accept", [one.proposal, other.proposal])).toContain("2 proposals accepted.");
  expect([await closedAt(one.id), await closedAt(other.id)]).toEqual([null, null]);
  const [again, alone] = [await held("Tern Optics"), await held("Petrel Pianos and Organs")];
  const merged = await decideAll("merge", [again.proposal, alone.proposal]);
  expect(merged).toContain("1 new venue merged. 1 of 2 failed.");
  expect(merged).toContain("There is no venue to merge it into.");
  expect(await prisma.movedVenue.findUnique({ where: { id: again.id } })).toMatchObject({ venueId: one.id });
});
