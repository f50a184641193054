import { expect, test } from "vitest";
import { propose } from "../../../../src/directory/proposals/propose.ts";
import { formFields } from "../../../support/http-client.ts";
import { addVenue, operatorHost } from "./host.ts";

const host = await operatorHost();
const { prisma } = host.deps;
const PAGE = "/operator/proposals";

/** Proposes as a user who has added nothing. */
async function proposed(id: string, wanted: Record<string, string>, more: { into?: string; comment?: string } = {}) {
  const by = { userId: (await host.user()).id, clientId: "other", isOperator: false };
  const what = { id, wanted, was: undefined, into: more.into, comment: more.comment };
  return propose(host.deps, what, by);
}
const venue = (id: string) => prisma.venue.findUnique({ where: { id } });
const state = async (id: string) => prisma.venueProposal.findUnique({ where: { id: BigInt(id) } });

test("an operator sees a proposal beside the venue, what differs marked, accepts it and finds both names in the history", async () => {
  const id = await addVenue(host, "Lantern <b>Coffee");
  const change = await proposed(id, { name: "Lantern Café", ll: "41.81,-71.4" }, { comment: "New <i>sign" });
  const browser = await host.newOperator();
  const page = await browser.get(PAGE);
  const text = page.body.replace(/\s+/g, " ");
  expect(text).toContain(
    "<td><bdi>Lantern<del> &lt;b&gt;Coffee</del></bdi></td><td><bdi>Lantern<ins> Café</ins></bdi></td>",
  );
  expect(text, "what stays the same").not.toContain("<bdi>1 Main St");
  expect(text).toContain("Moves by");
  expect(text).toContain("“<bdi>New &lt;i&gt;sign</bdi>”");
  const answer = "Thank you\u0000";
  const accepted = await browser.follow(await browser.submit(page, PAGE, { accept: change, answer }));
  expect(accepted.body).toContain("1 proposal accepted.");
  expect(accepted.body.replace(/\s+/g, " ")).toContain("Accepted by <bdi>olga</bdi>: “<bdi>Thank you</bdi>”");
  expect(await venue(id)).toMatchObject({ name: "Lantern Café", lat: 41.81 });
  const history = (await browser.get(`/operator/venues?id=${id}`)).body;
  expect(history).toMatch(/olga<\/bdi><br><span class="small muted">proposed by <bdi>\w+/);
  const again = await browser.follow(await browser.submit(page, PAGE, { accept: change }));
  expect(again.body).toContain("This proposal has already been decided.");
});

test("an operator decides several at once, the oldest first, and one that fails is named", async () => {
  const ids = [await addVenue(host, "One"), await addVenue(host, "Two"), await addVenue(host, "Three")];
  const [one = "", two = "", three = ""] = ids;
  const closed = await proposed(one, { closed: "true" });
  const duplicate = await proposed(two, {}, { into: three });
  const gone = await proposed(three, { city: "Bristol" });
  const browser = await host.newOperator();
  const page = await browser.get(PAGE);
  const order = [...page.body.matchAll(/id="proposal-(\d+)"/g)].map(([, each]) => each);
  expect(order).toEqual([closed, duplicate, gone]);
  const nothing = await browser.follow(
    await browser.post(PAGE, { _csrf: formFields(page, PAGE)._csrf ?? "", decision: "accept" }),
  );
  expect(nothing.body).toContain("Select a proposal first.");
  await prisma.venue.update({ where: { id: three }, data: { city: "Warwick" } });
  const fields = new URLSearchParams(formFields(page, PAGE));
  fields.delete("proposal");
  for (const each of [closed, duplicate, gone]) fields.append("proposal", each);
  fields.set("decision", "accept");
  const decided = await browser.follow(
    await browser.post(PAGE, fields.toString(), { "content-type": "application/x-www-form-urlencoded" }),
  );
  expect(decided.body).toContain("2 proposals accepted. 1 of 3 failed.");
  expect(decided.body).toContain("It now has: city &quot;Warwick&quot;");
  expect((await venue(one))?.closedAt).not.toBeNull();
  expect([await venue(two), (await venue(three))?.city]).toEqual([null, "Warwick"]);
  expect([(await state(closed))?.intoId, (await state(duplicate))?.intoId]).toEqual([null, three]);
  const declined = await browser.follow(
    await browser.submit(decided, PAGE, { decline: gone, answer: "It is Warwick." }),
  );
  expect(declined.body).toContain("1 proposal declined.");
  expect(declined.body).toContain("Nothing to decide");
  expect(await state(gone)).toMatchObject({ state: "declined", answer: "It is Warwick.", intoId: null });
  expect(
    [...declined.body.matchAll(/<td class="words">(City|Status|Duplicate)<\/td>/g)].map(([, what]) => what).sort(),
  ).toEqual(["City", "Duplicate", "Status"]);
});

test("C62: the form without the session's token, or by a user who is no operator, decides nothing", async () => {
  const id = await addVenue(host, "Kept");
  const proposal = await proposed(id, { city: "Elsewhere" });
  const [browser, stranger] = [await host.newOperator(), await host.newDeveloper()];
  const form = formFields(await browser.get(PAGE), PAGE);
  const { _csrf = "" } = formFields(await stranger.get("/applications/new"), "/applications");
  const answers = [
    await browser.post(PAGE, { ...form, _csrf: "", accept: proposal }),
    await browser.post(PAGE, { ...form, accept: proposal }, { origin: "http://evil.example" }),
    await stranger.post(PAGE, { _csrf, accept: proposal }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 404]);
  expect([(await state(proposal))?.state, (await venue(id))?.city]).toEqual(["open", null]);
});
