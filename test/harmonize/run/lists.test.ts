import { describe, expect, test } from "vitest";
import type { ListRole } from "../../../src/db/generated/enums.ts";
import { sql } from "../../../src/db/sql.ts";
import { changeRole, isOwnedBy, personCalled } from "../../../src/harmonize/run/lists.ts";
import { superviseOnce } from "../../../src/harmonize/supervise.ts";
import { startHarmonizer } from "../harmonizer.ts";

const { deps, begin, state, row } = await startHarmonizer();
const { prisma, pool } = deps;

let made = 0;
async function newPerson(more: { handle?: string; firstName?: string; disabledAt?: Date } = {}): Promise<string> {
  made += 1;
  const data = { directory: deps.directoryUrl, externalId: `person ${made}`, ...more };
  return (await prisma.account.create({ data })).id;
}

/** A file with an owner, and others. */
async function newFile(others: ListRole[] = []) {
  const file = await row((await begin(1, { owned: true })).id);
  const people: string[] = [file.accountId ?? ""];
  for (const role of others) {
    const accountId = await newPerson();
    await prisma.listPerson.create({ data: { listId: file.listId, accountId, role } });
    people.push(accountId);
  }
  return { ...file, people };
}

const rolesOn = async (listId: string) =>
  (await prisma.listPerson.findMany({ where: { listId }, orderBy: { accountId: "asc" } })).map(({ role }) => role);

describe("the people of a list", () => {
  test("W121: a list keeps an owner, whoever takes the role from whom, also when all do so at once", async () => {
    const roles = [null, "viewer", "reviewer"] as const;
    for (let round = 0; round < 6; round += 1) {
      const { listId, people } = await newFile(Array.from({ length: round % 3 }, () => "owner" as const));
      const changes = people.map((accountId, at) => {
        const by = people[(at + 1) % people.length] ?? accountId;
        return changeRole(pool, { listId, accountId, role: roles[round % 3] ?? null }, isOwnedBy(by));
      });
      const ends = await Promise.allSettled(changes);
      for (const end of ends) if (end.status === "rejected") expect(end.reason.status).toBeOneOf([404, 409]);
      expect((await rolesOn(listId)).filter((role) => role === "owner").length).toBeGreaterThanOrEqual(1);
    }
  });

  test("W121: who has just lost the role of owner changes nobody's role any more", async () => {
    const { listId, people } = await newFile(["owner", "viewer"]);
    const [first = "", second = "", third = ""] = people;
    await changeRole(pool, { listId, accountId: first, role: "reviewer" }, isOwnedBy(second));
    const late = changeRole(pool, { listId, accountId: third, role: "owner" }, isOwnedBy(first));
    await expect(late).rejects.toMatchObject({ status: 404 });
    expect((await rolesOn(listId)).toSorted()).toEqual(["owner", "reviewer", "viewer"]);
  });

  test("people are found by handle or whole name, in any case; not by a part, nor if several have the name", async () => {
    const ada = await newPerson({ handle: "ada.l", firstName: "Ada Lovelace" });
    await newPerson({ firstName: "Sam Twin" });
    await newPerson({ firstName: "sam twin" });
    await newPerson({ handle: "gone", disabledAt: new Date() });
    const namedLikeHandle = await newPerson({ firstName: "ada.l" });
    expect(namedLikeHandle).not.toBe(ada);
    for (const who of ["ada.l", "@ADA.L", " ada  lovelace "])
      expect(await personCalled(pool, deps.directoryUrl, who)).toMatchObject({ id: ada });
    for (const who of ["ada", "lovelace", "sam twin", "gone", "", "@", "%", "ada_l"])
      await expect(personCalled(pool, deps.directoryUrl, who)).rejects.toMatchObject({ status: 400 });
    await expect(personCalled(pool, "https://elsewhere.example", "ada.l")).rejects.toMatchObject({ status: 400 });
  });
});

describe("whose connection is used", () => {
  test("F140: a run whose owner's connection ended goes on with that of another owner, of nobody else", async () => {
    const cases = [
      { others: ["owner"], state: "matching", goesOn: true },
      { others: ["reviewer"], state: "matching", goesOn: false },
      { others: ["viewer", "owner"], state: "adding", goesOn: true },
      { others: ["owner"], state: "annotating", goesOn: true },
      // Only who has added a venue may delete it.
      { others: ["owner"], state: "undoing", goesOn: false },
      { others: [], state: "matching", goesOn: false },
    ] as const;
    for (const each of cases) {
      const { id, accountId, people } = await newFile([...each.others]);
      for (const person of people.slice(1)) state.tokens.set(person, `token of ${person}`);
      state.tokens.delete(accountId ?? "");
      const task = each.state === "matching" ? {} : { task: { kind: "add", accountId, since: "" } };
      await prisma.harmonization.update({
        where: { id },
        data: { state: each.state, pausedFor: "connection", ...task },
      });
      await superviseOnce(deps);
      const now = await row(id);
      expect([each, now.pausedFor]).toEqual([each, each.goesOn ? null : "connection"]);
      const heir = each.goesOn ? people.at(-1) : accountId;
      expect(now.accountId).toBe(heir);
      if (each.state !== "matching") expect(now.task).toMatchObject({ accountId: heir });
    }
  });

  test("F140: an owner who leaves takes no work along, and their connection is used no longer", async () => {
    const { id, listId, accountId, people } = await newFile(["owner"]);
    const task = { kind: "add", accountId, since: "" };
    await prisma.harmonization.update({ where: { id }, data: { state: "adding", task } });
    await changeRole(pool, { listId, accountId: accountId ?? "", role: null }, sql`true`);
    expect(await row(id)).toMatchObject({ accountId: people[1], task: { accountId: people[1] } });
  });
});
