import { beforeEach, expect, test } from "vitest";
import type { ListRole } from "../../../src/db/generated/enums.ts";
import { makeCandidate, makeHarmonization } from "../../harmonize/rows.ts";
import { answers } from "../../support/fake-directory/behaviours.ts";
import { newMember } from "../admin/browser.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb();
const { prisma } = web.database;
const [ann, bob] = [await newMember(web, "Ann"), await newMember(web, "Bob")];

const PAGE = "/venues/proposals";
const proposal = { createdAt: 1_767_286_800, comment: "", state: "open", values: { name: "New" } };
const NEW = { ...proposal, id: "6", venueId: "v2", new: true };
const OTHER = { ...proposal, id: "7", venueId: "v2" };
const ok = (response: object) => answers(200, { meta: { code: 200 }, response });

beforeEach(async () => {
  web.directory.reset();
  web.directory.offerProposals();
  web.directory.behave("/v2/users/self/proposals", ok({ proposals: { count: 2, items: [NEW, OTHER] } }));
  web.directory.behave("/v2/venues/v2", ok({ venue: { id: "v2", name: "New", location: { lat: 1, lng: 2 } } }));
  web.directory.behave("/v2/venues/withdraw", ok({ proposal: { ...NEW, state: "withdrawn" } }));
  await prisma.harmonization.deleteMany();
});

const decided = { decision: "matched", venueId: "v2", venueName: "New", decidedAt: new Date() } as const;
const ROWS = {
  decided: { name: "Held", more: decided },
  "accepted by its score": { name: "Held", candidates: [makeCandidate("v2", 0.99)], more: { isClear: true } },
  "in review": { name: "Asked", candidates: [makeCandidate("v2", 0.5)] },
};

async function file(owner: string, row: keyof typeof ROWS, role?: ListRole) {
  const made = await makeHarmonization(web.database, owner, [ROWS[row]], { directory: web.config.api.url });
  if (role) await prisma.listPerson.create({ data: { listId: made.listId, accountId: ann.id, role } });
}

/** What a person who takes the proposal back hears, and whether the directory was told to delete. */
async function takeBack(id: string) {
  const page = await ann.browser.get(PAGE);
  const { body } = await ann.browser.follow(await ann.browser.submit(page, PAGE, { withdraw: id }));
  return { body, isGone: web.directory.requests.some(({ path }) => path === "/v2/venues/withdraw") };
}

test.each([
  { whose: "another's", owner: bob.id, row: "decided", isHeld: true },
  { whose: "another's", owner: bob.id, row: "accepted by its score", isHeld: true },
  { whose: "another's", owner: bob.id, row: "in review", isHeld: false },
  { whose: "another's, which I review", owner: bob.id, row: "decided", role: "reviewer", isHeld: true },
  { whose: "another's, which I own too", owner: bob.id, row: "decided", role: "owner", isHeld: false },
  { whose: "my own", owner: ann.id, row: "decided", isHeld: false },
] as const)(
  "F141: a new venue that a row holds ($row) in a list that is $whose is deleted: not if $isHeld",
  async (each) => {
    await file(each.owner, each.row, "role" in each ? each.role : undefined);
    const { body, isGone } = await takeBack("6");
    expect(isGone).toBe(!each.isHeld);
    expect(body.includes("The venue stays: 1 row of another person’s list uses it.")).toBe(each.isHeld);
  },
);

test("F141: a proposal that deletes nothing is taken back whoever holds the venue", async () => {
  await file(bob.id, "decided");
  expect((await takeBack("7")).isGone).toBe(true);
});

test("F141: who reports a duplicate is told before how many rows of how many lists hold the venue", async () => {
  const { body: none } = await ann.browser.get("/venues/v2/edit");
  expect(none).not.toContain("this venue. If the two are merged");
  await file(bob.id, "decided");
  await file(bob.id, "accepted by its score");
  const { body } = await ann.browser.get("/venues/v2/edit");
  expect(body).toContain("2 rows of 2 lists use this venue. If the two are merged, they move to the other one.");
});
