import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, test } from "vitest";
import { breakages } from "./all.ts";
import { TYPES } from "./breakage.ts";

/** Groups of docs/attacks.md in which every case needs a breakage. */
const GROUPS = ["A", "B", "C", "F", "S", "W"];

const ids = [...readFileSync("docs/attacks.md", "utf8").matchAll(/^- ([A-Z]\d\d) /gm)]
  .map(([, id = ""]) => id)
  .filter((id) => GROUPS.includes(id[0] ?? ""));
const tests = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts"))
  .map((file) => ({ file: path.join("test", file), text: readFileSync(path.join("test", file), "utf8") }));

describe.each(ids)("attack %s", (id) => {
  it("has a test whose name begins with its id", () => {
    expect(tests.filter(({ text }) => text.includes(`${id}: `)).map(({ file }) => file)).not.toEqual([]);
  });

  it("has a breakage", () => {
    expect(breakages.map((breakage) => breakage.id)).toContain(id);
  });
});

test.each(breakages)(
  "the breakage $id, $breaks: fits the current code and has a test",
  ({ id, file, find, replace, test: testFile }) => {
    expect(readFileSync(file, "utf8").split(find)).toHaveLength(2);
    expect(replace).not.toBe(find);
    if (testFile !== TYPES) expect(tests.find((each) => each.file === testFile)?.text).toContain(`${id}: `);
  },
);
