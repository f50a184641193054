import { expect, test } from "vitest";
import { filledTemplate, testDatabase } from "../support/database/database.ts";

const [one, two] = await Promise.all([testDatabase(), testDatabase()]);

const account = { directory: "https://directory.example", externalId: "1" };

test("two test databases do not see each other's rows", async () => {
  await one.database.prisma.account.create({ data: account });
  expect(await one.database.prisma.account.count()).toBe(1);
  expect(await two.database.prisma.account.count()).toBe(0);
});

test("a template requested several times at once is filled once, while the other requests wait", async () => {
  let filled = 0;
  const fill = async () => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    filled += 1;
  };
  await Promise.all([1, 2, 3].map(() => filledTemplate("counted", fill)));
  expect(filled).toBe(1);
});

test("a template whose filling failed is filled again", async () => {
  const failing = filledTemplate("repaired", () => Promise.reject(new Error("no rows today")));
  await expect(failing).rejects.toThrow("no rows today");
  let filled = 0;
  await filledTemplate("repaired", async ({ prisma }) => {
    await prisma.account.create({ data: account });
    filled += 1;
  });
  expect(filled).toBe(1);
});
