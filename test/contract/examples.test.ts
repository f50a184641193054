import { globSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { sentSchema } from "../../src/http/json-schema.ts";

const modules = await Promise.all(globSync("src/contract/*.ts").map((file) => import(path.resolve(file))));
const parameters = modules
  .flatMap((module) => Object.entries<unknown>(module))
  .flatMap(([name, schema]) => (/(Parameters|Call)$/.test(name) && schema instanceof z.ZodObject ? [schema] : []));

it("every example of an interface parameter passes its own schema", () => {
  const tried = parameters.flatMap((schema) =>
    Object.entries(sentSchema(schema).properties as Record<string, { examples?: unknown[] }>).flatMap(
      ([name, { examples = [] }]) =>
        examples.map((example) => [name, example, schema.shape[name]?.safeParse(String(example)).success]),
    ),
  );
  expect(tried.length).toBeGreaterThan(40);
  expect(tried.filter(([, , isTaken]) => !isTaken)).toEqual([]);
});
