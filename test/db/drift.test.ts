import { expect, inject, test } from "vitest";
import { migrationDiff } from "../../prisma/schema-engine.ts";

test("the migrations add up to schema.prisma", async () => {
  expect(await migrationDiff(inject("run").url)).toBe("");
});
