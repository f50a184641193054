import { globSync, readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { describe, expect, it } from "vitest";
import { createEta } from "../../src/http/pages/views.ts";
import { ETA_NAMES, typedView } from "./typed.ts";

const VIEWS = globSync("views/**/*.eta").sort();

describe.each([true, false])("with production = %s", (production) => {
  it.each(VIEWS)("C80: %s compiles", (file) => {
    expect(() => createEta(production).compile(readFileSync(file, "utf8"))).not.toThrow();
  });
});

describe("a view that declares a name of its own scope in production", () => {
  const HOW = [
    (name: string) => `const ${name} = 1`,
    (name: string) => `const { ${name} } = { ${name}: 1 }`,
    (name: string) => `let ${name}`,
    (name: string) => `class ${name} {}`,
    (name: string) => `function ${name}() {}`,
  ];
  it("C80: is known by all names that Eta gives", () => {
    const own = ["it", "options", "t", "tHtml", "include", "includeAsync", "__eta"];
    expect(ETA_NAMES).toEqual([...own, "layout", "output", "capture", "captureAsync", "block", "blockAsync"]);
  });

  const planted = ETA_NAMES.flatMap((name) => HOW.map((declare) => declare(name)));

  it.each(planted)("C80: has an error of the type check: %s", (declaration) => {
    expect(errorsIn(`<% ${declaration} %><p></p>`)).toHaveLength(1);
    expect(errorsIn(`<% if (it) { ${declaration} } %><p></p>`)).toEqual([]);
  });
});

/** Declarations that exclude each other are errors of the syntax, which need no types. */
const errorsIn = (template: string) =>
  parseSync("view.ts", typedView("view", template), { showSemanticErrors: true }).errors.map(({ message }) => message);
