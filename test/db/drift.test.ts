import { expect, inject, test } from "vitest";
import { migrationDiff } from "../../prisma/schema-engine.ts";

test("the migrations produce the schema of schema.prisma", async () => {
  expect(await migrationDiff(inject("run").url)).toBe("");
});
