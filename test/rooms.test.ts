import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const files = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((file) => path.join("src", file))
  .filter((file) => file.endsWith(".ts") && !file.includes("generated"));

/** Imports of types count: they too decide what can be read, and moved, alone. */
const importsOf = (file: string): string[] =>
  [...readFileSync(file, "utf8").matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)]
    .map(([, specifier = ""]) => path.join(path.dirname(file), specifier))
    .filter((to) => files.includes(to));

/** What can be left behind and come back to, of a graph: each on one line, empty where there is no circle. */
function circlesIn(graph: Map<string, Set<string>>): string[] {
  const left = new Map([...graph].map(([from, to]) => [from, new Set(to)]));
  const drop = (isOver: (from: string) => boolean) => {
    for (const from of [...left.keys()].filter(isOver)) {
      left.delete(from);
      for (const to of left.values()) to.delete(from);
    }
  };
  for (let size = -1; size !== left.size; ) {
    size = left.size;
    for (const to of left.values()) for (const each of to) if (!left.has(each)) to.delete(each);
    drop((from) => left.get(from)?.size === 0);
    drop((from) => ![...left.values()].some((to) => to.has(from)));
  }
  return [...left].map(([from, to]) => `${from} → ${[...to].join(", ")}`);
}

function graphOf(nodeOf: (file: string) => string): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const file of files) {
    const to = graph.get(nodeOf(file)) ?? new Set();
    graph.set(nodeOf(file), to);
    for (const each of importsOf(file).map(nodeOf)) if (each !== nodeOf(file)) to.add(each);
  }
  return graph;
}

test("no files of src import one another in a circle, imports of types included", () => {
  expect(circlesIn(graphOf((file) => file))).toEqual([]);
});

test("no folders of src import one another in a circle", () => {
  const folders = graphOf(path.dirname);
  for (const each of folders.keys()) if (each.startsWith("src/web")) folders.delete(each);
  expect(circlesIn(folders)).toEqual([]);
});
